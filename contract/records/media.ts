import { z } from 'zod';
import { id, time } from '../primitives.ts';
import { MEDIA_PURPOSES, MEDIA_TYPES } from '../vocabulary.ts';

export const mediaRecord = z
  .object({
    id,
    partnerId: id,
    clientId: id.nullable(),
    purpose: z.enum(MEDIA_PURPOSES),
    filename: z.string(),
    altText: z.string(),
    contentType: z.enum(MEDIA_TYPES),
    sizeBytes: z.number().int(),
    width: z.number().int().nullable(),
    height: z.number().int().nullable(),
    /** Path of the file, relative to the base address. That of a logo or avatar needs no session. */
    url: z.string(),
    /** Other sizes of an image, by name. */
    variants: z.array(z.object({ name: z.string(), url: z.string(), width: z.number().int(), height: z.number().int() })),
    createdAt: time,
  })
  .meta({ id: 'Media' });
