import type { ChatbotFacts, ConversationsDeps } from '../deps.ts';

/**
 * Counts a message for its visitor, the address it came from, the chatbot and the agency, and refuses beyond a limit. The narrowest is counted
 * first: what one visitor is refused costs the others nothing, and a chatbot's limit is a part of its agency's.
 */
export async function countMessage(
  { limits }: Pick<ConversationsDeps, 'limits'>,
  facts: Pick<ChatbotFacts, 'id' | 'partnerId'>,
  { visitorId, address }: { visitorId: string | undefined; address: string },
): Promise<void> {
  await limits.require('visitorMessage', `${facts.id}:${visitorId ?? ''} ${address}`);
  // A new visitor id is free to choose.
  await limits.require('visitorAddress', `${facts.id} ${address}`);
  await limits.require('visitorAddressDay', `${facts.id} ${address}`);
  await limits.require('chatbotMessage', facts.id);
  await limits.require('partnerMessage', facts.partnerId);
}
