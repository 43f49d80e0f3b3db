import { z } from 'zod';
import { EMAIL_CHARACTERS } from './email-address.ts';
import { FIELD_TEXTS } from './field-errors.ts';
import { LIMITS } from './vocabulary.ts';

/** Schemas shared by all routes: ids, times, texts, pages. */

export const id = z.uuid();
/**
 * ISO 8601; any offset is accepted, responses use UTC with milliseconds. The year 0 and offsets beyond ±14:00 are refused, since the
 * database accepts neither.
 */
export const time = z.iso
  .datetime({ offset: true })
  .refine((value) => !/^0000|[+-](?:1[5-9]|2\d):\d\d$/.test(value), 'Use a time such as 2026-03-01T10:00:00Z.');
/** Texts are composed (NFC), so that what is searched or unique is found however a keyboard composes its characters. */
const typed = z.string().normalize('NFC').trim();
export const text = (max: number) => typed.min(1).max(max);
export const optionalText = (max: number) => typed.max(max);
/** The text of a search, normalized like stored texts. */
export const searchText = (max: number) => typed.max(max);
/** An address of a person, as `normalizeEmail` compares it. Letters beyond ASCII are refused before the case is changed, which could make others of them. */
export const email = z
  .string()
  .trim()
  .regex(EMAIL_CHARACTERS, 'Use an e-mail address with unaccented letters.')
  .toLowerCase()
  .max(254)
  .pipe(z.email());
export const slug = z
  .string()
  .trim()
  .toLowerCase()
  .regex(
    new RegExp(`^[a-z0-9](?:[a-z0-9-]{${LIMITS.slugLengthMin - 2},${LIMITS.slugLengthMax - 2}}[a-z0-9])$`),
    `Use ${LIMITS.slugLengthMin} to ${LIMITS.slugLengthMax} lower-case letters, digits and hyphens.`,
  );
export const timezone = z.string().trim().max(64).refine(isTimezone, 'Use an IANA time zone such as America/Chicago.');
/** A language, with or without a region: `de`, `es-MX`. A language that is not offered falls back to English. */
export const languageTag = z.string().trim().max(35).refine(isLanguageTag, 'Use a language tag such as de or es-MX.');
export const webAddress = z
  .string()
  .trim()
  .max(2048)
  .pipe(z.url({ protocol: /^https?$/ }));
/** A web address or an empty text. It is sent to third parties, so only http(s) is accepted. */
export const optionalLink = z
  .string()
  .trim()
  .max(2048)
  .refine((value) => value === '' || webAddress.safeParse(value).success, FIELD_TEXTS.url);
export const colour = z
  .string()
  .trim()
  .regex(/^#[0-9a-fA-F]{6}$/, 'Use a colour such as #1f4e8c.');
/**
 * Any JSON. It was parsed from JSON or will be serialized, so it needs no validation: a recursive schema takes a second per MiB, on
 * the report route before its token is verified.
 */
export const json = z.unknown() as z.ZodType<z.core.util.JSONType>;
export const jsonObject = z.record(z.string(), json);
/** A new password. Its strength and length are assessed by core/people/password.ts: `weak_password`. */
export const password = z
  .string()
  .meta({ minLength: LIMITS.passwordLengthMin, maxLength: LIMITS.passwordLengthMax, examples: ['eleven blue herons'] });

/** The token of a link in a mail. */
export const linkToken = z.string().max(512);

/** Up to `most` ids in a query, separated by commas. */
export const idList = (most: number) =>
  z
    .string()
    .max(most * 37)
    .refine((list) => z.array(id).min(1).max(most).safeParse(list.split(',')).success, 'Use IDs separated by commas.')
    .transform((list) => list.split(','));
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
/** The bytes of a PDF document. */
export const pdfDocument = z.instanceof(Uint8Array);
/** The bytes of a stored file. */
export const fileBytes = z.instanceof(Uint8Array);

/** Valid zone names of three letters. JavaScript accepts more (AET, SST), which Postgres does not know or interprets differently. */
const SHORT_ZONES = new Set(['CET', 'EET', 'EST', 'GMT', 'HST', 'MET', 'MST', 'PRC', 'ROC', 'ROK', 'UCT', 'UTC', 'WET']);

/** Withdrawn names that JavaScript still accepts and Postgres does not. */
const WITHDRAWN_ZONES = new Set(['canada/east-saskatchewan', 'us/pacific-new']);

/** Returns whether a text is an IANA name. Offsets are refused: they have no daylight saving time, and Postgres inverts their sign. */
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

function isLanguageTag(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false;
  }
}
