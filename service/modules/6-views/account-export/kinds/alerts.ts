import { runStatement } from '#platform/db/statements.ts';
import { defineKind } from './kind.ts';

export const alerts = defineKind({
  name: 'alerts',
  about: 'Alerts that opened.',
  reach: 'agency',
  read: (tx, scope, after, limit) =>
    runStatement<'export_alerts'>(tx, {
      name: 'export_alerts',
      prepare: false,
      text: `select t.id, t.rule, t.severity, t.status, t.subject_type, t.subject_id, t.subject_label, t.message, t.note, t.client_id,
          t.opened_at, t.acknowledged_at, a.id as acknowledged_by, t.resolved_at, b.id as resolved_by, t.cleared_at
        from alert t left join app_user a on a.id = t.acknowledged_by left join app_user b on b.id = t.resolved_by
        where t.partner_id = $1 and ($2::uuid is null or t.client_id = $2) and ($3::uuid is null or t.id > $3)
        order by t.id limit $4`,
      values: [scope.partnerId, scope.clientId, after, limit],
    }),
  columns: {
    id: 'value',
    rule: 'value',
    severity: 'value',
    status: 'value',
    subjectType: 'value',
    subjectId: 'value',
    subjectLabel: 'value',
    message: 'value',
    note: 'value',
    clientId: 'value',
    openedAt: 'value',
    acknowledgedAt: 'value',
    acknowledgedBy: 'value',
    resolvedAt: 'value',
    resolvedBy: 'value',
    clearedAt: 'value',
  },
});
