import { z } from 'zod';
import { defineRoute } from '../define-route.ts';
import { csvText, id, idParams } from '../primitives.ts';
import { attemptRecord, attemptSteps, instanceRecord, partnerAutomation, provisionAnswer, viewerAnswer } from '../records/provisioning.ts';
import { staff, staffOrPartner, staffWrite } from './access.ts';

const tag = 'automation-provisioning';

export const automationRoutes = {
  getAutomation: defineRoute({
    method: 'GET',
    path: '/partners/:id/automation',
    tag,
    summary: 'Get the instance: tenancy mode, project, base URL, status, and at most 500 agents',
    access: staff,
    params: idParams,
    reply: { 200: instanceRecord },
    errors: ['not_found'],
  }),
  listAttempts: defineRoute({
    method: 'GET',
    path: '/partners/:id/automation/attempts',
    tag,
    summary: 'List provisioning attempts, newest first',
    access: staff,
    params: idParams,
    reply: { 200: z.array(attemptRecord) },
    errors: ['not_found'],
  }),
  listSteps: defineRoute({
    method: 'GET',
    path: '/partners/:id/automation/steps',
    tag,
    summary: 'Get the steps of an attempt (default: the latest)',
    access: staff,
    params: idParams,
    query: z.object({ attemptId: id.optional() }),
    reply: { 200: attemptSteps },
    errors: ['not_found', 'invalid_query'],
  }),
  provision: defineRoute({
    method: 'POST',
    path: '/partners/:id/automation/provision',
    tag,
    summary: 'Run the provisioning pipeline',
    access: staffWrite,
    params: idParams,
    body: z.object({ templateNames: z.array(z.string().max(80)).min(1).max(50).optional(), clientId: id.optional() }).optional(),
    reply: { 202: provisionAnswer },
    errors: ['not_found', 'validation_failed', 'provision_in_progress', 'invalid_state'],
    audit: 'automation_instance.provision_requested',
  }),
  reprovision: defineRoute({
    method: 'POST',
    path: '/partners/:id/automation/reprovision',
    tag,
    summary: 'Repair in place, or tear down and provision anew',
    access: staffWrite,
    params: idParams,
    body: z
      .object({
        mode: z
          .enum(['repair', 'recreate'])
          .optional()
          .describe(
            'repair (the default): update in place and install what is missing; without templateNames an agent that was never installed and lacks a key is left out. recreate: delete everything in the engine, then provision all agents; ingest URLs stay.',
          ),
        templateNames: z.array(z.string().max(80)).min(1).max(50).optional(),
        clientId: id.optional(),
        refreshTemplates: z
          .boolean()
          .optional()
          .describe(
            'Whether stored copies are replaced although the catalog holds no newer version. Left out: true for repair, false for recreate.',
          ),
      })
      .optional(),
    reply: { 202: provisionAnswer },
    errors: ['not_found', 'validation_failed', 'provision_in_progress', 'invalid_state'],
    audit: 'automation_instance.reprovision_requested',
  }),
  deprovision: defineRoute({
    method: 'DELETE',
    path: '/partners/:id/automation',
    tag,
    summary: 'Delete everything of the agency in the engine; agents, ingest URLs, runs and keys stay',
    access: staffWrite,
    params: idParams,
    query: z.object({ confirm: z.string().max(200).optional().describe('The slug of the agency') }),
    reply: { 202: provisionAnswer },
    errors: ['not_found', 'validation_failed', 'invalid_query', 'provision_in_progress', 'invalid_state'],
    audit: 'automation_instance.deprovision_requested',
  }),
  verifyAutomation: defineRoute({
    method: 'POST',
    path: '/partners/:id/automation/verify',
    tag,
    summary: 'Compare every installed flow with its template; nothing is changed in the engine',
    access: staffWrite,
    params: idParams,
    reply: { 200: instanceRecord },
    errors: ['not_found', 'provision_in_progress', 'engine_unavailable'],
    audit: 'automation_instance.verified',
  }),
  streamAutomation: defineRoute({
    method: 'GET',
    path: '/partners/:id/automation/stream',
    tag,
    summary: 'Stream step changes',
    access: staff,
    params: idParams,
    format: 'events',
    reply: { 200: csvText },
    errors: ['not_found'],
  }),
  viewWorkflow: defineRoute({
    method: 'GET',
    path: '/partners/:id/automation/workflows/:workflowId/viewer',
    tag,
    summary: 'Get the read-only template definition and recent runs',
    access: staffOrPartner,
    params: z.object({ id, workflowId: id }),
    reply: { 200: viewerAnswer },
    errors: ['not_found'],
  }),
  getMyAutomation: defineRoute({
    method: 'GET',
    path: '/partners/me/automation',
    tag,
    summary: 'Get the redacted view: four stages, and the newest 500 agents',
    access: staffOrPartner,
    query: z.object({ partnerId: id.optional(), clientId: id.optional() }),
    reply: { 200: partnerAutomation },
    errors: ['not_found', 'scope_forbidden', 'invalid_query'],
  }),
  streamMyAutomation: defineRoute({
    method: 'GET',
    path: '/partners/me/automation/stream',
    tag,
    summary: 'Stream stage changes',
    access: staffOrPartner,
    format: 'events',
    query: z.object({ partnerId: id.optional() }),
    reply: { 200: csvText },
    errors: ['not_found', 'scope_forbidden', 'invalid_query'],
  }),
};
