import { nextAlertStatus, alertTitle } from '@partner-portal/core/alert/alert.ts';
import { inScope } from '#platform/db/scope.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { refuse } from '#platform/refuse.ts';
import { originOf, recordAudit } from '#modules/1-ledger/audit/index.ts';
import type { AlertsDeps } from './deps.ts';
import { alertAnswer } from './read-alerts.ts';
import { findAlert, lockAlert, writeMove } from './store.ts';
import { resolvedNews } from './sweep-alerts.ts';

/**
 * Somebody looks after an alert, or closes it. A closed one whose condition still holds does not open again until the condition
 * has gone away in between.
 */
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
      return refuse('invalid_state', { detail: `This alert is ${before.status} already.`, status: before.status });
    await writeMove(tx, id, { to, by: actor.userId, note: note || null });
    const after = (await findAlert(tx, id)) ?? refuse('not_found');
    if (to === 'resolved')
      await deps.notify(
        tx,
        resolvedNews({
          ...after,
          resolvedAt: after.resolvedAt ?? caller.now,
          before: before.status,
          except: actor.userId,
          // Staff are named to nobody outside.
          by: actor.role === 'ADMIN' ? 'Our staff' : (after.resolvedByName ?? actor.email),
        }),
      );
    await recordAudit(tx, {
      partnerId: before.partnerId,
      clientId: before.clientId,
      actor,
      action: to === 'resolved' ? 'alert.resolved' : 'alert.acknowledged',
      target: { type: 'alert', id, label: alertTitle(before.rule, before.label) },
      changes: { status: [before.status, to], ...(note ? { note: [before.note, note] } : {}) },
      origin: originOf(caller),
    });
    return alertAnswer(after);
  });
}
