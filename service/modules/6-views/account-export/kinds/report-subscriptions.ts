import { runStatement } from '#platform/db/statements.ts';
import { defineKind } from './kind.ts';

export const reportSubscriptions = defineKind({
  name: 'report-subscriptions',
  about: 'Who chose to get the monthly report of a client, or not to.',
  reach: 'agency',
  read: (tx, scope, after, limit) =>
    runStatement<'export_report_subscriptions'>(tx, {
      name: 'export_report_subscriptions',
      prepare: false,
      text: `select s.* from (
          select t.client_id || ' ' || t.user_id as id, t.client_id, t.user_id, t.is_subscribed, t.changed_at
          from report_subscription t where t.partner_id = $1 and ($2::uuid is null or t.client_id = $2)) s
        where ($3::text is null or s.id > $3) order by s.id limit $4`,
      values: [scope.partnerId, scope.clientId, after, limit],
    }),
  columns: { id: 'value', clientId: 'value', userId: 'value', isSubscribed: 'value', changedAt: 'value' },
});
