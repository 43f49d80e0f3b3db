import { z } from 'zod';
import { jsonObject } from '../primitives.ts';
import { PROVIDERS, TEMPLATE_CATEGORIES } from '../vocabulary.ts';

export const templateInput = z.object({
  key: z.string(),
  label: z.string(),
  type: z.string(),
  required: z.boolean(),
  aliases: z.array(z.string()),
  example: z.json(),
  /** A run writes to this address, by text or mail; null for any other input. */
  writtenTo: z.enum(['text', 'mail']).nullable(),
  /** For a `datetime`: a day alone is not enough. */
  timeRequired: z.boolean().optional(),
});

export const templateConfig = z.object({
  key: z.string(),
  label: z.string(),
  type: z.string(),
  default: z.json(),
  maxLength: z.number().int().nullable(),
  /** The smallest and largest number accepted; null without such a limit. */
  min: z.number().nullable(),
  max: z.number().nullable(),
  help: z.string().nullable(),
  fromProfile: z.string().nullable().default(null).describe('Member of the business profile that fills it while it is empty'),
});

export const templateStep = z.object({
  name: z.string(),
  label: z.string(),
  kind: z.string(),
  provider: z.enum(PROVIDERS).nullable(),
  reads: z.array(z.string()),
});

export const templateRecord = z
  .object({
    name: z.string(),
    templateVersion: z.number().int(),
    title: z.string(),
    summary: z.string(),
    clientSummary: z.string(),
    category: z.enum(TEMPLATE_CATEGORIES),
    icon: z.string(),
    inputs: z.array(templateInput),
    config: z.array(templateConfig),
    requiredConnections: z.array(z.enum(PROVIDERS)),
    steps: z.array(templateStep),
    creditsPerRun: z.number().int(),
    timeoutMinutes: z.number().int(),
    hoursSavedPerRun: z.number(),
    sampleConversation: z.array(z.object({ from: z.string(), text: z.string() })),
    changelog: z.array(z.object({ version: z.number().int(), text: z.string() })),
    isActive: z.boolean(),
    sampleInput: jsonObject,
  })
  .meta({ id: 'Template' });
