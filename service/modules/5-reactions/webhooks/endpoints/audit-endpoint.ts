import type { AuditAction } from '@partner-portal/contract/audit-actions.ts';
import { originOf, recordAudit } from '#modules/1-ledger/audit/index.ts';
import type { TenantTx } from '#platform/db/tx.ts';
import type { RequestContext } from '#platform/http/context.ts';
import type { EndpointRow } from './store-endpoints.ts';

type Action = Extract<AuditAction, `webhook.${string}`>;

/** Records an action on an endpoint in the audit log. */
export async function auditEndpoint(
  tx: TenantTx,
  caller: RequestContext,
  endpoint: EndpointRow,
  action: Action,
  changes: Record<string, [unknown, unknown]>,
): Promise<void> {
  const target = { type: 'webhook_endpoint', id: endpoint.id, label: endpoint.url };
  await recordAudit(tx, { partnerId: endpoint.partnerId, actor: caller.actor, action, target, changes, origin: originOf(caller) });
}
