import { z } from 'zod';
import { csvOf } from '../csv-of.ts';
import { defineRoute } from '../define-route.ts';
import { csvText, id, idParams, nothing, page, pageQuery, queryFlag, text, time } from '../primitives.ts';
import { LIMITS } from '../vocabulary.ts';
import {
  deliveryDay,
  deliveryRecord,
  endpointEvents,
  eventCatalogue,
  eventId,
  recoverAnswer,
  recoveryRecord,
  staffWebhookEndpoint,
  webhookEndpointRecord,
  webhookRegistration,
} from '../records/webhook.ts';
import { partner, partnerWrite, staff, staffOrPartner } from './access.ts';

const tag = 'webhooks';
/** Validated by core/network/address.ts, which names the exact problem. */
const url = text(2048).meta({ examples: ['https://crm.example.com/in/agents'] });

const staffFilters = { failing: queryFlag.optional(), partnerId: id.optional() };

const listWebhookEndpoints = defineRoute({
  method: 'GET',
  path: '/webhooks/endpoints',
  tag,
  summary: 'List the endpoints of all agencies, newest first; `failing=true`: whose newest deliveries failed',
  access: staff,
  query: pageQuery.extend(staffFilters),
  reply: { 200: page(staffWebhookEndpoint) },
  errors: ['invalid_query', 'invalid_cursor', 'not_found'],
});

/** Outbound webhooks. See docs/behaviour/webhooks.md. */
export const webhookRoutes = {
  createWebhook: defineRoute({
    method: 'POST',
    path: '/partners/me/webhooks',
    tag,
    summary: `Register an endpoint (at most ${LIMITS.webhookEndpointsMax}); only this response shows the signing secret; \`events\` limits what is sent`,
    access: partnerWrite,
    body: z.object({ url, events: endpointEvents.optional() }),
    reply: { 201: webhookRegistration },
    errors: ['validation_failed', 'private_address', 'webhook_limit_reached'],
    audit: 'webhook.created',
  }),
  listWebhooks: defineRoute({
    method: 'GET',
    path: '/partners/me/webhooks',
    tag,
    summary: 'Get the endpoints of the agency, without their secrets',
    access: partner,
    reply: { 200: z.array(webhookEndpointRecord) },
    errors: [],
  }),
  updateWebhook: defineRoute({
    method: 'PATCH',
    path: '/partners/me/webhooks/:id',
    tag,
    summary:
      'Change the address or the event types that are sent, or switch an endpoint off or on; what was pending when it is switched off is kept and not sent',
    access: partnerWrite,
    params: idParams,
    body: z.object({ url: url.optional(), isActive: z.boolean().optional(), events: endpointEvents.optional() }),
    reply: { 200: webhookEndpointRecord },
    errors: ['not_found', 'validation_failed', 'private_address', 'stale_record'],
    audit: 'webhook.changed',
  }),
  deleteWebhook: defineRoute({
    method: 'DELETE',
    path: '/partners/me/webhooks/:id',
    tag,
    summary: 'Remove an endpoint; its secret is gone for good',
    access: partnerWrite,
    params: idParams,
    reply: { 204: nothing },
    errors: ['not_found'],
    audit: 'webhook.deleted',
  }),
  listDeliveries: defineRoute({
    method: 'GET',
    path: '/partners/me/webhooks/:id/deliveries',
    tag,
    summary: `List the newest ${LIMITS.deliveriesListed} deliveries with their attempts`,
    access: partner,
    params: idParams,
    reply: { 200: z.array(deliveryRecord) },
    errors: ['not_found'],
  }),
  listDeliveryDays: defineRoute({
    method: 'GET',
    path: '/partners/me/webhooks/:id/days',
    tag,
    summary:
      'Get the last fourteen days of the endpoint: how many deliveries arrived, failed or are pending; fewer days where they have more than the newest 10,000, which are counted',
    access: partner,
    params: idParams,
    reply: { 200: z.array(deliveryDay) },
    errors: ['not_found'],
  }),
  streamDeliveries: defineRoute({
    method: 'GET',
    path: '/partners/me/webhooks/:id/deliveries/stream',
    tag,
    summary: 'Stream the deliveries of the endpoint as they change: event `delivery` with the record as the list shows it',
    access: partner,
    format: 'events',
    params: idParams,
    reply: { 200: csvText },
    errors: ['not_found'],
  }),
  testWebhook: defineRoute({
    method: 'POST',
    path: '/partners/me/webhooks/:id/test',
    tag,
    summary: 'Send a synthetic `webhook.test` through the ordinary queue',
    access: partnerWrite,
    params: idParams,
    reply: { 202: z.object({ deliveryId: id, eventId, status: z.literal('pending') }) },
    errors: ['not_found', 'invalid_state'],
    audit: 'webhook.tested',
  }),
  redeliver: defineRoute({
    method: 'POST',
    path: '/partners/me/webhooks/:id/deliveries/:deliveryId/redeliver',
    tag,
    summary: 'Send one event again: a new delivery with the same event ID, freshly signed',
    access: partnerWrite,
    params: z.object({ id, deliveryId: id }),
    reply: { 202: deliveryRecord },
    errors: ['not_found', 'invalid_state'],
    audit: 'webhook.redelivered',
  }),
  recoverDeliveries: defineRoute({
    method: 'POST',
    path: '/partners/me/webhooks/:id/recover',
    tag,
    summary:
      'Send again what the endpoint missed in a window of time: in the order of the events, in small portions; 200 when nothing is begun',
    access: partnerWrite,
    params: idParams,
    body: z.object({ since: time, until: time.optional(), dryRun: z.boolean().default(false) }),
    reply: { 200: recoverAnswer, 202: recoverAnswer },
    errors: ['not_found', 'validation_failed', 'invalid_state', 'already_pending'],
    audit: 'webhook.recovery_started',
  }),
  listRecoveries: defineRoute({
    method: 'GET',
    path: '/partners/me/webhooks/:id/recoveries',
    tag,
    summary: 'List the newest recoveries of an endpoint and how far they are',
    access: partner,
    params: idParams,
    reply: { 200: z.array(recoveryRecord) },
    errors: ['not_found'],
  }),
  cancelRecovery: defineRoute({
    method: 'POST',
    path: '/partners/me/webhooks/:id/recoveries/:recoveryId/cancel',
    tag,
    summary: 'Stop a recovery: queued events that are not being sent are cancelled',
    access: partnerWrite,
    params: z.object({ id, recoveryId: id }),
    reply: { 200: recoveryRecord },
    errors: ['not_found', 'invalid_state'],
    audit: 'webhook.recovery_cancelled',
  }),
  listEventTypes: defineRoute({
    method: 'GET',
    path: '/webhooks/event-types',
    tag,
    summary: 'List every event type: when it fires, a sample, its schema; and how to check a signature in four languages',
    access: staffOrPartner,
    reply: { 200: eventCatalogue },
    errors: [],
  }),
  listWebhookEndpoints,
  exportWebhookEndpoints: csvOf(listWebhookEndpoints),
};
