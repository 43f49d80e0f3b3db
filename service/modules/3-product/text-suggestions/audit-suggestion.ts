import type { AuditAction } from '@partner-portal/contract/audit-actions.ts';
import { originOf, recordAudit } from '#modules/1-ledger/audit/index.ts';
import type { Tx } from '#platform/db/tx.ts';
import type { RequestContext } from '#platform/http/context.ts';

/** Records a step of a suggestion; the entry is named after its agent. */
export async function auditSuggestion(
  tx: Tx,
  context: RequestContext,
  action: AuditAction,
  { id, partnerId, clientId, agentName }: { id: string; partnerId: string; clientId: string; agentName: string },
  changes: Record<string, [unknown, unknown]>,
): Promise<void> {
  await recordAudit(tx, {
    partnerId,
    clientId,
    actor: context.actor,
    action,
    target: { type: 'text_suggestion', id, label: agentName },
    changes,
    origin: originOf(context),
  });
}
