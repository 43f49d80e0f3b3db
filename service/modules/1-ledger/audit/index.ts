import { defineCron } from '#platform/jobs/define-job.ts';
import type { ReadDeps } from './list-entries.ts';
import { auditHandlers } from './routes.ts';
import { deleteOldLooks } from './store-looks.ts';

export { type AuditEntry, auditRecorded, changesBetween, type Origin, originOf, recordAudit, recordAudits } from './record-audit.ts';
export { recordListLook, recordLook, recordLooks } from './record-look.ts';
export { recordRefusal } from './record-refusal.ts';

/** Reads and exports the audit log. Other modules write it with `recordAudit`. */
export function auditLog(deps: ReadDeps) {
  return {
    routes: auditHandlers(deps),
    crons: [
      defineCron('audit.forget-looks', '17 3 * * *', async () => {
        while (await deps.db.asSystem('sweep', deleteOldLooks));
      }),
    ],
  };
}
