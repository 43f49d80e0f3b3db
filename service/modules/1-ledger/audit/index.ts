import { AUDIT_ACTION_NAMES, AUDIT_ACTIONS } from '@partner-portal/contract/audit-actions.ts';
import { defineCron } from '#platform/jobs/define-job.ts';
import { defineHandlers } from '#platform/http/context.ts';
import { exportCsv, exportNdjson } from './export-entries.ts';
import { deleteOldLooks } from './record-look.ts';
import { listAuditLog, type ReadDeps } from './list-entries.ts';

export { type AuditEntry, auditRecorded, changesBetween, type Origin, originOf, recordAudit, recordAudits } from './record-audit.ts';
export { recordListLook, recordLook, recordLooks } from './record-look.ts';
export { recordRefusal } from './record-refusal.ts';

/** Reads and exports the audit log. Other modules write it with `recordAudit`. */
export function auditLog(deps: ReadDeps) {
  return {
    routes: defineHandlers({
      listAuditLog: ({ query }, { actor }) => listAuditLog(deps, actor, query),
      exportAuditLogCsv: ({ query }, context) => exportCsv(deps, context, query),
      exportAuditLogNdjson: ({ query }, context) => exportNdjson(deps, context, query),
      listAuditActions: () => AUDIT_ACTION_NAMES.map((action) => ({ action, label: AUDIT_ACTIONS[action].label })),
    }),
    crons: [
      defineCron('audit.forget-looks', '17 3 * * *', async () => {
        while (await deps.db.asSystem('sweep', deleteOldLooks));
      }),
    ],
  };
}
