import type { HandoffReason } from '@partner-portal/contract/vocabulary.ts';
import { recordFact } from '#platform/facts.ts';
import type { Tx } from '#platform/db/tx.ts';
import type { ChatbotFacts, ConversationsDeps } from '../deps.ts';
import { conversationHandedOff } from '../facts.ts';
import type { Settled, Turn } from '../store-turn.ts';
import { countNewlyWaiting, readDesk } from './store.ts';

/** Mails to a client. A stranger opens as many conversations as they like, each of which asks for a person. */
export const MAILED_PER_HOUR = 30;

/**
 * Mails the hand-over to the address of the settings and notifies the people who may answer, in the transaction of the hand-over. While many
 * visitors wait unanswered, further ones are only shown in the inbox and among the notifications.
 */
export async function handOver(
  deps: Pick<ConversationsDeps, 'queueMail'>,
  tx: Tx,
  given: { turn: Turn; facts: ChatbotFacts; reason: HandoffReason; settled: Settled },
): Promise<void> {
  const { turn, facts, reason, settled } = given;
  const { partnerId, clientId, conversationId } = turn;
  const { visitorLabel } = settled;
  const isMailed = (await countNewlyWaiting(tx, clientId, MAILED_PER_HOUR + 1)) <= MAILED_PER_HOUR;
  const mailedTo = isMailed && facts.handoffEmail !== '' ? facts.handoffEmail : null;
  if (mailedTo !== null) {
    const { isClientUser, locale, timezone } = await readDesk(tx, mailedTo, clientId);
    await deps.queueMail(tx, {
      kind: 'conversation_handed_off',
      partnerId,
      to: mailedTo,
      locale,
      timezone,
      about: { partnerId, clientId },
      dedupeKey: `conversation_handed_off:${conversationId}:${turn.id}`,
      data: {
        clientName: facts.businessName,
        visitorLabel,
        why: reason,
        message: settled.lastVisitorText ?? '',
        at: settled.messageAt ?? turn.startedAt,
        href: `/${isClientUser ? 'client' : 'dashboard'}/inbox/${conversationId}`,
      },
    });
  }
  await recordFact(tx, conversationHandedOff, {
    partnerId,
    clientId,
    conversationId,
    clientName: facts.businessName,
    visitorLabel,
    turnId: turn.id,
    isMailed,
    mailedTo,
  });
}
