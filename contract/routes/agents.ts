import { z } from 'zod';
import { csvOf } from '../csv-of.ts';
import { defineRoute } from '../define-route.ts';
import { id, idParams, jsonObject, nothing, page, pageQuery, searchText, text } from '../primitives.ts';
import { bulkRequestReply, bulkSwitchReply, copyPreview } from '../records/agent-copy.ts';
import { agentRecord, catalogEntry, DATE_ORDERS, eventIdFrom } from '../records/agent.ts';
import { AGENT_HEALTH, LIMITS } from '../vocabulary.ts';
import { anyone, partner, partnerOrClientWrite, partnerWrite, staffOrPartnerWrite, staffWrite } from './access.ts';

const templateParams = z.object({ templateName: z.string().max(80) });

const clientIds = z.array(id).min(1).max(LIMITS.bulkRequestMax);

const filters = {
  clientId: id.optional(),
  health: z.enum(AGENT_HEALTH).optional(),
  templateName: z.string().max(80).optional(),
  q: searchText(120).optional(),
  partnerId: id.optional(),
};

const listAgents = defineRoute({
  method: 'GET',
  path: '/agents',
  tag: 'agents',
  summary: 'List agents in scope',
  access: anyone,
  query: pageQuery.extend(filters),
  reply: { 200: page(agentRecord) },
  errors: ['invalid_cursor', 'invalid_query', 'scope_forbidden', 'not_found'],
});

export const agentRoutes = {
  listCatalog: defineRoute({
    method: 'GET',
    path: '/agents/catalog',
    tag: 'agents',
    summary: 'List templates, with their readiness for a chosen client',
    access: anyone,
    query: z.object({
      category: z.string().max(60).optional(),
      q: searchText(120).optional(),
      clientId: id.optional(),
      partnerId: id.optional(),
    }),
    reply: { 200: z.array(catalogEntry) },
    errors: ['invalid_query', 'scope_forbidden', 'not_found'],
  }),
  getCatalogEntry: defineRoute({
    method: 'GET',
    path: '/agents/catalog/:templateName',
    tag: 'agents',
    summary: 'Get a template',
    access: anyone,
    params: templateParams,
    query: z.object({ clientId: id.optional(), partnerId: id.optional() }),
    reply: { 200: catalogEntry },
    errors: ['not_found', 'scope_forbidden'],
  }),
  listAgents,
  exportAgents: csvOf(listAgents),
  getAgent: defineRoute({
    method: 'GET',
    path: '/agents/:id',
    tag: 'agents',
    summary: 'Get an agent',
    access: anyone,
    params: idParams,
    reply: { 200: agentRecord },
    errors: ['not_found'],
  }),
  createAgent: defineRoute({
    method: 'POST',
    path: '/agents',
    tag: 'agents',
    summary: 'Add an agent; it is installed by provisioning',
    access: staffWrite,
    body: z.object({
      partnerId: id,
      clientId: id.nullable().optional(),
      templateName: text(80),
      name: text(LIMITS.nameMax).optional(),
      config: jsonObject.optional(),
    }),
    reply: { 201: agentRecord },
    errors: ['validation_failed', 'not_found', 'already_exists'],
    audit: 'agent.created',
  }),
  updateAgent: defineRoute({
    method: 'PATCH',
    path: '/agents/:id',
    tag: 'agents',
    summary: 'Change an agent',
    access: staffOrPartnerWrite,
    params: idParams,
    body: z.object({
      name: text(LIMITS.nameMax).optional(),
      isActive: z.boolean().optional(),
      config: jsonObject.optional(),
      clientCanPause: z.boolean().optional(),
      eventIdFrom: eventIdFrom.nullable().optional(),
      dateOrder: z.enum(DATE_ORDERS).nullable().optional(),
    }),
    reply: { 200: agentRecord },
    errors: ['not_found', 'validation_failed', 'stale_record'],
    audit: 'agent.changed',
  }),
  deleteAgent: defineRoute({
    method: 'DELETE',
    path: '/agents/:id',
    tag: 'agents',
    summary: 'Delete an agent: its flow leaves the engine, its runs are kept',
    access: staffOrPartnerWrite,
    params: idParams,
    reply: { 204: nothing },
    errors: ['not_found', 'provision_in_progress'],
    audit: 'agent.deleted',
  }),
  pauseAgent: defineRoute({
    method: 'POST',
    path: '/agents/:id/pause',
    tag: 'agents',
    summary: 'Switch an agent off',
    access: partnerOrClientWrite,
    params: idParams,
    reply: { 200: agentRecord },
    errors: ['not_found', 'role_forbidden'],
    audit: 'agent.paused',
  }),
  resumeAgent: defineRoute({
    method: 'POST',
    path: '/agents/:id/resume',
    tag: 'agents',
    summary: 'Switch an agent on',
    access: partnerOrClientWrite,
    params: idParams,
    reply: { 200: agentRecord },
    errors: ['not_found', 'role_forbidden'],
    audit: 'agent.resumed',
  }),
  testAgent: defineRoute({
    method: 'POST',
    path: '/agents/:id/test',
    tag: 'agents',
    summary: 'Preview what each step would send; nothing is sent',
    access: partnerWrite,
    params: idParams,
    body: z.object({ input: jsonObject.optional(), config: jsonObject.optional(), dryRun: z.literal(true).default(true) }),
    bodyLimit: LIMITS.previewBodyBytesMax,
    reply: {
      200: z.object({
        input: jsonObject,
        steps: z.array(z.object({ name: z.string(), label: z.string(), kind: z.string(), rendered: z.json() })),
        notTexted: z
          .array(z.object({ reason: z.string(), message: z.string() }))
          .default([])
          .describe('Why a run of now with this input is certain to text no person; empty when none of these reasons is known'),
      }),
    },
    errors: ['not_found', 'validation_failed', 'missing_input', 'invalid_input'],
    audit: 'agent.previewed',
  }),
  switchAgents: defineRoute({
    method: 'POST',
    path: '/agents/bulk',
    tag: 'agents',
    summary: 'Switch many agents on or off; an agent that is not yours is reported as not found and does not stop the others',
    access: partnerWrite,
    body: z
      .object({ ids: z.array(id).min(1).max(LIMITS.bulkSwitchMax), isActive: z.boolean() })
      .meta({ examples: [{ ids: ['0198c2f4-7a10-7c3e-9b52-4f1d2a6e8c01'], isActive: false }] }),
    reply: { 200: bulkSwitchReply },
    errors: ['validation_failed'],
    audit: 'agent.switched',
  }),
  previewCopies: defineRoute({
    method: 'POST',
    path: '/agents/:id/copies/preview',
    tag: 'agents',
    summary: 'Get what other clients would get of a copied agent, and what each lacks',
    access: { ...partner, inViewAs: true },
    params: idParams,
    body: z.object({ clientIds, config: jsonObject.optional() }),
    reply: { 200: copyPreview },
    errors: ['not_found', 'validation_failed', 'invalid_state'],
    changesNothing: 'Shows what a copy would be like.',
  }),
  copyAgent: defineRoute({
    method: 'POST',
    path: '/agents/:id/copies',
    tag: 'agents',
    summary: 'Request a copy of an agent for other clients; staff approve and install each',
    access: partnerWrite,
    params: idParams,
    /** `config` replaces settings of every copy. */
    body: z.object({ clientIds, config: jsonObject.optional() }),
    reply: { 201: bulkRequestReply },
    errors: ['not_found', 'validation_failed', 'invalid_state'],
    audit: 'agent.copied',
    idempotent: true,
  }),
};
