import { z } from 'zod';
import { id, jsonObject, time } from '../primitives.ts';
import { ATTEMPT_ERRORS, DELIVERY_REASONS, DELIVERY_STATUSES, EVENT_TYPES, RECOVERY_STATUSES } from '../vocabulary.ts';

/** Records of outbound webhooks. See docs/behaviour/webhooks.md. */

/** Event types that an endpoint is sent; empty: all, also those of later versions. */
export const endpointEvents = z.array(z.enum(EVENT_TYPES)).max(EVENT_TYPES.length);

export const webhookEndpointRecord = z
  .object({
    id,
    url: z.string(),
    isActive: z.boolean(),
    events: endpointEvents,
    createdAt: time,
    updatedAt: time,
    lastDelivery: z.object({ status: z.enum(DELIVERY_STATUSES), at: time }).nullable(),
    /** Deliveries that failed in a row. */
    failureStreak: z.number().int(),
    /** How the newest deliveries went, newest first. */
    recent: z.array(z.enum(DELIVERY_STATUSES)),
  })
  .meta({ id: 'WebhookEndpoint' });

/** Response to a registration: the only one that contains the secret. */
export const webhookRegistration = z
  .object({ id, url: z.string(), isActive: z.boolean(), secret: z.string(), createdAt: time })
  .meta({ id: 'WebhookRegistration' });

/** The cause and the remedy, for the person who owns the endpoint. */
const explanation = z.object({ message: z.string(), hint: z.string() });

export const deliveryAttempt = z.object({
  n: z.number().int(),
  at: time,
  httpStatus: z.number().int().nullable(),
  /** Null while in progress. */
  durationMs: z.number().int().nullable(),
  error: z.enum(ATTEMPT_ERRORS).nullable(),
  explanation: explanation.nullable(),
  /** At most 1 KiB of the response. */
  responsePreview: z.string().nullable(),
  /** `X-Service-Signature` as it was sent: `t=<unix seconds>,v1=<hex>`. Null until the attempt has ended, and when a crash interrupted it. */
  signature: z.string().nullable(),
});

/** The event's id as in the envelope. */
export const eventId = z.string().regex(/^evt_[0-9A-HJKMNP-TV-Z]{26}$/);

export const deliveryRecord = z
  .object({
    id,
    endpointId: id,
    eventId,
    eventType: z.enum(EVENT_TYPES),
    status: z.enum(DELIVERY_STATUSES),
    reason: z.enum(DELIVERY_REASONS).nullable(),
    explanation: explanation.nullable(),
    createdAt: time,
    finishedAt: time.nullable(),
    nextAttemptAt: time.nullable(),
    attemptCount: z.number().int(),
    maxAttempts: z.number().int(),
    attempts: z.array(deliveryAttempt),
    /** The exact text that is signed and sent. */
    requestBody: z.string(),
    redeliveryOf: id.nullable(),
    recoveryId: id.nullable(),
  })
  .meta({ id: 'WebhookDelivery' });

export const recoveryRecord = z
  .object({
    id,
    endpointId: id,
    since: time,
    until: time,
    status: z.enum(RECOVERY_STATUSES),
    /** Number of deliveries to send when it started. */
    total: z.number().int(),
    queued: z.number().int(),
    delivered: z.number().int(),
    failed: z.number().int(),
    pending: z.number().int(),
    createdAt: time,
    finishedAt: time.nullable(),
  })
  .meta({ id: 'WebhookRecovery' });

/** A day in the agency's time zone. A delivery counts on the day it was made, redeliveries as well. */
export const deliveryDay = z
  .object({ date: z.iso.date(), delivered: z.number().int(), failed: z.number().int(), pending: z.number().int() })
  .meta({ id: 'DeliveryDay' });

export const recoverAnswer = z
  .object({
    count: z.number().int(),
    oldest: time.nullable(),
    newest: time.nullable(),
    /** Null for a dry run, and when there is nothing to send. */
    recovery: recoveryRecord.nullable(),
  })
  .meta({ id: 'WebhookRecoverAnswer' });

export const SNIPPET_LANGUAGES = ['node', 'python', 'php', 'ruby'] as const;

export const eventCatalogue = z
  .object({
    types: z.array(
      z.object({
        type: z.enum(EVENT_TYPES),
        when: z.string(),
        /** A complete envelope. */
        sample: jsonObject,
        /** JSON Schema of `data`. */
        dataSchema: jsonObject,
      }),
    ),
    verification: z.object({
      signatureHeader: z.string(),
      eventHeader: z.string(),
      toleranceSeconds: z.number().int(),
      snippets: z.array(z.object({ language: z.enum(SNIPPET_LANGUAGES), label: z.string(), code: z.string() })),
    }),
  })
  .meta({ id: 'WebhookEventCatalogue' });

/** An endpoint as staff see it. */
export const staffWebhookEndpoint = webhookEndpointRecord
  .omit({ recent: true })
  .extend({
    partnerId: id,
    partnerName: z.string(),
    /** The partner's support address, else one of its admins. */
    contactEmail: z.string().nullable(),
    delivered24h: z.number().int(),
    failed24h: z.number().int(),
    pending: z.number().int(),
  })
  .meta({ id: 'StaffWebhookEndpoint' });
