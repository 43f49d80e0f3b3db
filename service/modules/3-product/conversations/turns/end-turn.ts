import { FAILURES_ALERTED, mayFollow } from '@partner-portal/core/conversation/turn.ts';
import { noteReachedBudgets } from '#modules/1-ledger/metering/index.ts';
import { recordFact } from '#platform/facts.ts';
import type { ChatbotFacts, ConversationsDeps } from '../deps.ts';
import { chatbotAnswersChanged } from '../facts.ts';
import { handOver } from '../handoff/hand-over.ts';
import type { Settled, Settlement, Turn } from '../store-turn.ts';
import { settleTurn } from './store.ts';

/** The result of a turn, for those who wait for it. */
export type Ended = Settled & { reply: string; sources: { title: string; excerpt: string }[] };

/** Ends a turn with its consequences, in one transaction. Returns undefined when another process holds or ended it. */
export async function endTurn(
  deps: ConversationsDeps,
  turn: Turn,
  facts: ChatbotFacts | null,
  end: Settlement,
): Promise<Ended | undefined> {
  if (!mayFollow(turn.state, end.state)) throw new Error(`A turn that is ${turn.state} cannot be ${end.state}.`);
  const { partnerId, clientId } = turn;
  const settled = await deps.db.asTenant({ kind: 'tenant', partnerId, clientId: null }, async (tx) => {
    const row = await settleTurn(tx, deps.worker, turn, end);
    if (!row) return undefined;
    if (row.isHandedOff && facts && end.handoff) await handOver(deps, tx, { turn, facts, reason: end.handoff, settled: row });
    const isNew = end.reached !== null && (await noteReachedBudgets(tx, turn.chatbotId, end.reached));
    if (row.failures === 0 || row.failures === FAILURES_ALERTED || row.isRunChanged || isNew)
      await recordFact(tx, chatbotAnswersChanged, { partnerId, clientId });
    return row;
  });
  deps.live.endReply(turn.conversationId);
  if (!settled) return undefined;
  return { ...settled, reply: end.reply, sources: end.passages.map(({ title, excerpt }) => ({ title, excerpt })) };
}
