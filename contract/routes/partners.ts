import { z } from 'zod';
import { csvOf } from '../csv-of.ts';
import { defineRoute } from '../define-route.ts';
import {
  colour,
  email,
  id,
  idList,
  idParams,
  optionalText,
  page,
  pageQuery,
  slug,
  text,
  time,
  timezone,
  webAddress,
  searchText,
} from '../primitives.ts';
import { executionRow } from '../records/execution.ts';
import { invitationWithLink } from '../records/invitation.ts';
import { quotaRecord } from '../records/metering.ts';
import { partnerRecord, partnerRow } from '../records/partner.ts';
import { planOverrides } from '../records/plan.ts';
import { partnerAutomation } from '../records/provisioning.ts';
import { ALERT_STATUSES, INSTANCE_STATUSES, LIMITS, ONBOARDING_KEYS, PARTNER_STATUSES } from '../vocabulary.ts';
import { partner, partnerWrite, staff, staffWrite } from './access.ts';

const attention = z.object({
  kind: z.enum([
    'agent_failing',
    'missing_key',
    'agent_silent',
    'setup_failed',
    'key_failing',
    'request_waiting',
    'account_request',
    'quota',
    'webhook_failing',
    'sso_certificate',
    'credential_unverified',
    'chatbot_failing',
    'chatbot_budget',
    'first_contacts',
  ]),
  /** The open alert about it, if any. */
  alert: z.object({ id, status: z.enum(ALERT_STATUSES) }).nullable(),
  title: z.string(),
  subject: z.string().nullable(),
  detail: z.string(),
  action: z.string(),
  href: z.string(),
  since: time.nullable(),
});
const checklistItem = z.object({
  key: z.enum(ONBOARDING_KEYS),
  label: z.string(),
  done: z.boolean(),
  dismissedAt: time.nullable(),
  href: z.string(),
  action: z.string(),
});
/** Everything the partner's overview page shows, in one call. */
const summary = z
  .object({
    now: time,
    timezone: z.string(),
    counts: z.object({ clients: z.number().int(), agents: z.number().int(), agentsOn: z.number().int(), agentsFailing: z.number().int() }),
    today: z.object({
      runs: z.number().int(),
      succeeded: z.number().int(),
      failed: z.number().int(),
      running: z.number().int(),
      lastWeekByNow: z.number().int(),
      textsSent: z.number().int(),
      peopleReached: z.number().int(),
      hoursSaved: z.number(),
      hoursSavedMonth: z.number(),
      failureCauses: z.number().int(),
      byHour: z.array(z.object({ hour: z.number().int(), runs: z.number().int(), failed: z.number().int(), lastWeek: z.number().int() })),
    }),
    quota: quotaRecord,
    topClients: z.array(z.object({ id: id.nullable(), name: z.string(), credits: z.number().int() })),
    attention: z.array(attention),
    hasMoreAttention: z.boolean().describe('Whether there may be more of a kind than `attention` lists'),
    /** Unresolved alerts. */
    openAlerts: z.number().int(),
    checklist: z.array(checklistItem),
    checklistDismissedAt: time.nullable(),
    /** Until when what is shown is the made-up past of the quick start's agency; null without one. */
    sampleDataEndsAt: time.nullable(),
    setup: partnerAutomation.nullable(),
    latestRuns: z.array(executionRow),
  })
  .meta({ id: 'PartnerSummary' });

/** How much there is on the pages of the agency; requests are the open ones. */
const navigationCounts = z
  .object({ clients: z.number().int(), agents: z.number().int(), requests: z.number().int() })
  .meta({ id: 'NavigationCounts' });

/** Runs of the clients that have most, by day. */
const clientsActivity = z
  .object({
    timezone: z.string(),
    /** The thirty days up to today in the agency's time zone, oldest first; the figures of each client follow their order. */
    days: z.array(z.iso.date()),
    clients: z.array(
      z.object({
        id,
        name: z.string(),
        runs: z.number().int(),
        failed: z.number().int(),
        byDay: z.array(z.object({ runs: z.number().int(), failed: z.number().int() })),
      }),
    ),
    /** Clients with runs in these days, also those beyond the fifty listed. */
    total: z.number().int(),
  })
  .meta({ id: 'ClientsActivity' });

/** Runs by day of some clients or agents; those without a run in these days, and those of others, are left out. */
const activity = z
  .object({
    timezone: z.string(),
    /** The thirty days up to today in the agency's time zone, oldest first; the figures follow their order. */
    days: z.array(z.iso.date()),
    rows: z.array(z.object({ id, byDay: z.array(z.object({ runs: z.number().int(), failed: z.number().int() })) })),
  })
  .meta({ id: 'Activity' });

const filters = {
  q: searchText(120).optional(),
  status: z.enum(PARTNER_STATUSES).optional(),
  planId: id.optional(),
  automationStatus: z.enum(INSTANCE_STATUSES).optional(),
};

const listPartners = defineRoute({
  method: 'GET',
  path: '/partners',
  tag: 'partners',
  summary: 'List all agencies',
  access: staff,
  query: pageQuery.extend(filters),
  reply: { 200: page(partnerRow) },
  errors: ['invalid_cursor', 'invalid_query'],
});

export const partnerRoutes = {
  listPartners,
  exportPartners: csvOf(listPartners),
  createPartner: defineRoute({
    method: 'POST',
    path: '/partners',
    tag: 'partners',
    summary: 'Create an agency workspace and invite its owner',
    access: staffWrite,
    body: z.object({
      name: text(LIMITS.nameMax),
      slug,
      ownerEmail: email,
      ownerName: text(LIMITS.nameMax),
      planId: id,
      overrides: planOverrides.optional(),
      trialDays: z.number().int().min(1).max(365).optional(),
      timezone: timezone.optional(),
    }),
    reply: { 201: z.object({ partner: partnerRecord, invitation: invitationWithLink }) },
    errors: ['validation_failed', 'already_exists', 'email_in_use', 'not_found'],
    audit: 'partner.created',
  }),
  getPartner: defineRoute({
    method: 'GET',
    path: '/partners/:id',
    tag: 'partners',
    summary: 'Get an agency',
    access: staff,
    params: idParams,
    reply: { 200: partnerRow },
    errors: ['not_found'],
  }),
  updatePartner: defineRoute({
    method: 'PATCH',
    path: '/partners/:id',
    tag: 'partners',
    summary: 'Change an agency',
    access: staffWrite,
    params: idParams,
    body: z.object({
      name: text(LIMITS.nameMax).optional(),
      slug: slug.optional(),
      automationProvider: optionalText(40).nullable().optional(),
      supportEmail: email.nullable().optional(),
      internalNotes: optionalText(4000).nullable().optional(),
    }),
    reply: { 200: partnerRow },
    errors: ['not_found', 'validation_failed', 'already_exists', 'stale_record', 'invalid_state'],
    audit: 'partner.changed',
  }),
  suspendPartner: defineRoute({
    method: 'POST',
    path: '/partners/:id/suspend',
    tag: 'partners',
    summary: 'Suspend an agency',
    access: staffWrite,
    params: idParams,
    body: z.object({ reason: text(500) }),
    reply: { 200: partnerRow },
    errors: ['not_found', 'validation_failed', 'invalid_state'],
    audit: 'partner.suspended',
  }),
  resumePartner: defineRoute({
    method: 'POST',
    path: '/partners/:id/resume',
    tag: 'partners',
    summary: 'Lift the suspension of an agency',
    access: staffWrite,
    params: idParams,
    reply: { 200: partnerRow },
    errors: ['not_found', 'invalid_state'],
    audit: 'partner.resumed',
  }),
  getMyPartner: defineRoute({
    method: 'GET',
    path: '/partners/me',
    tag: 'partners',
    summary: 'Get the caller’s agency',
    access: partner,
    reply: { 200: partnerRecord },
    errors: [],
  }),
  updateMyPartner: defineRoute({
    method: 'PATCH',
    path: '/partners/me',
    tag: 'partners',
    summary: 'Change the caller’s agency',
    access: partnerWrite,
    body: z.object({
      name: text(LIMITS.nameMax).optional(),
      brandColor: colour.nullable().optional(),
      supportEmail: email.nullable().optional(),
      website: webAddress.nullable().optional(),
      timezone: timezone.optional(),
      /** A media file with the purpose `logo`; null removes the logo. */
      logoMediaId: id.nullable().optional(),
    }),
    reply: { 200: partnerRecord },
    errors: ['validation_failed', 'stale_record'],
    audit: 'partner.changed',
  }),
  getMySummary: defineRoute({
    method: 'GET',
    path: '/partners/me/summary',
    tag: 'partners',
    summary: 'Get the dashboard in one call',
    access: partner,
    query: z.object({ clientId: id.optional() }),
    reply: { 200: summary },
    errors: ['not_found'],
  }),
  getActivity: defineRoute({
    method: 'GET',
    path: '/partners/me/activity',
    tag: 'partners',
    summary: 'Get runs and failures by day of some clients or agents, for thirty days',
    access: partner,
    query: z.object({ of: z.enum(['clients', 'agents']), ids: idList(LIMITS.pageMax) }),
    reply: { 200: activity },
    errors: ['invalid_query', 'not_found'],
  }),
  getMyCounts: defineRoute({
    method: 'GET',
    path: '/partners/me/counts',
    tag: 'partners',
    summary: 'Get the numbers beside the navigation',
    access: partner,
    reply: { 200: navigationCounts },
    errors: [],
  }),
  getClientsActivity: defineRoute({
    method: 'GET',
    path: '/partners/me/clients-activity',
    tag: 'partners',
    summary: 'Get the fifty clients with most runs, or most failures, of thirty days: runs and failures by day',
    access: partner,
    query: z.object({ sort: z.enum(['runs', 'failed']).default('runs') }),
    reply: { 200: clientsActivity },
    errors: ['invalid_query', 'not_found'],
  }),
};
