import { answer } from '#platform/http/answer.ts';
import { defineHandlers, type RequestContext } from '#platform/http/context.ts';
import { CSV_PAGE, type CsvColumns, csvOfList } from '#platform/http/csv-list.ts';
import { changeEndpoint, deleteEndpoint } from './endpoints/change-endpoint.ts';
import type { ManageDeps } from './deps.ts';
import { listEventTypes } from './endpoints/list-event-types.ts';
import { readDeliveries, readDeliveryDays } from './delivery/read-deliveries.ts';
import { readEndpoints, readEndpointsForStaff } from './endpoints/read-endpoints.ts';
import { cancelRecovery, readRecoveries, recoverDeliveries, type RecoverInput } from './recovery/recover-deliveries.ts';
import { registerEndpoint } from './endpoints/register-endpoint.ts';
import { redeliver, sendTest } from './delivery/resend.ts';
import { streamDeliveries } from './delivery/stream-deliveries.ts';

type StaffEndpoint = Awaited<ReturnType<typeof readEndpointsForStaff>>['data'][number];
const ENDPOINT_COLUMNS: CsvColumns<StaffEndpoint> = [
  ['id', (row) => row.id],
  ['partnerId', (row) => row.partnerId],
  ['partnerName', (row) => row.partnerName],
  ['url', (row) => row.url],
  ['isActive', (row) => row.isActive],
  ['events', (row) => row.events.join(' ')],
  ['failureStreak', (row) => row.failureStreak],
  ['lastStatus', (row) => row.lastDelivery?.status ?? null],
  ['lastAt', (row) => row.lastDelivery?.at ?? null],
  ['delivered24h', (row) => row.delivered24h],
  ['failed24h', (row) => row.failed24h],
  ['pending', (row) => row.pending],
  ['contactEmail', (row) => row.contactEmail],
  ['createdAt', (row) => row.createdAt],
];

export function webhookHandlers(deps: ManageDeps) {
  return defineHandlers({
    createWebhook: ({ body }, context) => registerEndpoint(deps, context, body),
    listWebhooks: (_input, { actor }) => readEndpoints(deps, actor),
    updateWebhook: ({ params, body }, context) => changeEndpoint(deps, context, params.id, body),
    deleteWebhook: async ({ params }, context) => {
      await deleteEndpoint(deps, context, params.id);
      return undefined;
    },
    listDeliveries: ({ params }, { actor }) => readDeliveries(deps, actor, params.id),
    listDeliveryDays: ({ params }, { actor }) => readDeliveryDays(deps, actor, params.id),
    streamDeliveries: ({ params }, { actor }) => streamDeliveries(deps, actor, params.id),
    testWebhook: ({ params }, context) => sendTest(deps, context, params.id),
    redeliver: ({ params }, context) => redeliver(deps, context, params.id, params.deliveryId),
    recoverDeliveries: ({ params, body }, context) => recover(deps, context, params.id, body),
    listRecoveries: ({ params }, { actor }) => readRecoveries(deps, actor, params.id),
    cancelRecovery: ({ params }, context) => cancelRecovery(deps, context, params.id, params.recoveryId),
    listEventTypes: () => listEventTypes(),
    listWebhookEndpoints: ({ query }, { actor }) => readEndpointsForStaff(deps, actor, query),
    exportWebhookEndpoints: ({ query }, { actor, now }) =>
      csvOfList({ name: 'webhook-endpoints', now }, ENDPOINT_COLUMNS, (cursor) =>
        readEndpointsForStaff(deps, actor, { ...query, limit: CSV_PAGE, cursor }),
      ),
  });
}

/** 202 when a recovery was started, 200 after a dry run or when nothing was missed. */
async function recover(deps: ManageDeps, context: RequestContext, id: string, input: RecoverInput) {
  const { isStarted, answer: body } = await recoverDeliveries(deps, context, id, input);
  return answer(isStarted ? 202 : 200, body);
}
