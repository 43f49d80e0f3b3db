import { runStatement } from '#platform/db/statements.ts';
import { defineKind } from './kind.ts';

export const webhooks = defineKind({
  name: 'webhooks',
  about: 'Webhook endpoints, without their secrets.',
  reach: 'partner',
  read: (tx, scope, after, limit) =>
    runStatement<'export_webhooks'>(tx, {
      name: 'export_webhooks',
      prepare: false,
      text: `select t.id, t.url, t.is_active, t.events, t.failure_streak, t.last_delivery_at, t.last_delivery_status, t.created_at, t.updated_at,
          t.deleted_at
        from webhook_endpoint t
        where t.partner_id = $1 and ($2::uuid is null) and ($3::uuid is null or t.id > $3)
        order by t.id limit $4`,
      values: [scope.partnerId, scope.clientId, after, limit],
    }),
  columns: {
    id: 'value',
    url: 'value',
    isActive: 'value',
    events: 'value',
    failureStreak: 'value',
    lastDeliveryAt: 'value',
    lastDeliveryStatus: 'value',
    createdAt: 'value',
    updatedAt: 'value',
    deletedAt: 'value',
  },
});
