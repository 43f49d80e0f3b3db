import { nextAlertStatus, alertTitle } from '@partner-portal/core/alert/alert.ts';
import { inScope } from '#platform/db/scope.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { recordFact } from '#platform/facts.ts';
import { refuse } from '#platform/refuse.ts';
import { originOf, recordAudit } from '#modules/1-ledger/audit/index.ts';
import type { AlertsDeps } from './deps.ts';
import { alertChanged } from './facts.ts';
import { toAlert } from './read-alerts.ts';
import { findAlert, lockAlert, writeMove } from './store.ts';

/** Acknowledges an alert, or mutes it: it is resolved when its condition clears, and opens again only after that. */
export async function changeAlert(
  deps: AlertsDeps,
  caller: RequestContext,
  id: string,
  { move, note }: { move: 'acknowledge' | 'resolve'; note?: string | undefined },
) {
  const { actor } = caller;
  return inScope(deps.db, actor, undefined, async (tx) => {
    const before = await lockAlert(tx, id);
    if (!before) return refuse('not_found');
    const to = nextAlertStatus(move, before.status);
    if (to !== 'acknowledged' && to !== 'resolved')
      return refuse('invalid_state', { detail: `This alert is already ${before.status}.`, status: before.status });
    await writeMove(tx, id, { to, by: actor.userId, note: note || null });
    const after = (await findAlert(tx, id)) ?? refuse('not_found');
    if (to === 'resolved')
      await recordFact(tx, alertChanged, {
        ...after,
        change: 'muted',
        // Staff are not named outside.
        by: { userId: actor.userId, name: actor.role === 'ADMIN' ? 'Our staff' : (after.resolvedByName ?? actor.email) },
      });
    await recordAudit(tx, {
      partnerId: before.partnerId,
      clientId: before.clientId,
      actor,
      action: to === 'resolved' ? 'alert.resolved' : 'alert.acknowledged',
      target: { type: 'alert', id, label: alertTitle(before.rule, before.label) },
      changes: { status: [before.status, to], ...(note ? { note: [before.note, note] } : {}) },
      origin: originOf(caller),
    });
    return toAlert(after);
  });
}
