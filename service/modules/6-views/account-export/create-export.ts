import { LIMITS, type AccountScope } from '@partner-portal/contract/vocabulary.ts';
import { originOf, recordAudit } from '#modules/1-ledger/audit/index.ts';
import { inScope } from '#platform/db/scope.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { announce } from '#platform/notify.ts';
import { refuse, refuseField } from '#platform/refuse.ts';
import type { AccountExportDeps } from './deps.ts';
import { queueExports } from './make-exports-job.ts';
import { findAccount, findExport, hasUsedUp, insertExport } from './store.ts';
import { toExportRecord } from './to-record.ts';
import { exportsChanged } from './topic.ts';

export type NewExport = { scope: AccountScope; clientId?: string | undefined; partnerId?: string | undefined };

const DAY_MS = 86_400_000;

/** Requests an export of an agency or one client. A client's own export leaves out what only its agency may read. */
export function createExport(deps: AccountExportDeps, context: RequestContext, asked: NewExport) {
  const { actor, now } = context;
  const clientId = clientOf(context, asked);
  if (actor.role === 'ADMIN' && asked.scope === 'partner' && asked.partnerId === undefined)
    refuseField('partnerId', 'required', 'Name the agency.');
  return inScope(deps.db, actor, asked.partnerId, async (tx, partnerId) => {
    const account = (await findAccount(tx, asked.scope, partnerId, clientId)) ?? refuse('not_found');
    const scope = { partnerId: account.partnerId, clientId, audience: actor.role === 'CLIENT' ? 'client' : 'agency' } as const;
    if (await hasUsedUp(tx, scope, new Date(now.getTime() - DAY_MS), LIMITS.exportsPerDay))
      refuse('rate_limited', {
        detail: `An account can be exported ${LIMITS.exportsPerDay} times a day. Try again tomorrow.`,
        retryAfterSeconds: 3_600,
      });
    const id = await insertExport(tx, scope, actor.userId, now);
    if (id === null) return refuse('already_pending', { detail: 'An export of this account is being made.' });
    await recordAudit(tx, {
      partnerId: account.partnerId,
      clientId,
      actor,
      action: 'account_export.requested',
      target: { type: 'account_export', id, label: account.name },
      origin: originOf(context),
    });
    await queueExports(tx);
    await announce(tx, exportsChanged, { partnerId: account.partnerId, id });
    return toExportRecord((await findExport(tx, id)) ?? refuse('not_found'));
  });
}

function clientOf({ actor }: RequestContext, { scope, clientId }: NewExport): string | null {
  if (actor.role === 'CLIENT' && scope === 'partner') refuse('scope_forbidden', { detail: 'You can export your own account only.' });
  if (scope === 'partner') {
    if (clientId !== undefined) refuseField('clientId', 'unexpected', 'Leave clientId out to export the whole agency.');
    return null;
  }
  if (actor.clientId !== null && clientId !== undefined && clientId !== actor.clientId) refuse('not_found');
  return actor.clientId ?? clientId ?? refuseField('clientId', 'required', 'Name the client.');
}
