import { AUDIT_ACTION_NAMES, AUDIT_ACTIONS } from '@partner-portal/contract/audit-actions.ts';
import { defineHandlers } from '#platform/http/context.ts';
import { exportCsv, exportNdjson } from './export-entries.ts';
import { listAuditLog, type ReadDeps } from './list-entries.ts';

export function auditHandlers(deps: ReadDeps) {
  return defineHandlers({
    listAuditLog: ({ query }, { actor }) => listAuditLog(deps, actor, query),
    exportAuditLogCsv: ({ query }, context) => exportCsv(deps, context, query),
    exportAuditLogNdjson: ({ query }, context) => exportNdjson(deps, context, query),
    listAuditActions: () => AUDIT_ACTION_NAMES.map((action) => ({ action, label: AUDIT_ACTIONS[action].label })),
  });
}
