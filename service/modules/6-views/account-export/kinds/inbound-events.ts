import { KEPT_DAYS } from '@partner-portal/core/trust/retention.ts';
import { runStatement } from '#platform/db/statements.ts';
import { defineKind } from './kind.ts';

const SHOWN_FROM = `now() - make_interval(days => ${KEPT_DAYS.incoming_calls})`;

export const inboundEvents = defineKind({
  name: 'inbound-events',
  about: 'Calls to the addresses of agents that were not accepted, of the last weeks.',
  reach: 'client',
  read: (tx, scope, after, limit) =>
    runStatement<'export_inbound_events'>(tx, {
      name: 'export_inbound_events',
      prepare: false,
      text: `select t.id, t.workflow_id, t.client_id, t.execution_id, t.received_at, t.outcome, t.reason, t.status,
          case when t.received_at > ${SHOWN_FROM} then t.sender_address end as sender_address,
          case when t.received_at > ${SHOWN_FROM} then t.body_preview end as body_preview,
          case when t.received_at > ${SHOWN_FROM} then t.remarks::text end as remarks
        from inbound_event t
        where t.partner_id = $1 and ($2::uuid is null or t.client_id = $2) and ($3::uuid is null or t.id > $3)
        order by t.id limit $4`,
      values: [scope.partnerId, scope.clientId, after, limit],
    }),
  async count(tx, scope) {
    const [row] = await runStatement<'export_inbound_events_count', { count: number }>(tx, {
      name: 'export_inbound_events_count',
      prepare: false,
      text: `select count(*) as count from inbound_event t where t.partner_id = $1 and ($2::uuid is null or t.client_id = $2)`,
      values: [scope.partnerId, scope.clientId],
    });
    return row?.count ?? 0;
  },
  columns: {
    id: 'value',
    workflowId: 'value',
    clientId: 'value',
    executionId: 'value',
    receivedAt: 'value',
    outcome: 'value',
    reason: 'value',
    status: 'value',
    senderAddress: 'agency',
    bodyPreview: 'agency',
    remarks: 'agencyJson',
  },
});
