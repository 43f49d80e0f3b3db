import { z } from 'zod';
import { defineRoute } from '../define-route.ts';
import { csvText, email, id, idParams, nothing, optionalText, page, pageQuery, text, time, timezone, webAddress } from '../primitives.ts';
import { agentRecord, businessProfileChange, clientRecord, executionRow, invitationWithLink, readinessRow, sessionPartner, userRecord } from '../records.ts';
import { AGENT_HEALTH, CLIENT_STATUSES } from '../vocabulary.ts';
import { client, clientWrite, partnerWrite, staffOrPartner, staffOrPartnerWrite } from './access.ts';

const clientBody = {
  contactName: optionalText(120).nullable().optional(), contactEmail: email.nullable().optional(), phone: optionalText(32).nullable().optional(),
  website: webAddress.nullable().optional(), timezone: timezone.optional(), industry: optionalText(80).nullable().optional(),
  externalRef: optionalText(120).nullable().optional(), notes: optionalText(4000).nullable().optional(), businessProfile: businessProfileChange.optional(),
};

const filters = { q: z.string().max(120).optional(), status: z.enum(CLIENT_STATUSES).optional(), health: z.enum(AGENT_HEALTH).optional(), partnerId: id.optional() };

export const clientRoutes = {
  listClients: defineRoute({
    method: 'GET', path: '/clients', tag: 'clients', summary: 'Clients in scope', access: staffOrPartner, limit: 'caller',
    query: pageQuery.extend(filters),
    reply: { 200: page(clientRecord) }, errors: ['not_found', 'invalid_cursor', 'invalid_query', 'scope_forbidden'],
  }),
  exportClients: defineRoute({
    method: 'GET', path: '/clients/export.csv', tag: 'clients', summary: 'The same list as CSV, streamed', access: staffOrPartner, limit: 'caller', query: z.object(filters), format: 'csv',
    reply: { 200: csvText }, errors: ['not_found', 'invalid_query', 'scope_forbidden'],
  }),
  createClient: defineRoute({
    method: 'POST', path: '/clients', tag: 'clients', summary: 'Add a client business', access: partnerWrite, limit: 'caller',
    body: z.object({ name: text(120), ...clientBody, inviteEmail: email.optional() }),
    reply: { 201: clientRecord.extend({ invitation: invitationWithLink.nullable() }) },
    errors: ['validation_failed', 'client_limit_reached', 'email_in_use', 'already_pending'], audit: 'client.created',
  }),
  getClient: defineRoute({
    method: 'GET', path: '/clients/:id', tag: 'clients', summary: 'One client', access: staffOrPartner, limit: 'caller', params: idParams,
    reply: { 200: clientRecord }, errors: ['not_found'],
  }),
  updateClient: defineRoute({
    method: 'PATCH', path: '/clients/:id', tag: 'clients', summary: 'Change a client', access: staffOrPartnerWrite, limit: 'caller', params: idParams,
    body: z.object({ name: text(120).optional(), ...clientBody }),
    reply: { 200: clientRecord }, errors: ['not_found', 'validation_failed', 'stale_record'], audit: 'client.changed',
  }),
  suspendClient: defineRoute({
    method: 'POST', path: '/clients/:id/suspend', tag: 'clients', summary: 'Suspend a client', access: staffOrPartnerWrite, limit: 'caller', params: idParams,
    body: z.object({ reason: optionalText(500).optional() }), reply: { 200: clientRecord }, errors: ['not_found', 'invalid_state', 'validation_failed'], audit: 'client.suspended',
  }),
  resumeClient: defineRoute({
    method: 'POST', path: '/clients/:id/resume', tag: 'clients', summary: 'Resume a suspended client', access: staffOrPartnerWrite, limit: 'caller', params: idParams,
    reply: { 200: clientRecord }, errors: ['not_found', 'invalid_state'], audit: 'client.resumed',
  }),
  archiveClient: defineRoute({
    method: 'POST', path: '/clients/:id/archive', tag: 'clients', summary: 'Archive a client', access: staffOrPartnerWrite, limit: 'caller', params: idParams,
    reply: { 200: clientRecord }, errors: ['not_found', 'invalid_state'], audit: 'client.archived',
  }),
  getClientReadiness: defineRoute({
    method: 'GET', path: '/clients/:id/readiness', tag: 'clients', summary: 'Agent × connection: what is ready and what is missing', access: staffOrPartner, limit: 'caller', params: idParams,
    reply: { 200: z.array(readinessRow) }, errors: ['not_found'],
  }),
  listClientUsers: defineRoute({
    method: 'GET', path: '/clients/:id/users', tag: 'clients', summary: 'Client-portal users of a client', access: staffOrPartner, limit: 'caller', params: idParams,
    reply: { 200: z.array(userRecord) }, errors: ['not_found'],
  }),
  removeClientUser: defineRoute({
    method: 'DELETE', path: '/clients/:id/users/:userId', tag: 'clients', summary: 'Remove a client-portal user', access: staffOrPartnerWrite, limit: 'caller',
    params: z.object({ id, userId: id }), reply: { 204: nothing }, errors: ['not_found'], audit: 'client_user.removed',
  }),
  getMyClient: defineRoute({
    method: 'GET', path: '/clients/me', tag: 'clients', summary: 'The own business', access: client, limit: 'caller', reply: { 200: clientRecord }, errors: [],
  }),
  updateMyClient: defineRoute({
    method: 'PATCH', path: '/clients/me', tag: 'clients', summary: 'Change the own business profile', access: clientWrite, limit: 'caller',
    body: z.object({ contactName: optionalText(120).nullable().optional(), phone: optionalText(32).nullable().optional(), timezone: timezone.optional(), businessProfile: businessProfileChange.optional() }),
    reply: { 200: clientRecord }, errors: ['validation_failed', 'stale_record'], audit: 'client.changed',
  }),
  getMyClientSummary: defineRoute({
    method: 'GET', path: '/clients/me/summary', tag: 'clients', summary: 'The client home in one call', access: client, limit: 'caller',
    reply: {
      200: z.object({
        now: time, monthLabel: z.string(), hoursSavedMonth: z.number(), runsMonth: z.number().int(), failuresMonth: z.number().int(), partner: sessionPartner.extend({ supportEmail: z.string().nullable() }),
        results: z.array(z.object({ templateName: z.string(), icon: z.string(), count: z.number().int(), phrase: z.string() })),
        byDay: z.array(z.object({ date: z.string(), runs: z.number().int(), failed: z.number().int() })),
        agents: z.array(agentRecord), latest: z.array(executionRow),
      }).meta({ id: 'ClientSummary' }),
    },
    errors: [],
  }),
};
