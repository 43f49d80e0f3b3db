import { z } from 'zod';
import { csvOf } from '../csv-of.ts';
import { defineRoute } from '../define-route.ts';
import {
  email,
  id,
  idParams,
  nothing,
  optionalText,
  page,
  pageQuery,
  searchText,
  text,
  time,
  timezone,
  webAddress,
} from '../primitives.ts';
import { agentRecord } from '../records/agent.ts';
import { businessProfileChange, clientRecord } from '../records/client.ts';
import { executionRow } from '../records/execution.ts';
import { invitationWithLink } from '../records/invitation.ts';
import { readinessRow } from '../records/provisioning.ts';
import { sessionPartner, userRecord } from '../records/user.ts';
import { AGENT_HEALTH, CLIENT_STATUSES, LIMITS, LOCALES } from '../vocabulary.ts';
import { client, clientWrite, partnerWrite, staffOrPartner, staffOrPartnerWrite } from './access.ts';

const clientBody = {
  contactName: optionalText(LIMITS.nameMax).nullable().optional(),
  contactEmail: email.nullable().optional(),
  phone: optionalText(32).nullable().optional(),
  website: webAddress.nullable().optional(),
  timezone: timezone.optional(),
  locale: z.enum(LOCALES).optional(),
  industry: optionalText(80).nullable().optional(),
  externalRef: optionalText(120).nullable().optional(),
  notes: optionalText(4000).nullable().optional(),
  businessProfile: businessProfileChange.optional(),
  textCountries: z.array(z.string().trim().max(40)).min(1).max(300).nullable().optional(),
  firstContactsPerHour: z.number().int().min(1).max(10_000).nullable().optional(),
};

/** Why a client is suspended, resumed or archived; kept in the audit log. */
const statusReason = z.object({ reason: optionalText(500).optional() });

const filters = {
  q: searchText(120).optional(),
  status: z.enum(CLIENT_STATUSES).optional(),
  health: z.enum(AGENT_HEALTH).optional(),
  partnerId: id.optional(),
};

const listClients = defineRoute({
  method: 'GET',
  path: '/clients',
  tag: 'clients',
  summary:
    'List clients in scope, newest first. Filtered by `health`, a page looks at 2,000 clients: it may be short or empty and still have a next one',
  access: staffOrPartner,
  query: pageQuery.extend(filters),
  reply: { 200: page(clientRecord) },
  errors: ['not_found', 'invalid_cursor', 'invalid_query', 'scope_forbidden'],
});

const listClientUsers = defineRoute({
  method: 'GET',
  path: '/clients/:id/users',
  tag: 'clients',
  summary: 'List the client-portal users of a client',
  access: staffOrPartner,
  params: idParams,
  query: pageQuery,
  reply: { 200: page(userRecord) },
  errors: ['not_found', 'invalid_cursor', 'invalid_query'],
});

export const clientRoutes = {
  listClients,
  exportClients: csvOf(listClients),
  createClient: defineRoute({
    method: 'POST',
    path: '/clients',
    tag: 'clients',
    summary: 'Add a client business',
    access: partnerWrite,
    body: z.object({ name: text(LIMITS.nameMax), ...clientBody, inviteEmail: email.optional() }).meta({
      examples: [
        {
          name: 'Oak Street Dental',
          contactName: 'Elena Ruiz',
          contactEmail: 'elena@oakstreet.example',
          phone: '+13125550100',
          timezone: 'America/Chicago',
          externalRef: 'crm-182',
          businessProfile: { hours: 'Mon-Fri 9:00-17:00', bookingUrl: 'https://oakstreet.example/book' },
          inviteEmail: 'elena@oakstreet.example',
        },
      ],
    }),
    reply: { 201: clientRecord.extend({ invitation: invitationWithLink.nullable() }) },
    errors: ['validation_failed', 'client_limit_reached', 'email_in_use', 'already_pending'],
    audit: 'client.created',
  }),
  getClient: defineRoute({
    method: 'GET',
    path: '/clients/:id',
    tag: 'clients',
    summary: 'Get a client',
    access: staffOrPartner,
    params: idParams,
    reply: { 200: clientRecord },
    errors: ['not_found'],
  }),
  updateClient: defineRoute({
    method: 'PATCH',
    path: '/clients/:id',
    tag: 'clients',
    summary: 'Change a client',
    access: staffOrPartnerWrite,
    params: idParams,
    body: z.object({ name: text(LIMITS.nameMax).optional(), ...clientBody }),
    reply: { 200: clientRecord },
    errors: ['not_found', 'validation_failed', 'stale_record'],
    audit: 'client.changed',
  }),
  suspendClient: defineRoute({
    method: 'POST',
    path: '/clients/:id/suspend',
    tag: 'clients',
    summary: 'Suspend a client',
    access: staffOrPartnerWrite,
    params: idParams,
    body: statusReason,
    reply: { 200: clientRecord },
    errors: ['not_found', 'invalid_state', 'validation_failed'],
    audit: 'client.suspended',
  }),
  resumeClient: defineRoute({
    method: 'POST',
    path: '/clients/:id/resume',
    tag: 'clients',
    summary: 'Resume a suspended client',
    access: staffOrPartnerWrite,
    params: idParams,
    body: statusReason.optional(),
    reply: { 200: clientRecord },
    errors: ['not_found', 'invalid_state', 'validation_failed'],
    audit: 'client.resumed',
  }),
  archiveClient: defineRoute({
    method: 'POST',
    path: '/clients/:id/archive',
    tag: 'clients',
    summary: 'Archive a client',
    access: staffOrPartnerWrite,
    params: idParams,
    body: statusReason.optional(),
    reply: { 200: clientRecord },
    errors: ['not_found', 'invalid_state', 'validation_failed'],
    audit: 'client.archived',
  }),
  getClientReadiness: defineRoute({
    method: 'GET',
    path: '/clients/:id/readiness',
    tag: 'clients',
    summary: 'List what is ready and what is missing, by agent and connection',
    access: staffOrPartner,
    params: idParams,
    reply: { 200: z.array(readinessRow) },
    errors: ['not_found'],
  }),
  listClientUsers,
  exportClientUsers: csvOf(listClientUsers),
  removeClientUser: defineRoute({
    method: 'DELETE',
    path: '/clients/:id/users/:userId',
    tag: 'clients',
    summary: 'Remove a client-portal user',
    access: staffOrPartnerWrite,
    params: z.object({ id, userId: id }),
    reply: { 204: nothing },
    errors: ['not_found'],
    audit: 'client_user.removed',
  }),
  getMyClient: defineRoute({
    method: 'GET',
    path: '/clients/me',
    tag: 'clients',
    summary: 'Get the caller’s business',
    access: client,
    reply: { 200: clientRecord },
    errors: [],
  }),
  updateMyClient: defineRoute({
    method: 'PATCH',
    path: '/clients/me',
    tag: 'clients',
    summary: 'Change the caller’s business profile',
    access: clientWrite,
    body: z.object({
      contactName: optionalText(LIMITS.nameMax).nullable().optional(),
      phone: optionalText(32).nullable().optional(),
      timezone: timezone.optional(),
      locale: z.enum(LOCALES).optional(),
      businessProfile: businessProfileChange.optional(),
    }),
    reply: { 200: clientRecord },
    errors: ['validation_failed', 'stale_record'],
    audit: 'client.changed',
  }),
  getMyClientSummary: defineRoute({
    method: 'GET',
    path: '/clients/me/summary',
    tag: 'clients',
    summary: 'Get the client home in one call',
    access: client,
    reply: {
      200: z
        .object({
          now: time,
          monthLabel: z.string(),
          hoursSavedMonth: z.number(),
          runsMonth: z.number().int(),
          failuresMonth: z.number().int(),
          /** Runs that succeeded, without those that ended early or asked no customer: `results`, `resultsOfAgents` and `byDay` add up to it. */
          resultsMonth: z.number().int(),
          partner: sessionPartner.extend({ supportEmail: z.string().nullable() }),
          results: z.array(z.object({ templateName: z.string(), icon: z.string(), count: z.number().int(), phrase: z.string() })),
          /** Every agent that ran this month, removed ones included. */
          resultsOfAgents: z.array(z.object({ workflowId: id, count: z.number().int() })),
          byDay: z.array(z.object({ date: z.string(), runs: z.number().int(), results: z.number().int(), failed: z.number().int() })),
          /** The same days of the month before; null when no agent helped then. */
          previous: z.object({ helped: z.number().int(), hoursSaved: z.number() }).nullable(),
          agents: z.array(agentRecord),
          latest: z.array(executionRow),
        })
        .meta({ id: 'ClientSummary' }),
    },
    errors: [],
  }),
};
