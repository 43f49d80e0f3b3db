import { z } from 'zod';
import { id, text, time } from '../primitives.ts';
import { FILTERED_TABLES, LIMITS } from '../vocabulary.ts';

const value = z.union([z.string().max(200), z.number(), z.boolean(), z.array(z.string().max(100)).max(20)]);

/** Members of a page's address. The page checks them again when the filter is applied. */
export const filterSearch = z
  .record(z.string().regex(/^[A-Za-z][A-Za-z0-9]{0,39}$/, 'Use letters and digits.'), value)
  .refine((search) => Object.keys(search).length <= 20, 'At most 20 members.');

export const savedFilterInput = z.object({
  table: z.enum(FILTERED_TABLES),
  name: text(LIMITS.savedFilterNameMax),
  search: filterSearch,
});

export const savedFilter = z
  .object({ id, table: z.enum(FILTERED_TABLES), name: z.string(), search: z.record(z.string(), value), createdAt: time })
  .meta({ id: 'SavedFilter' });
