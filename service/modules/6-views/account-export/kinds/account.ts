import { runStatement } from '#platform/db/statements.ts';
import { defineKind } from './kind.ts';

export const account = defineKind({
  name: 'account',
  about: 'The agency itself, with its plan.',
  reach: 'partner',
  read: (tx, scope, after, limit) =>
    runStatement<'export_account'>(tx, {
      name: 'export_account',
      prepare: false,
      text: `select t.id, t.name, t.slug, t.status, t.timezone, t.website, t.support_email, t.brand_color, t.suspended_at,
          t.suspension_reason, l.name as plan, s.status as subscription_status, s.current_period_start,
          s.current_period_end, t.created_at, t.updated_at
        from partner t left join subscription s on s.partner_id = t.id left join plan l on l.id = s.plan_id
        where t.id = $1 and ($2::uuid is null) and ($3::uuid is null or t.id > $3)
        order by t.id limit $4`,
      values: [scope.partnerId, scope.clientId, after, limit],
    }),
  columns: {
    id: 'value',
    name: 'value',
    slug: 'value',
    status: 'value',
    timezone: 'value',
    website: 'value',
    supportEmail: 'value',
    brandColor: 'value',
    suspendedAt: 'value',
    suspensionReason: 'value',
    plan: 'value',
    subscriptionStatus: 'value',
    currentPeriodStart: 'value',
    currentPeriodEnd: 'value',
    createdAt: 'value',
    updatedAt: 'value',
  },
});
