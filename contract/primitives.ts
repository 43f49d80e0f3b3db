import { z } from 'zod';
import { LIMITS } from './vocabulary.ts';

/** The small shapes every route is built from: ids, times, texts, pages. */

export const id = z.uuid();
/**
 * ISO 8601 UTC with milliseconds (product.md §2.4); another offset is taken. The year 0 and offsets that no place on earth
 * has are spelled correctly and still no times: the database takes neither.
 */
export const time = z.iso
  .datetime({ offset: true })
  .refine((value) => !/^0000|[+-](?:1[5-9]|2\d):\d\d$/.test(value), 'Use a time such as 2026-03-01T10:00:00Z.');
export const text = (max: number) => z.string().trim().min(1).max(max);
export const optionalText = (max: number) => z.string().trim().max(max);
export const email = z.string().trim().toLowerCase().max(254).pipe(z.email());
export const slug = z
  .string()
  .trim()
  .toLowerCase()
  .regex(/^[a-z0-9](?:[a-z0-9-]{1,38}[a-z0-9])$/, 'Use 3 to 40 small letters, digits and hyphens.');
export const timezone = z.string().trim().max(64).refine(isTimezone, 'Use an IANA time zone such as America/Chicago.');
export const webAddress = z
  .string()
  .trim()
  .max(2048)
  .pipe(z.url({ protocol: /^https?$/ }));
/** The same, or nothing. A link that goes out in texts and mails to strangers, so no script and no file may hide in it. */
export const optionalLink = z
  .string()
  .trim()
  .max(2048)
  .refine((value) => value === '' || webAddress.safeParse(value).success, 'Use a web address such as https://example.com.');
export const colour = z
  .string()
  .trim()
  .regex(/^#[0-9a-fA-F]{6}$/, 'Use a colour such as #1f4e8c.');
/**
 * Any JSON. It was parsed from JSON or is written as JSON, so there is nothing left to check: walking it with a schema
 * took a second per mebibyte, on the report route before its token was looked at.
 */
export const json = z.unknown() as z.ZodType<z.core.util.JSONType>;
export const jsonObject = z.record(z.string(), json);
/** A password somebody chooses. What makes one weak, its length included, is judged by core/people/password.ts: `weak_password`. */
export const password = z.string().meta({ minLength: 8, maxLength: 128, examples: ['eleven blue herons'] });

export const idParams = z.object({ id });
export const workflowIdParams = z.object({ workflowId: id });

/** Query booleans arrive as text. */
export const queryFlag = z.enum(['true', 'false']).transform((value) => value === 'true');

/** `?limit=&cursor=`; newest first, keyset, the cursor is opaque and bound to the filters. */
export const pageQuery = z.object({
  limit: z.coerce.number().int().min(1).max(LIMITS.pageMax).default(LIMITS.pageDefault),
  cursor: z.string().max(512).optional(),
});

export const page = <T extends z.ZodType>(row: T) => z.object({ data: z.array(row), nextCursor: z.string().nullable() });

export const nothing = z.undefined();
export const csvText = z.string();

/** All the names of three letters that are zones. JavaScript takes others as well (AET, SST), which the database does not know or reads as others. */
const SHORT_ZONES = new Set(['CET', 'EET', 'EST', 'GMT', 'HST', 'MET', 'MST', 'PRC', 'ROC', 'ROK', 'UCT', 'UTC', 'WET']);

/** Names that were taken back; JavaScript has kept them, the database has not. */
const WITHDRAWN_ZONES = new Set(['canada/east-saskatchewan', 'us/pacific-new']);

/** A name. A bare offset knows no summer time, and the database reads its sign the other way round. */
function isTimezone(value: string): boolean {
  if (!/^[a-z]/i.test(value) || (value.length === 3 && !SHORT_ZONES.has(value.toUpperCase()))) return false;
  if (WITHDRAWN_ZONES.has(value.toLowerCase())) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: value });
    return true;
  } catch {
    return false;
  }
}
