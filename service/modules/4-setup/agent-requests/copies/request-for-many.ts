import type { BULK_REQUEST_RESULTS } from '@partner-portal/contract/vocabulary.ts';
import { targetState } from '@partner-portal/core/template/copy.ts';
import type { Template } from '@partner-portal/core/template/types.ts';
import type { TenantTx } from '#platform/db/tx.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { once } from '#modules/1-ledger/first-answers/index.ts';
import type { AgentRequestsDeps } from '../deps.ts';
import { recordCreated } from '../record-created.ts';
import { findClients, insertRequests } from '../store.ts';
import { findTargets, type TargetRow } from './store-copies.ts';

export type ManyResult = { clientId: string; clientName: string; result: (typeof BULK_REQUEST_RESULTS)[number]; requestId: string | null };

/** Submits a request for each client that can have one; the others keep their reason. Results are in the order of the targets. */
export async function requestForMany(
  deps: AgentRequestsDeps,
  tx: TenantTx,
  context: RequestContext,
  subject: { template: Template; description: string; targets: readonly { row: TargetRow; config: Record<string, unknown> }[] },
): Promise<ManyResult[]> {
  const { template, description, targets } = subject;
  const { partnerId, userId } = context.actor;
  const open = targets.filter(({ row }) => stateOf(row) === 'ready');
  const added = await insertRequests(tx, {
    partnerId,
    clients: open.map(({ row, config }) => ({ id: row.id, config })),
    kind: 'template',
    templateName: template.name,
    title: template.title,
    description,
    status: 'submitted',
    origin: 'partner',
    by: { type: 'user', id: userId },
  });
  const requestOf = new Map(added.map((one) => [one.clientId, one.id]));
  await recordCreated(
    deps,
    tx,
    context,
    open.flatMap(({ row }) => requestOf.get(row.id) ?? []),
  );
  // Another call requested it between the look and the insert.
  const overtaken = open.filter(({ row }) => !requestOf.has(row.id)).map(({ row }) => row.id);
  const now = new Map((await findTargets(tx, partnerId, overtaken, template.name)).map((row) => [row.id, row]));
  return targets.map(({ row }) => {
    const requestId = requestOf.get(row.id);
    if (requestId !== undefined) return { clientId: row.id, clientName: row.name, result: 'submitted', requestId };
    const latest = now.get(row.id) ?? row;
    const state = stateOf(latest);
    // `ready` again: the request of the other call has already been decided.
    const result = state === 'ready' || state === 'missing' ? 'requested' : state;
    return { clientId: row.id, clientName: row.name, result, requestId: latest.requestId };
  });
}

/** A missing key stops the installation, not the request. */
const stateOf = (row: TargetRow) => targetState({ ...row, hasOpenRequest: row.requestId !== null, missing: 0 });

/** Does `work` once per Idempotency-Key of this user: a repeated call within 24 hours gets the first results. */
export async function manyOnce(
  tx: TenantTx,
  context: RequestContext,
  call: { names: readonly string[]; body: unknown },
  work: () => Promise<ManyResult[]>,
): Promise<{ results: ManyResult[] }> {
  const { partnerId } = context.actor;
  let made: ManyResult[] | undefined;
  const stored = await once(tx, context, { ...call, partnerId }, async () => {
    made = await work();
    return made.map(({ clientName: _name, ...rest }): Stored => rest);
  });
  return { results: made ?? (await namedAgain(tx, partnerId, stored)) };
}

/** Names are not stored with the key: a client that is removed since leaves nothing there. */
type Stored = Omit<ManyResult, 'clientName'>;

async function namedAgain(tx: TenantTx, partnerId: string, stored: readonly Stored[]): Promise<ManyResult[]> {
  const clients = await findClients(
    tx,
    partnerId,
    stored.map((one) => one.clientId),
  );
  const nameOf = new Map(clients.map((client) => [client.id, client.name]));
  return stored.flatMap((one) => {
    const clientName = nameOf.get(one.clientId);
    return clientName === undefined ? [] : [{ ...one, clientName }];
  });
}
