import { originOf, recordAudit } from '#modules/1-ledger/audit/index.ts';
import type { Tx } from '#platform/db/tx.ts';
import type { RequestContext } from '#platform/http/context.ts';
import type { AgentRequestsDeps } from './deps.ts';
import { publishSubmitted } from './publish.ts';
import { findRequests } from './store.ts';

/** Writes the audit entry of each new request, and the event of one that is submitted, in the transaction that created them. */
export async function recordCreated(deps: AgentRequestsDeps, tx: Tx, context: RequestContext, ids: readonly string[]): Promise<void> {
  const { actor } = context;
  for (const row of await findRequests(tx, ids)) {
    await recordAudit(tx, {
      partnerId: row.partnerId,
      clientId: row.clientId,
      actor,
      action: 'agent_request.created',
      target: { type: 'agent_request', id: row.id, label: row.title },
      changes: { status: [null, row.status], client: [null, row.clientName], templateName: [null, row.templateName] },
      origin: originOf(context),
    });
    if (row.status === 'submitted') await publishSubmitted(deps, tx, row, actor);
  }
}
