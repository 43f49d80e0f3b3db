import { runStatement } from '#platform/db/statements.ts';
import { defineKind } from './kind.ts';

export const alertSettings = defineKind({
  name: 'alert-settings',
  about: 'When alerts open, and the IDs of the members who get them by mail.',
  reach: 'partner',
  read: (tx, scope, after, limit) =>
    runStatement<'export_alert_settings'>(tx, {
      name: 'export_alert_settings',
      prepare: false,
      text: `select t.id, r.failure_streak, r.silent_days, array(
            select a.user_id::text from alert_recipient a where a.partner_id = t.id order by a.user_id) as recipients
        from partner t left join alert_rules r on r.partner_id = t.id where t.id = $1 and ($2::uuid is null or t.id > $2)
        order by t.id limit $3`,
      values: [scope.partnerId, after, limit],
    }),
  columns: { id: 'value', failureStreak: 'value', silentDays: 'value', recipients: 'value' },
});
