import { z } from 'zod';
import { id, time } from '../primitives.ts';
import { AI_PROVIDERS, SOURCE_MODES } from '../vocabulary.ts';

export const aiModel = z
  .object({
    provider: z.enum(AI_PROVIDERS),
    model: z.string(),
    /** Owner of the key that the call uses. */
    sourceMode: z.enum(SOURCE_MODES),
    /** Credits for 1,000 tokens; 0 with a key of one’s own. */
    inputCredits: z.number(),
    outputCredits: z.number(),
  })
  .meta({ id: 'AiModel' });

export const aiUsage = z.object({ inputTokens: z.number().int(), outputTokens: z.number().int(), isEstimated: z.boolean() });

export const aiCompletion = z
  .object({
    text: z.string(),
    usage: aiUsage,
    creditsCharged: z.number().int(),
    sourceMode: z.enum(SOURCE_MODES),
    provider: z.enum(AI_PROVIDERS),
    model: z.string(),
    /** `length`: the text was cut at `maxTokens`. `refused`: the model declined. */
    finishReason: z.enum(['stop', 'length', 'refused']),
  })
  .meta({ id: 'AiCompletion' });

/** The credits an agency pays for tokens on a platform key; the costs are for staff. */
export const aiRate = z
  .object({
    id,
    provider: z.enum(AI_PROVIDERS),
    /** `*`: models without a row of their own. */
    model: z.string(),
    version: z.number().int(),
    inputCredits: z.number(),
    outputCredits: z.number(),
    isOffered: z.boolean(),
    createdAt: time,
  })
  .meta({ id: 'AiRate' });

export const aiStaffRate = aiRate
  .extend({ inputCostMinor: z.number(), outputCostMinor: z.number(), currency: z.string(), changedBy: z.string().nullable() })
  .meta({ id: 'AiStaffRate' });

export const aiMargin = z
  .object({
    day: z.string(),
    provider: z.enum(AI_PROVIDERS),
    model: z.string(),
    calls: z.number().int(),
    inputTokens: z.number().int(),
    outputTokens: z.number().int(),
    credits: z.number().int(),
    /** Credits charged at the price of a credit in the agencies' plans; null for agencies whose plan has none in this currency, in a row of their own. */
    revenueMinor: z.number().nullable(),
    costMinor: z.number(),
    currency: z.string(),
  })
  .meta({ id: 'AiMargin' });
