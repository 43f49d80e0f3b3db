import { createHmac } from 'node:crypto';
import type { Choice } from '@partner-portal/core/conversation/intent.ts';
import { contactOf } from '@partner-portal/core/template/input.ts';
import type { ConversationsDeps } from '../deps.ts';
import type { Turn } from '../store-turn.ts';

/**
 * Counts an agent's run for the person it reaches, for the visitors behind one address and for the chatbot. Returns null within the limits, else whose
 * runs were too many: those of this person, or of others. A stranger opens as many conversations as they like and names any phone number, and the agency
 * pays for each text.
 */
export async function tooManyRunsOf(
  { limits, secret }: Pick<ConversationsDeps, 'limits' | 'secret'>,
  { partnerId, chatbotId, address }: Pick<Turn, 'partnerId' | 'chatbotId' | 'address'>,
  { agent, input }: Extract<Choice, { kind: 'run' }>,
): Promise<'person' | 'others' | null> {
  const contact = contactOf(agent.template, input);
  // No number is kept where limits are counted.
  const person = contact && createHmac('sha256', secret.reveal()).update(`contact:${partnerId}:${contact}`).digest('hex');
  if (person && (await limits.count('chatRunContact', person)).exceeded) return 'person';
  if (address !== null && (await limits.count('chatRunAddress', `${chatbotId} ${address}`)).exceeded) return 'others';
  return (await limits.count('chatRunChatbot', chatbotId)).exceeded ? 'others' : null;
}
