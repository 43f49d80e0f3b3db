import type { AuditTexts } from './texts.ts';

export const CONVERSATIONS_ACTIONS = {
  'chatbot.changed': { label: 'Chatbot changed', did: 'changed the chatbot of {target}', tried: 'change a chatbot', thing: 'a client' },
  'chat_budgets.changed': {
    label: 'Chatbot budgets changed',
    did: 'changed what conversations of chatbots may cost',
    tried: 'change what conversations of chatbots may cost',
  },
  'chatbot.knowledge_added': {
    label: 'Chatbot file added',
    did: 'added {target} to what the chatbot knows',
    tried: 'add a file for the chatbot',
    thing: 'a file',
  },
  'chatbot.knowledge_removed': {
    label: 'Chatbot file removed',
    did: 'removed {target} from what the chatbot knows',
    tried: 'remove a file of the chatbot',
    thing: 'a file',
  },
  'conversation.taken_over': {
    label: 'Conversation taken over',
    did: 'took over the conversation with {target}',
    tried: 'take over a conversation',
    thing: 'a visitor',
  },
  'conversation.replied': { label: 'Visitor answered', did: 'replied to {target}', tried: 'reply to a visitor', thing: 'a visitor' },
  'conversation.given_back': {
    label: 'Conversation given back',
    did: 'gave the conversation with {target} back to the chatbot',
    tried: 'give a conversation back',
    thing: 'a visitor',
  },
  'conversation.closed': {
    label: 'Conversation closed',
    did: 'closed the conversation with {target}',
    tried: 'close a conversation',
    thing: 'a visitor',
  },
  'canned_reply.added': {
    label: 'Prepared reply added',
    did: 'added the prepared reply {target}',
    tried: 'add a prepared reply',
    thing: '',
  },
  'canned_reply.removed': {
    label: 'Prepared reply removed',
    did: 'removed the prepared reply {target}',
    tried: 'remove a prepared reply',
    thing: '',
  },
} as const satisfies Record<string, AuditTexts>;
