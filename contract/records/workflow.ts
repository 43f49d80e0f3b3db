import { z } from 'zod';
import { id, time } from '../primitives.ts';
import { templateInput, templateStep } from './template.ts';

/** The technical view of an agent. `providerFlowId` is returned to staff only. */
export const workflowDefinition = z.object({
  trigger: z.object({ label: z.string(), keys: z.array(z.string()) }),
  steps: z.array(templateStep),
});

export const workflowRecord = z
  .object({
    id,
    partnerId: id,
    clientId: id.nullable(),
    name: z.string(),
    templateName: z.string(),
    templateVersion: z.number().int().nullable(),
    latestTemplateVersion: z.number().int(),
    isActive: z.boolean(),
    installed: z.boolean(),
    providerFlowId: z.string().nullable().optional(),
    inputs: z.array(templateInput).optional(),
    definition: workflowDefinition,
    createdAt: time,
    updatedAt: time,
  })
  .meta({ id: 'Workflow' });
