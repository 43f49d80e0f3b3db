import { createOwnKey } from '#adapters/saml-certificate.ts';
import { originOf, recordAudit } from '#modules/1-ledger/audit/index.ts';
import type { TenantTx } from '#platform/db/tx.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { refuse } from '#platform/refuse.ts';
import type { SsoDeps } from '../deps.ts';
import { requirePlan } from '../require-plan.ts';
import { promoteNextKey, writeFirstKey, writeNextKey } from '../store-keys.ts';
import { type ConnectionRow, findConnection, findSsoContext, lockConnection } from '../store.ts';
import { keyName, labelOf, toRecord } from './connection-answer.ts';
import { sealKey } from './own-keys.ts';

/** Adds a key to the metadata: the first one at once, a further one to be used later. */
export async function addKey(deps: SsoDeps, caller: RequestContext) {
  const before = await deps.db.asTenant(caller.actor, async (tx) => requireSaml(await readFor(tx, caller)));
  const key = await createOwnKey(keyName(deps.baseUrl, before.context.slug), caller.now);
  return deps.db.asTenant(caller.actor, async (tx) => {
    const { context, row } = requireSaml(await readFor(tx, caller));
    if (row.nextCertificate) return refuse('invalid_state', { detail: 'The metadata lists a next key already. Use it first.' });
    const stored = await sealKey(deps.dataKeys, tx, row.partnerId, key, row);
    await (row.ownCertificate ? writeNextKey : writeFirstKey)(tx, row.partnerId, stored);
    await recordKey(tx, caller, 'sso.key_added', row);
    return toRecord(deps, context, await findConnection(tx, row.partnerId));
  });
}

/** Uses the next key in place of the current one. Allowed while enforced, as a provider may need another key at any time. */
export async function useNextKey(deps: SsoDeps, caller: RequestContext) {
  return deps.db.asTenant(caller.actor, async (tx) => {
    const { context, row } = requireSaml(await readFor(tx, caller));
    if (!row.nextCertificate) return refuse('invalid_state', { detail: 'The metadata lists no next key. Add one first.' });
    await promoteNextKey(tx, row.partnerId);
    await recordKey(tx, caller, 'sso.key_used', row);
    return toRecord(deps, context, await findConnection(tx, row.partnerId));
  });
}

type Read = { context: Awaited<ReturnType<typeof findSsoContext>>; row: ConnectionRow | undefined };

async function readFor(tx: TenantTx, { actor }: RequestContext): Promise<Read> {
  return { context: await findSsoContext(tx, actor), row: await lockConnection(tx, actor.partnerId) };
}

function requireSaml({ context: found, row }: Read) {
  const context = requirePlan(found);
  if (row?.protocol !== 'saml') return refuse('invalid_state', { detail: 'Save a SAML connection first.' });
  return { context, row };
}

async function recordKey(
  tx: TenantTx,
  caller: RequestContext,
  action: 'sso.key_added' | 'sso.key_used',
  row: ConnectionRow,
): Promise<void> {
  await recordAudit(tx, {
    partnerId: row.partnerId,
    actor: caller.actor,
    action,
    target: { type: 'sso_connection', id: row.partnerId, label: labelOf(row) },
    origin: originOf(caller),
  });
}
