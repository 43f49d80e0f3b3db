import { z } from 'zod';
import { id, time } from '../primitives.ts';
import { eventIdFrom } from './agent.ts';
import { agentSchedule } from './schedule.ts';
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
    /** Where the template finds the id of an event when its agent names no place; null: in the header of a known sender alone. Not given to clients. */
    templateEventIdFrom: eventIdFrom.nullable().optional(),
    /** When it runs by itself; null without a schedule. */
    schedule: agentSchedule.nullable().optional(),
    definition: workflowDefinition,
    createdAt: time,
    updatedAt: time,
  })
  .meta({ id: 'Workflow' });
