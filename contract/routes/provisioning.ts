import { z } from 'zod';
import { defineRoute } from '../define-route.ts';
import { id, idParams, page, pageQuery, time } from '../primitives.ts';
import { instanceRecord, readinessCell, templateRecord } from '../records.ts';
import { TENANCY_MODES } from '../vocabulary.ts';
import { staff, staffOrPartner, staffWrite } from './access.ts';

export const provisioningRoutes = {
  preflight: defineRoute({
    method: 'POST', path: '/provisioning/preflight', tag: 'provisioning', summary: 'What would be missing; nothing is changed', access: staffOrPartner, limit: 'caller',
    body: z.object({ partnerId: id.optional(), clientId: id.optional(), templateNames: z.array(z.string().max(80)).max(50).optional() }),
    reply: { 200: z.object({ ready: z.number().int(), total: z.number().int(), templates: z.array(z.object({ templateName: z.string(), title: z.string(), clientId: id.nullable(), clientName: z.string().nullable(), workflowId: id.nullable(), ready: z.boolean(), cells: z.array(readinessCell), message: z.string().nullable() })) }) },
    errors: ['not_found', 'validation_failed', 'scope_forbidden'],
  }),
  listTemplates: defineRoute({
    method: 'GET', path: '/provisioning/templates', tag: 'provisioning', summary: 'The catalogue, and how many agencies run each version', access: staff, limit: 'caller',
    reply: { 200: z.array(templateRecord.extend({ adoption: z.array(z.object({ templateVersion: z.number().int(), partners: z.number().int(), workflows: z.number().int() })) })) }, errors: [],
  }),
  verifyAutomation: defineRoute({
    method: 'POST', path: '/partners/:id/automation/verify', tag: 'automation-provisioning', summary: 'Compare every installed flow with its template; nothing is changed in the engine', access: staffWrite, limit: 'caller', params: idParams,
    reply: { 200: instanceRecord }, errors: ['not_found', 'provision_in_progress', 'engine_unavailable'], audit: 'automation_instance.verified',
  }),
  getEngine: defineRoute({
    method: 'GET', path: '/provisioning/engine', tag: 'provisioning', summary: 'Engine health, session, edition, tenancy mode, feature gate', access: staff, limit: 'caller',
    reply: {
      200: z.object({
        health: z.enum(['ok', 'degraded', 'down', 'disabled']), message: z.string().nullable(), responseMs: z.number().nullable(), version: z.string().nullable(), edition: z.string(), embedded: z.boolean(), enabled: z.boolean(),
        tenancyMode: z.enum(TENANCY_MODES), baseUrl: z.string().nullable(), projectId: z.string().nullable(),
        session: z.object({ signedInAt: time.nullable(), expiresAt: time.nullable() }),
        runs24h: z.object({ succeeded: z.number().int(), failed: z.number().int(), running: z.number().int(), timedOut: z.number().int(), waiting: z.number().int() }),
        byHour: z.array(z.object({ at: time, succeeded: z.number().int(), failed: z.number().int() })), stuckAttempts: z.number().int(),
      }),
    },
    errors: [],
  }),
  listOutbox: defineRoute({
    method: 'GET', path: '/provisioning/outbox', tag: 'provisioning', summary: 'Calls the provider sandbox received', access: staff, limit: 'caller',
    query: pageQuery.extend({ provider: z.string().max(40).optional(), q: z.string().max(120).optional() }),
    reply: { 200: page(z.object({ id, at: time, provider: z.string(), method: z.string(), path: z.string(), body: z.string().nullable(), status: z.number().int() })) },
    errors: ['not_found', 'invalid_query', 'invalid_cursor', 'service_unavailable'],
  }),
};
