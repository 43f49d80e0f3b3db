import { STAFF_FIELDS } from '@partner-portal/core/audit/staff-fields.ts';
import { runStatement } from '#platform/db/statements.ts';
import { defineKind } from './kind.ts';

export const auditLog = defineKind({
  name: 'audit-log',
  about: 'Who did what, as far as it is stored. Platform staff appear without their names.',
  reach: 'agency',
  batch: 100,
  read: (tx, scope, after, limit) =>
    runStatement<'export_audit_log'>(tx, {
      name: 'export_audit_log',
      prepare: false,
      text: `select t.id, t.at, t.action, t.result, t.actor_type, case when t.actor_type <> 'staff' then t.actor_id end as actor_id,
          case when t.actor_type <> 'staff' then t.actor_email end as actor_email, t.client_id, t.target_type,
          t.target_id, t.target_label, (t.changes - $5::text[])::text as changes,
          case when t.actor_type <> 'staff' then t.ip end as ip,
          case when t.actor_type <> 'staff' then t.user_agent end as user_agent, t.request_id
        from audit_entry t
        where t.partner_id = $1 and ($2::uuid is null or t.client_id = $2) and ($3::uuid is null or t.id > $3)
        order by t.id limit $4`,
      values: [scope.partnerId, scope.clientId, after, limit, STAFF_FIELDS],
    }),
  async count(tx, scope) {
    const [row] = await runStatement<'export_audit_log_count', { count: number }>(tx, {
      name: 'export_audit_log_count',
      prepare: false,
      text: `select count(*) as count from audit_entry t where t.partner_id = $1 and ($2::uuid is null or t.client_id = $2)`,
      values: [scope.partnerId, scope.clientId],
    });
    return row?.count ?? 0;
  },
  columns: {
    id: 'value',
    at: 'value',
    action: 'value',
    result: 'value',
    actorType: 'value',
    actorId: 'value',
    actorEmail: 'value',
    clientId: 'value',
    targetType: 'value',
    targetId: 'value',
    targetLabel: 'value',
    changes: 'json',
    ip: 'value',
    userAgent: 'value',
    requestId: 'value',
  },
});
