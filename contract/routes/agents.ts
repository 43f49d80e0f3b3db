import { z } from 'zod';
import { defineRoute } from '../define-route.ts';
import { id, idParams, jsonObject, page, pageQuery, text } from '../primitives.ts';
import { agentRecord, catalogEntry } from '../records.ts';
import { AGENT_HEALTH } from '../vocabulary.ts';
import { anyone, partnerOrClientWrite, partnerWrite, staffOrPartnerWrite, staffWrite } from './access.ts';

const templateParams = z.object({ templateName: z.string().max(80) });

export const agentRoutes = {
  listCatalog: defineRoute({
    method: 'GET', path: '/agents/catalog', tag: 'agents', summary: 'Templates, with readiness for a chosen client', access: anyone, limit: 'caller',
    query: z.object({ category: z.string().max(60).optional(), q: z.string().max(120).optional(), clientId: id.optional(), partnerId: id.optional() }),
    reply: { 200: z.array(catalogEntry) }, errors: ['invalid_query', 'scope_forbidden', 'not_found'],
  }),
  getCatalogEntry: defineRoute({
    method: 'GET', path: '/agents/catalog/:templateName', tag: 'agents', summary: 'One template', access: anyone, limit: 'caller', params: templateParams,
    query: z.object({ clientId: id.optional(), partnerId: id.optional() }), reply: { 200: catalogEntry }, errors: ['not_found', 'scope_forbidden'],
  }),
  listAgents: defineRoute({
    method: 'GET', path: '/agents', tag: 'agents', summary: 'Agents in scope', access: anyone, limit: 'caller',
    query: pageQuery.extend({ clientId: id.optional(), health: z.enum(AGENT_HEALTH).optional(), templateName: z.string().max(80).optional(), q: z.string().max(120).optional(), partnerId: id.optional() }),
    reply: { 200: page(agentRecord) }, errors: ['invalid_cursor', 'invalid_query', 'scope_forbidden', 'not_found'],
  }),
  getAgent: defineRoute({
    method: 'GET', path: '/agents/:id', tag: 'agents', summary: 'One agent', access: anyone, limit: 'caller', params: idParams, reply: { 200: agentRecord }, errors: ['not_found'],
  }),
  createAgent: defineRoute({
    method: 'POST', path: '/agents', tag: 'agents', summary: 'Add an agent; it is installed by provisioning', access: staffWrite, limit: 'caller',
    body: z.object({ partnerId: id, clientId: id.nullable().optional(), templateName: text(80), name: text(120).optional(), config: jsonObject.optional() }),
    reply: { 201: agentRecord }, errors: ['validation_failed', 'not_found', 'already_exists'], audit: 'agent.created',
  }),
  updateAgent: defineRoute({
    method: 'PATCH', path: '/agents/:id', tag: 'agents', summary: 'Change an agent', access: staffOrPartnerWrite, limit: 'caller', params: idParams,
    body: z.object({ name: text(120).optional(), isActive: z.boolean().optional(), config: jsonObject.optional(), clientCanPause: z.boolean().optional() }),
    reply: { 200: agentRecord }, errors: ['not_found', 'validation_failed', 'stale_record'], audit: 'agent.changed',
  }),
  pauseAgent: defineRoute({
    method: 'POST', path: '/agents/:id/pause', tag: 'agents', summary: 'Switch an agent off', access: partnerOrClientWrite, limit: 'caller', params: idParams,
    reply: { 200: agentRecord }, errors: ['not_found', 'role_forbidden'], audit: 'agent.paused',
  }),
  resumeAgent: defineRoute({
    method: 'POST', path: '/agents/:id/resume', tag: 'agents', summary: 'Switch an agent on', access: partnerOrClientWrite, limit: 'caller', params: idParams,
    reply: { 200: agentRecord }, errors: ['not_found', 'role_forbidden'], audit: 'agent.resumed',
  }),
  testAgent: defineRoute({
    method: 'POST', path: '/agents/:id/test', tag: 'agents', summary: 'Preview what each step would send; nothing is sent', access: partnerWrite, limit: 'caller', params: idParams,
    body: z.object({ input: jsonObject.optional(), config: jsonObject.optional(), dryRun: z.literal(true).default(true) }),
    reply: { 200: z.object({ input: jsonObject, steps: z.array(z.object({ name: z.string(), label: z.string(), kind: z.string(), rendered: z.json() })) }) },
    errors: ['not_found', 'validation_failed', 'missing_input'], audit: 'agent.previewed',
  }),
};
