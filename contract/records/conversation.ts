import { z } from 'zod';
import { colour, id, time } from '../primitives.ts';
import {
  AI_PROVIDERS,
  CLIENT_STATUSES,
  CONVERSATION_STATUSES,
  EXECUTION_STATUSES,
  HANDOFF_REASONS,
  KNOWLEDGE_KINDS,
  KNOWLEDGE_STATUSES,
  LIMITS,
  LOCALES,
  MESSAGE_AUTHORS,
  RUN_TONES,
} from '../vocabulary.ts';

export const agentRoute = z.object({ intent: z.string(), workflowId: id });

export const chatbotRecord = z
  .object({
    /** Null until the settings are saved for the first time. */
    id: id.nullable(),
    clientId: id,
    isActive: z.boolean(),
    name: z.string(),
    greeting: z.string(),
    persona: z.string(),
    knowledgeText: z.string(),
    provider: z.enum(AI_PROVIDERS),
    model: z.string(),
    handoffEmail: z.string(),
    /** Texts of a visitor that hand the conversation to a person, even if the chatbot knows the answer. */
    handoffPhrases: z.array(z.string()),
    handoffWhenUnsure: z.boolean(),
    /** Minutes after which an unanswered hand-over is mailed again. */
    reminderMinutes: z.number().int(),
    agentRoutes: z.array(agentRoute),
    /** Null: the colour of the agency. */
    brandColor: z.string().nullable(),
    allowedOrigins: z.array(z.string()),
    privacyUrl: z.string(),
    /** The script tag for a website; null until the settings are saved. */
    snippet: z.string().nullable(),
    /** A budget has no room for its answers right now: visitors are offered a reply by a person. */
    isAtBudget: z.boolean(),
    updatedAt: time.nullable(),
  })
  .meta({ id: 'Chatbot' });

/** A client in the list of an agency's chatbots. */
export const chatbotListItem = z
  .object({
    clientId: id,
    clientName: z.string(),
    clientStatus: z.enum(CLIENT_STATUSES).describe('Unless it is active, visitors find no chatbot'),
    /** Null until the settings are saved for the first time. */
    id: id.nullable(),
    name: z.string().nullable(),
    isActive: z.boolean(),
    /** Websites that may show it. */
    sites: z.number().int(),
    passages: z.number().int(),
    agentRoutes: z.number().int(),
    updatedAt: time.nullable(),
  })
  .meta({ id: 'ChatbotListItem' });

export const knowledgeRecord = z
  .object({
    id,
    kind: z.enum(KNOWLEDGE_KINDS),
    title: z.string(),
    contentType: z.string().nullable(),
    sizeBytes: z.number().int(),
    status: z.enum(KNOWLEDGE_STATUSES),
    /** Why nothing was read from it, as a sentence. */
    problem: z.string().nullable(),
    passages: z.number().int(),
    createdAt: time,
    updatedAt: time,
  })
  .meta({ id: 'KnowledgeDocument' });

/** A passage that an answer stands on. */
export const passageRecord = z
  .object({ documentId: id, title: z.string(), heading: z.string(), excerpt: z.string() })
  .meta({ id: 'Passage' });

export const messageRun = z.object({
  workflowId: id,
  agentName: z.string(),
  /** Null once the run is no longer kept. */
  executionId: id.nullable(),
  status: z.enum(EXECUTION_STATUSES).nullable(),
  /** As of the run. */
  tone: z.enum(RUN_TONES).nullable(),
  summary: z.string(),
});

export const messageRecord = z
  .object({
    id,
    author: z.enum(MESSAGE_AUTHORS),
    /** Name of the person who replied; empty for other authors. */
    authorName: z.string(),
    text: z.string(),
    passages: z.array(passageRecord),
    /** Ids of the agents that ran for this message. */
    runs: z.array(id),
    runDetails: z.array(messageRun),
    at: time,
  })
  .meta({ id: 'ConversationMessage' });

export const conversationRecord = z
  .object({
    id,
    chatbotId: id,
    clientId: id,
    clientName: z.string(),
    visitorLabel: z.string(),
    /** Origin of the page the visitor wrote from; empty when unknown. */
    origin: z.string(),
    status: z.enum(CONVERSATION_STATUSES),
    handoffReason: z.enum(HANDOFF_REASONS).nullable(),
    assignedTo: z.object({ id, name: z.string() }).nullable(),
    lastMessage: z.object({ author: z.enum(MESSAGE_AUTHORS), text: z.string() }).nullable(),
    /** Whether a message arrived that the reader of this record has not read. */
    isUnread: z.boolean(),
    /** Since when a visitor waits for a person. */
    waitingSince: time.nullable(),
    startedAt: time,
    lastMessageAt: time,
  })
  .meta({ id: 'Conversation' });

export const conversationDetail = conversationRecord
  .extend({
    /** The number that this visitor named is on the stop list: no agent texts it. */
    isOnStopList: z.boolean(),
    /** Cost for the agency; null for its client. */
    usage: z
      .object({
        /** Calls of a language model, their tokens and credits. */
        aiCalls: z.number().int(),
        inputTokens: z.number().int(),
        outputTokens: z.number().int(),
        aiCredits: z.number().int(),
        /** Agents that ran for it, and their credits. */
        runs: z.number().int(),
        runCredits: z.number().int(),
      })
      .nullable(),
  })
  .meta({ id: 'ConversationDetail' });

/** Counts shown next to the inbox; each stops at 100. */
export const inboxCounts = z.object({ unread: z.number().int(), waiting: z.number().int() });

export const cannedReplyRecord = z
  .object({ id, clientId: id.nullable(), title: z.string(), text: z.string(), createdAt: time })
  .meta({ id: 'CannedReply' });

export const chatbotFigures = z.object({
  from: z.string(),
  to: z.string(),
  totals: z.object({
    conversations: z.number().int(),
    answeredAlone: z.number().int(),
    handedOff: z.number().int(),
    runs: z.number().int(),
    bookings: z.number().int(),
  }),
  days: z.array(
    z.object({
      day: z.string(),
      conversations: z.number().int(),
      answeredAlone: z.number().int(),
      handedOff: z.number().int(),
      runs: z.number().int(),
      bookings: z.number().int(),
    }),
  ),
});

/** A message as its visitor sees it: no ids of documents, users or agents. */
export const publicMessage = z.object({
  id,
  author: z.enum(MESSAGE_AUTHORS),
  authorName: z.string(),
  text: z.string(),
  sources: z.array(z.object({ title: z.string(), excerpt: z.string() })),
  clientMessageId: id.nullable(),
  at: time,
});

export const publicChatbot = z.object({
  id,
  name: z.string(),
  greeting: z.string(),
  brandColor: colour,
  /** The business the visitor writes to, and the agency that runs its chatbot; no platform name. */
  businessName: z.string(),
  agencyName: z.string(),
  logoUrl: z.string().nullable(),
  privacyUrl: z.string(),
  /** The language of the business, for visitors whose own is not offered. */
  locale: z.enum(LOCALES),
  textMax: z.literal(LIMITS.visitorTextMax),
});

/** Data of the events of a visitor’s stream, by name. `start` of a delta: characters of the reply before it; a reader keeps those and replaces what follows. The `message` with its `turnId` replaces the deltas. */
export const publicEvents = {
  delta: z.object({ turnId: id, start: z.number().int(), text: z.string() }),
  message: publicMessage.extend({ turnId: id.nullable() }),
  typing: z.object({ author: z.enum(['bot', 'human']), name: z.string(), isTyping: z.boolean() }),
  status: z.object({ status: z.enum(CONVERSATION_STATUSES), humanName: z.string().nullable(), isAnswering: z.boolean() }),
};
