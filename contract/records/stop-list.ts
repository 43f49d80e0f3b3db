import { z } from 'zod';
import { id, time } from '../primitives.ts';
import { STOP_LIST_REASONS } from '../vocabulary.ts';

/** A contact whom no agent of the client writes to. */
export const stopListEntry = z
  .object({
    id,
    /** Phone number (E.164) or e-mail address. */
    contact: z.string(),
    reason: z.enum(STOP_LIST_REASONS),
    /** The run that brought it; null when it was added by hand, was refused, or is no longer kept. */
    executionId: id.nullable(),
    /** The agent of that run. */
    agentName: z.string().nullable(),
    note: z.string().nullable(),
    /** The person who added it by hand; null for readers who do not see such names. */
    addedByName: z.string().nullable(),
    /** It opted out of an agent of the agency itself, and is written to by no client's agents. */
    isOfAgency: z.boolean(),
    createdAt: time,
  })
  .meta({ id: 'StopListEntry' });
