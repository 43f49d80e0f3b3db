import { decideInboxAction, type InboxAction } from '@partner-portal/core/conversation/status.ts';
import type { AuditAction } from '@partner-portal/contract/audit-actions.ts';
import type { Tx } from '#platform/db/tx.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { recordFact } from '#platform/facts.ts';
import { announce } from '#platform/notify.ts';
import { refuse } from '#platform/refuse.ts';
import { originOf, recordAudit } from '#modules/1-ledger/audit/index.ts';
import type { ConversationsDeps } from '../deps.ts';
import { visitorWaitEnded } from '../facts.ts';
import { conversationChanged } from '../live/topics.ts';
import { inInbox } from './list-conversations.ts';
import { findOne } from './read-conversation.ts';
import { beginTurnIfUnanswered, endWaitsOf, type LockedConversation, lockConversation, setState } from './store-changes.ts';
import { toConversationRecord } from './to-record.ts';

const AUDITED = {
  take_over: 'conversation.taken_over',
  reply: 'conversation.replied',
  give_back: 'conversation.given_back',
  close: 'conversation.closed',
} as const satisfies Record<InboxAction, AuditAction>;

/** Takes over, gives back or closes a conversation. A change without effect is not recorded. */
export function changeConversation(
  deps: Pick<ConversationsDeps, 'db'>,
  caller: RequestContext,
  id: string,
  action: Exclude<InboxAction, 'reply'>,
) {
  const { actor } = caller;
  return inInbox(deps, actor, undefined, async (tx, scope) => {
    const before = await takeConversation(tx, caller, id);
    const changes = await applyAction(tx, caller, before, action);
    if (changes) {
      await recordChange(tx, caller, before, action, changes);
      if (action !== 'take_over') await recordWaitEnded(tx, before);
      await announce(tx, conversationChanged, { ...ownerOf(before), messageIds: [] });
    }
    return toConversationRecord(await findOne(tx, actor, id, scope));
  });
}

/** Locks a conversation; refuses `not_found`. */
export async function takeConversation(tx: Tx, { actor }: RequestContext, id: string): Promise<LockedConversation> {
  return (await lockConversation(tx, id, actor.userId)) ?? refuse('not_found');
}

/** Decides and writes an action. Returns its changes for the audit log; null when nothing changes. */
export async function applyAction(
  tx: Tx,
  { actor }: RequestContext,
  before: LockedConversation,
  action: InboxAction,
): Promise<Record<string, [unknown, unknown]> | null> {
  if (before.isClientArchived && (action === 'reply' || action === 'take_over'))
    return refuse('invalid_state', { detail: 'This client is archived: visitors of its website find no chatbot any more.' });
  const assignedTo = before.assignedTo === null ? null : { id: before.assignedTo, name: before.assignedName };
  const decision = decideInboxAction(action, { status: before.status, assignedTo }, actor.userId);
  if (decision.kind === 'refused') return refuse('invalid_state', { detail: decision.detail });
  if (decision.kind === 'unchanged') return null;
  const assigned = decision.isAssigned ? { id: actor.userId, name: before.callerName } : null;
  await setState(tx, before.id, { status: decision.status, assignedTo: assigned });
  if (action === 'give_back') await beginTurnIfUnanswered(tx, before.id);
  return { status: [before.status, decision.status], assignedTo: [before.assignedName || null, assigned?.name ?? null] };
}

export async function recordChange(
  tx: Tx,
  caller: RequestContext,
  { id, partnerId, clientId, visitorLabel }: LockedConversation,
  action: InboxAction,
  changes: Record<string, [unknown, unknown]>,
): Promise<void> {
  const target = { type: 'conversation', id, label: visitorLabel };
  await recordAudit(tx, { partnerId, clientId, actor: caller.actor, action: AUDITED[action], target, changes, origin: originOf(caller) });
}

/** Records that the visitor no longer waits; records nothing without a wait. */
export async function recordWaitEnded(tx: Tx, conversation: LockedConversation): Promise<void> {
  const { waitingSince, lockedAt } = conversation;
  if (waitingSince !== null) await recordFact(tx, visitorWaitEnded, { ...ownerOf(conversation), waitingSince, endedAt: lockedAt });
}

/** Visitors of an archived client find its chatbot no more, so that no reply would reach them. */
export async function endWaitsOfArchived(tx: Tx, archived: readonly { clientId: string }[]): Promise<void> {
  for (const { clientId } of archived)
    for (const { id: conversationId, ...wait } of await endWaitsOf(tx, clientId))
      await recordFact(tx, visitorWaitEnded, { ...wait, conversationId });
}

/** Returns the owner of a conversation, as notices name it. */
export function ownerOf({ id, partnerId, clientId }: LockedConversation) {
  return { partnerId, clientId, conversationId: id };
}
