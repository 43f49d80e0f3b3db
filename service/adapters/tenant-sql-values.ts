import type { CustomTypesConfig } from 'pg';

export type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue };

const BOOL = 16;
const BYTEA = 17;
const INT8 = 20;
const INT2 = 21;
const INT4 = 23;
const OID = 26;
const JSON_TYPE = 114;
const FLOAT4 = 700;
const FLOAT8 = 701;
const TIMESTAMP = 1114;
const TIMESTAMPTZ = 1184;
const NUMERIC = 1700;
const JSONB = 3802;

/** Digits that every double can hold; a longer number stays text rather than losing its end. */
const SAFE_DIGITS = 15;

/** Values of a customer's database as JSON: numbers where they fit exactly, ISO times, everything unknown as its own text. */
export const readValues: CustomTypesConfig = {
  getTypeParser: (type: number) => PARSERS[type] ?? asText,
};

const PARSERS: { readonly [type: number]: (text: string) => JsonValue } = {
  [BOOL]: (text) => text === 't',
  [BYTEA]: (text) => Buffer.from(text.replace(/^\\x/, ''), 'hex').toString('base64'),
  [INT2]: asNumber,
  [INT4]: asNumber,
  [INT8]: asNumber,
  [OID]: asNumber,
  [FLOAT4]: asFloat,
  [FLOAT8]: asFloat,
  [NUMERIC]: asNumber,
  [TIMESTAMP]: (text) => text.replace(' ', 'T'),
  [TIMESTAMPTZ]: asInstant,
  [JSON_TYPE]: asJson,
  [JSONB]: asJson,
};

function asText(text: string): string {
  return text;
}

function asNumber(text: string): JsonValue {
  const digits = text.replace(/\D/g, '').replace(/^0+/, '');
  const value = Number(text);
  return Number.isFinite(value) && digits.length <= SAFE_DIGITS ? value : text;
}

/** JSON has no NaN and no Infinity. */
function asFloat(text: string): JsonValue {
  const value = Number(text);
  return Number.isFinite(value) ? value : text;
}

function asInstant(text: string): JsonValue {
  // "2026-11-21 12:00:00.5+00" → "2026-11-21T12:00:00.5+00:00"
  const at = new Date(text.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00'));
  return Number.isNaN(at.getTime()) ? text : at.toISOString();
}

function asJson(text: string): JsonValue {
  const parsed: JsonValue = JSON.parse(text); // the database checked that it is JSON
  return parsed;
}
