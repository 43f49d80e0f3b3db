import { z } from 'zod';
import { csvOf } from '../csv-of.ts';
import { defineRoute } from '../define-route.ts';
import { id, page, pageQuery, searchText, time } from '../primitives.ts';
import { readinessCell } from '../records/provisioning.ts';
import { rolloutRecord } from '../records/rollout.ts';
import { templateRecord } from '../records/template.ts';
import { LIMITS, REPORT_REFUSALS, SOURCE_MODES, TENANCY_MODES, WORK_ITEM_KINDS } from '../vocabulary.ts';
import { staff, staffOrPartner, staffWrite } from './access.ts';
import { workerState } from './health.ts';

const rolloutParams = z.object({ rolloutId: id });

const outboxFilters = { provider: z.string().max(40).optional(), q: searchText(120).optional() };

const workItem = z
  .object({
    kind: z.enum(WORK_ITEM_KINDS),
    itemId: id,
    partnerId: id.nullable(),
    partnerName: z.string().nullable(),
    title: z.string(),
    detail: z.string(),
    ownerId: id.nullable(),
    ownerName: z.string().nullable(),
    since: time,
  })
  .meta({ id: 'WorkItem' });

/** Counts shown in the staff navigation: agencies that are not deleted, and webhook endpoints whose newest deliveries failed. */
const staffCounts = z.object({ partners: z.number().int(), failingEndpoints: z.number().int() }).meta({ id: 'StaffCounts' });

/** Amounts of two months of UTC, net of credit notes: those of `GET /billing/revenue`. */
const monthRevenue = z.object({
  currency: z.string(),
  invoicedMinor: z.number().int(),
  paidMinor: z.number().int(),
  lastInvoicedMinor: z.number().int(),
  lastPaidMinor: z.number().int(),
});

/** Why an agency is at risk; at least one reason holds. */
const agencyAtRisk = z.object({
  partnerId: id,
  partnerName: z.string(),
  suspendedAt: time.nullable(),
  overdueInvoices: z.number().int(),
  trialEndsAt: time.nullable().describe(`Null unless the trial ends within ${LIMITS.trialSoonDays} days`),
  failingAgents: z.number().int().describe('Open alerts about agents that fail'),
  refusedKeys: z.number().int().describe('Open alerts about keys that a service refused'),
});

const failureCause = z.object({
  code: z.string(),
  cause: z.string(),
  runs: z.number().int(),
  agencies: z.number().int(),
  /** Those with most of these runs. */
  most: z.array(z.object({ partnerId: id, partnerName: z.string(), runs: z.number().int() })),
});

const staffOverview = z
  .object({
    now: time,
    weekFrom: time.describe('The first of the last seven days of UTC, today included'),
    revenue: z.array(monthRevenue),
    atRisk: z.object({ total: z.number().int(), agencies: z.array(agencyAtRisk) }),
    failures: z.object({
      causes: z.array(failureCause),
      isWhole: z.boolean().describe('False when only the newest 5,000 failed runs of the week were grouped'),
    }),
    week: z.object({
      runs: z.number().int(),
      failed: z.number().int(),
      runsBefore: z.number().int().describe('Runs of the seven days before, until the same hour'),
      newAgencies: z.number().int(),
      newAgents: z.number().int(),
      subscriptionChanges: z.number().int().describe('Entries of the audit log'),
    }),
  })
  .meta({ id: 'StaffOverview' });

const engineState = z.object({
  health: z.enum(['ok', 'degraded', 'down', 'disabled']),
  message: z.string().nullable(),
  responseMs: z.number().nullable(),
  version: z.string().nullable(),
  edition: z.string(),
  embedded: z.boolean(),
  enabled: z.boolean(),
  tenancyMode: z.enum(TENANCY_MODES),
  tenancyMessage: z.string().nullable().describe('What it means that agencies were set up in the other mode; null when none was'),
  baseUrl: z.string().nullable(),
  projectId: z.string().nullable(),
  session: z.object({ signedInAt: time.nullable(), expiresAt: time.nullable() }),
  runs24h: z.object({
    succeeded: z.number().int(),
    failed: z.number().int(),
    running: z.number().int(),
    timedOut: z.number().int(),
    waiting: z.number().int(),
  }),
  byHour: z.array(z.object({ at: time, succeeded: z.number().int(), failed: z.number().int() })),
  workers: workerState,
  stuckAttempts: z.number().int(),
  /** Reports to `POST /executions/webhook` that were refused in this hour and the 23 before it, the most frequent reason first. */
  callbackFailures: z.object({
    total: z.number().int(),
    byReason: z.array(z.object({ reason: z.enum(REPORT_REFUSALS), reports: z.number().int() })),
  }),
});

const listOutbox = defineRoute({
  method: 'GET',
  path: '/provisioning/outbox',
  tag: 'provisioning',
  summary: 'List the calls that the provider sandbox received',
  access: staff,
  query: pageQuery.extend(outboxFilters),
  reply: {
    200: page(
      z.object({
        id,
        at: time,
        provider: z.string(),
        method: z.string(),
        path: z.string(),
        body: z.string().nullable(),
        status: z.number().int(),
      }),
    ),
  },
  errors: ['not_found', 'invalid_query', 'invalid_cursor', 'service_unavailable'],
});

export const provisioningRoutes = {
  getWorkQueue: defineRoute({
    method: 'GET',
    path: '/provisioning/queue',
    tag: 'provisioning',
    summary: 'Get what waits for staff, the longest waiting first',
    access: staff,
    reply: { 200: z.array(workItem) },
    errors: [],
  }),
  getStaffCounts: defineRoute({
    method: 'GET',
    path: '/provisioning/counts',
    tag: 'provisioning',
    summary: 'Get the numbers beside the navigation of staff',
    access: staff,
    reply: { 200: staffCounts },
    errors: [],
  }),
  getStaffOverview: defineRoute({
    method: 'GET',
    path: '/provisioning/overview',
    tag: 'provisioning',
    summary: 'Get revenue, agencies at risk, failures by cause, and what changed in the last seven days',
    access: staff,
    reply: { 200: staffOverview },
    errors: [],
  }),
  assignWorkItem: defineRoute({
    method: 'POST',
    path: '/provisioning/queue/assign',
    tag: 'provisioning',
    summary: 'Take an item of the queue, or give it back',
    access: staffWrite,
    body: z.object({ kind: z.enum(WORK_ITEM_KINDS), itemId: id, assigned: z.boolean() }),
    reply: { 200: workItem },
    errors: ['validation_failed', 'not_found'],
    audit: 'work_item.assigned',
  }),
  preflight: defineRoute({
    method: 'POST',
    path: '/provisioning/preflight',
    tag: 'provisioning',
    summary: 'Get what would be missing; nothing is changed',
    access: { ...staffOrPartner, inViewAs: true },
    body: z.object({ partnerId: id.optional(), clientId: id.optional(), templateNames: z.array(z.string().max(80)).max(50).optional() }),
    reply: {
      200: z.object({
        ready: z.number().int(),
        total: z.number().int(),
        templates: z.array(
          z.object({
            templateName: z.string(),
            title: z.string(),
            clientId: id.nullable(),
            clientName: z.string().nullable(),
            workflowId: id.nullable(),
            creditsPerRun: z.number().int(),
            ready: z.boolean(),
            /** The keys it needs. All three are null when the key is missing, `savedAt` also for the platform's key, `checkedAt` also when it was never checked. */
            cells: z.array(
              readinessCell.extend({ sourceMode: z.enum(SOURCE_MODES).nullable(), savedAt: time.nullable(), checkedAt: time.nullable() }),
            ),
            /** Required settings that are empty. They keep no agent from being installed; its runs fail without them. */
            missingSettings: z.array(z.object({ key: z.string(), label: z.string() })),
            message: z.string().nullable(),
          }),
        ),
      }),
    },
    errors: ['not_found', 'validation_failed', 'scope_forbidden'],
    changesNothing: 'Says what a setup would lack; nothing is started or kept.',
  }),
  listTemplates: defineRoute({
    method: 'GET',
    path: '/provisioning/templates',
    tag: 'provisioning',
    summary: 'Get the catalog, and how many agencies run each version',
    access: staff,
    reply: {
      200: z.array(
        templateRecord.extend({
          adoption: z.array(z.object({ templateVersion: z.number().int(), partners: z.number().int(), workflows: z.number().int() })),
        }),
      ),
    },
    errors: [],
  }),
  listRollouts: defineRoute({
    method: 'GET',
    path: '/provisioning/rollouts',
    tag: 'provisioning',
    summary: 'List the newest roll-outs',
    access: staff,
    query: z.object({ templateName: z.string().max(80).optional() }),
    reply: { 200: z.array(rolloutRecord) },
    errors: ['invalid_query'],
  }),
  createRollout: defineRoute({
    method: 'POST',
    path: '/provisioning/rollouts',
    tag: 'provisioning',
    summary: 'Bring the newest version of a template to agencies, in batches; stops after three failures',
    access: staffWrite,
    body: z.object({
      templateName: z.string().max(80),
      partnerIds: z.union([z.literal('all'), z.array(id).min(1).max(500)]),
      batchSize: z.number().int().min(1).max(LIMITS.rolloutBatchMax).default(5),
    }),
    reply: { 201: rolloutRecord },
    errors: ['validation_failed', 'not_found', 'invalid_state', 'already_pending'],
    audit: 'rollout.started',
  }),
  getRollout: defineRoute({
    method: 'GET',
    path: '/provisioning/rollouts/:rolloutId',
    tag: 'provisioning',
    summary: 'Get the progress of a roll-out',
    access: staff,
    params: rolloutParams,
    reply: { 200: rolloutRecord },
    errors: ['not_found'],
  }),
  pauseRollout: defineRoute({
    method: 'POST',
    path: '/provisioning/rollouts/:rolloutId/pause',
    tag: 'provisioning',
    summary: 'Hold a roll-out after the batch under way, or let it go on',
    access: staffWrite,
    params: rolloutParams,
    body: z
      .object({ paused: z.boolean().optional().describe('false lets it go on; agencies that failed are tried again. True when left out.') })
      .optional(),
    reply: { 200: rolloutRecord },
    errors: ['not_found', 'invalid_state', 'already_pending', 'validation_failed'],
    audit: 'rollout.paused',
  }),
  getEngine: defineRoute({
    method: 'GET',
    path: '/provisioning/engine',
    tag: 'provisioning',
    summary: 'Get engine health, session, edition, tenancy mode, feature gate',
    access: staff,
    reply: { 200: engineState },
    errors: [],
  }),
  refreshEngine: defineRoute({
    method: 'POST',
    path: '/provisioning/engine/refresh',
    tag: 'provisioning',
    summary: 'Drop the session with the engine and log in again, once',
    access: staffWrite,
    reply: { 200: engineState },
    errors: ['engine_unavailable'],
    audit: 'engine.session_refreshed',
  }),
  exportOutbox: csvOf(listOutbox),
  listOutbox,
};
