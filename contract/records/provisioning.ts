import { z } from 'zod';
import { id, jsonObject, time } from '../primitives.ts';
import {
  ATTEMPT_MODES,
  ATTEMPT_STATUSES,
  DRIFT_STATES,
  INSTANCE_STATUSES,
  PROVIDERS,
  READINESS_STATES,
  STAGE_KEYS,
  STEP_STATUSES,
  TENANCY_MODES,
} from '../vocabulary.ts';
import { executionRow } from './execution.ts';
import { workflowDefinition, workflowRecord } from './workflow.ts';

export const readinessCell = z.object({ provider: z.enum(PROVIDERS), state: z.enum(READINESS_STATES), message: z.string().nullable() });

export const readinessRow = z.object({
  agentId: id,
  agentName: z.string(),
  clientId: id.nullable(),
  clientName: z.string().nullable(),
  cells: z.array(readinessCell),
});

export const instanceWorkflow = z.object({
  workflowId: id,
  name: z.string(),
  clientId: id.nullable(),
  clientName: z.string().nullable(),
  templateName: z.string(),
  templateVersion: z.number().int().nullable(),
  latestTemplateVersion: z.number().int(),
  providerFlowId: z.string().nullable(),
  isActive: z.boolean(),
  /** Result of the last comparison of the flow with its template; null: not compared yet. A repair fixes differences. `unchecked`: the engine returned an error, or the flow is of a former version, which `differences` then says. */
  drift: z
    .object({ state: z.enum(DRIFT_STATES), checkedAt: time, differences: z.array(z.object({ step: z.string(), what: z.string() })) })
    .nullable(),
});

export const instanceRecord = z
  .object({
    partnerId: id,
    provider: z.string(),
    status: z.enum(INSTANCE_STATUSES),
    tenancyMode: z.enum(TENANCY_MODES),
    projectId: z.string().nullable(),
    baseUrl: z.string().nullable(),
    provisionedAt: time.nullable(),
    lastError: z.string().nullable(),
    errorPublic: z.string().nullable(),
    apiKeyEncrypted: z.null(),
    currentAttemptId: id.nullable(),
    canRepair: z.boolean().describe('A repair is accepted: the instance is ready, or its last attempt was a repair that failed'),
    updatedAt: time.nullable(),
    workflowCount: z.number().int().describe('All agents, also those beyond the 500 that `workflows` lists'),
    installedCount: z.number().int().describe('Agents with a flow in the engine'),
    installedClientCount: z.number().int().describe('Clients with at least one agent that has a flow in the engine'),
    workflows: z
      .array(instanceWorkflow)
      .describe(
        'At most 500: those whose flow differs from its template or could not be compared, then the newest. By the name of the client.',
      ),
  })
  .meta({ id: 'AutomationInstance' });

export const attemptRecord = z
  .object({
    id,
    number: z.number().int(),
    partnerId: id,
    mode: z.enum(ATTEMPT_MODES),
    status: z.enum(ATTEMPT_STATUSES),
    requestedBy: id.nullable(),
    requestedByName: z.string().nullable(),
    clientId: id.nullable(),
    templateNames: z.array(z.string()),
    refreshTemplates: z.boolean(),
    startedAt: time,
    finishedAt: time.nullable(),
    error: z.string().nullable(),
    errorPublic: z.string().nullable(),
  })
  .meta({ id: 'ProvisioningAttempt' });

export const provisioningStep = z
  .object({
    attemptId: id,
    name: z.string(),
    order: z.number().int(),
    stage: z.enum(STAGE_KEYS),
    status: z.enum(STEP_STATUSES),
    startedAt: time.nullable(),
    finishedAt: time.nullable(),
    durationMs: z.number().int().nullable(),
    summary: z.string().nullable(),
    warnings: z.array(z.string()),
    error: z.string().nullable(),
    errorPublic: z.string().nullable(),
    metadata: jsonObject,
  })
  .meta({ id: 'ProvisioningStep' });

export const attemptSteps = z.object({ attempt: attemptRecord.nullable(), steps: z.array(provisioningStep) });

export const provisionAnswer = z
  .object({
    attemptId: id,
    status: z.enum(ATTEMPT_STATUSES),
    instance: instanceRecord,
    steps: z.array(provisioningStep),
  })
  .meta({ id: 'ProvisionAnswer' });

export const stageRecord = z.object({
  key: z.enum(STAGE_KEYS),
  label: z.string(),
  status: z.enum(STEP_STATUSES),
  startedAt: time.nullable(),
  finishedAt: time.nullable(),
  durationMs: z.number().int().nullable(),
});

/** The redacted view: it has no member for baseUrl, projectId or lastError. */
export const partnerAutomation = z
  .object({
    status: z.enum(INSTANCE_STATUSES),
    stages: z.array(stageRecord),
    errorPublic: z.string().nullable(),
    provisionedAt: time.nullable(),
    attempt: z.object({ id, mode: z.enum(ATTEMPT_MODES), startedAt: time, finishedAt: time.nullable() }).nullable(),
    /** All agents, also those beyond the newest that `workflows` lists. */
    workflowCount: z.number().int(),
    workflows: z.array(
      z.object({
        workflowId: id,
        name: z.string(),
        clientId: id.nullable(),
        clientName: z.string().nullable(),
        templateName: z.string(),
        templateVersion: z.number().int().nullable(),
        latestTemplateVersion: z.number().int(),
        isActive: z.boolean(),
        installed: z.boolean(),
      }),
    ),
  })
  .meta({ id: 'PartnerAutomation' });

export const viewerAnswer = z
  .object({ workflow: workflowRecord, definition: workflowDefinition, runs: z.array(executionRow) })
  .meta({ id: 'WorkflowViewer' });
