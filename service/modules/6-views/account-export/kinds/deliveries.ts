import { DELIVERY_DAYS } from '@partner-portal/core/trust/retention.ts';
import { runStatement } from '#platform/db/statements.ts';
import { defineKind } from './kind.ts';

export const deliveries = defineKind({
  name: 'deliveries',
  about: `What was sent to webhooks in the last ${DELIVERY_DAYS} days, with every attempt.`,
  reach: 'partner',
  batch: 100,
  read: (tx, scope, after, limit) =>
    runStatement<'export_deliveries'>(tx, {
      name: 'export_deliveries',
      prepare: false,
      text: `select t.id, t.endpoint_id, t.event_id, t.event_type, t.status, t.reason, t.redelivery_of, t.body,
          (select jsonb_agg(jsonb_build_object('n', a.n, 'at', a.at, 'httpStatus', a.http_status, 'error', a.error,
          'durationMs', a.duration_ms, 'response',
          a.response_preview, 'signature', a.signature) order by a.n) from delivery_attempt a where a.delivery_id = t.id)::text as attempts,
          t.created_at, t.finished_at
        from delivery t
        where t.partner_id = $1 and ($2::uuid is null) and ($3::uuid is null or t.id > $3)
          and t.id >= uuid_floor(now() - make_interval(days => ${DELIVERY_DAYS}))
        order by t.id limit $4`,
      values: [scope.partnerId, scope.clientId, after, limit],
    }),
  async count(tx, scope) {
    const [row] = await runStatement<'export_deliveries_count', { count: number }>(tx, {
      name: 'export_deliveries_count',
      prepare: false,
      text: `select count(*) as count from delivery t where t.partner_id = $1 and ($2::uuid is null)
          and t.id >= uuid_floor(now() - make_interval(days => ${DELIVERY_DAYS}))`,
      values: [scope.partnerId, scope.clientId],
    });
    return row?.count ?? 0;
  },
  columns: {
    id: 'value',
    endpointId: 'value',
    eventId: 'value',
    eventType: 'value',
    status: 'value',
    reason: 'value',
    redeliveryOf: 'value',
    body: 'value',
    attempts: 'json',
    createdAt: 'value',
    finishedAt: 'value',
  },
});
