import type { FieldError } from '@partner-portal/contract/errors.ts';
import { cleanKey, keyFault, sendableKey } from './key-text.ts';
import { type FieldKind, PROVIDER_RULES, type StoredProvider } from './provider-rules.ts';
import { PROVIDERS, type SourceMode, type SqlTlsState } from '@partner-portal/contract/vocabulary.ts';

/** The shape of each provider's credential and who may provide it; resolution.ts decides which row applies. Browser-safe. See docs/behaviour/vault.md. */

/**
 * TLS of a SQL database: with a verified certificate (`true`), one that is verified against the owner's CA certificates (PEM), any certificate, or
 * no TLS.
 */
export type SqlTls = boolean | { ca: string } | { verify: false };

export type CredentialData = {
  openai: { apiKey: string };
  anthropic: { apiKey: string };
  calcom: { apiKey: string };
  resend: { apiKey: string };
  twilio: { accountSid: string; authToken: string };
  postgres: { host: string; port: number; database: string; user: string; password: string; ssl: SqlTls };
};

/** The fields that a key of any provider has. */
export type KeyField = { [P in StoredProvider]: keyof CredentialData[P] }[StoredProvider];

/** Classifies the `:provider` path parameter: a provider with stored credentials, the capability flag, or unknown. */
export function classifyProvider(
  text: string,
): { kind: 'stored'; provider: StoredProvider } | { kind: 'capability' } | { kind: 'unknown' } {
  const provider = PROVIDERS.find((known) => known === text);
  if (provider === undefined) return { kind: 'unknown' };
  return provider === 'code' ? { kind: 'capability' } : { kind: 'stored', provider };
}

/** Returns whether the provider accepts this source mode: `platform` only for the language models. */
export function allowsSourceMode(provider: StoredProvider, mode: SourceMode): boolean {
  return PROVIDER_RULES[provider].modes.includes(mode);
}

const SECRET_LENGTH_MAX = 512;
const NAME_LENGTH_MAX = 128;
const HOST_LENGTH_MAX = 253;

/**
 * Validates the `data` of a save against the provider's shape. Errors name the field as `data.<field>` and never quote a value.
 * Unknown members are dropped; texts are trimmed and lose invisible characters, except passwords and names.
 */
export function checkCredentialData<P extends StoredProvider>(
  provider: P,
  data: { readonly [field: string]: unknown },
): { ok: true; data: CredentialData[P] } | { ok: false; errors: FieldError[] } {
  const errors: FieldError[] = [];
  const accepted: { [field: string]: unknown } = {};
  for (const [field, kind] of Object.entries(PROVIDER_RULES[provider].fields)) {
    const given = data[field] ?? DEFAULTS[kind];
    if (given === undefined || given === '') {
      errors.push({ field: `data.${field}`, code: 'required', message: 'This field is required.' });
      continue;
    }
    const checked = CHECKS[kind](typeof given === 'string' ? PREPARE[kind](given) : given);
    if ('problem' in checked) errors.push({ field: `data.${field}`, code: 'invalid', message: checked.problem });
    else accepted[field] = checked.value;
  }
  return errors.length > 0 ? { ok: false, errors } : { ok: true, data: accepted as CredentialData[P] }; // built field by field from the table above
}

type Check = (given: unknown) => { value: unknown } | { problem: string };

const trim = (text: string): string => text.trim();
/** Characters that are removed before the check. Passwords of databases may hold any character. */
const PREPARE: { readonly [K in FieldKind]: (text: string) => string } = {
  key: cleanKey,
  account: cleanKey,
  host: cleanKey,
  port: cleanKey,
  name: trim,
  tls: trim,
  password: (text) => text,
};

const DEFAULTS: { readonly [K in FieldKind]?: unknown } = { port: 5432, tls: true };

const CHECKS: { readonly [K in FieldKind]: Check } = {
  key: (given) => {
    if (typeof given !== 'string' || given.length === 0) return { problem: 'Enter this as text.' };
    if (given.length > SECRET_LENGTH_MAX) return { problem: `Use at most ${SECRET_LENGTH_MAX} characters.` };
    const fault = keyFault(given);
    return fault === null ? { value: given } : { problem: `${fault} Copy the key again from its source.` };
  },
  password: (given) => {
    if (typeof given !== 'string' || given.length === 0) return { problem: 'Enter this as text.' };
    if (given.length > SECRET_LENGTH_MAX) return { problem: `Use at most ${SECRET_LENGTH_MAX} characters.` };
    return hasControl(given) ? { problem: 'This contains characters that are not allowed in a password.' } : { value: given };
  },
  account: (given) =>
    typeof given === 'string' && /^AC[A-Za-z0-9]{1,62}$/.test(given)
      ? { value: given }
      : { problem: 'An account SID starts with AC and contains only letters and digits.' },
  host: (given) =>
    typeof given === 'string' && isHost(given)
      ? { value: given.toLowerCase() }
      : { problem: 'Enter a host name or an IP address, without a port.' },
  port: (given) => {
    const port = typeof given === 'string' && /^\d{1,5}$/.test(given) ? Number(given) : given;
    const fits = typeof port === 'number' && Number.isInteger(port) && port >= 1 && port <= 65_535;
    return fits ? { value: port } : { problem: 'Enter a number from 1 to 65535.' };
  },
  name: (given) => {
    if (typeof given !== 'string' || given.length === 0) return { problem: 'Enter this as text.' };
    if (given.length > NAME_LENGTH_MAX) return { problem: `Use at most ${NAME_LENGTH_MAX} characters.` };
    return hasControl(given) ? { problem: 'This contains characters that are not allowed in a name.' } : { value: given };
  },
  tls: (given) => {
    if (typeof given === 'boolean') return { value: given };
    const { ca, verify, ...others } = typeof given === 'object' && given !== null ? (given as { ca?: unknown; verify?: unknown }) : {};
    if (Object.keys(others).length > 0 || (ca === undefined) === (verify === undefined))
      return { problem: 'Enter true, false, {"ca": "…"} or {"verify": false}.' };
    if (ca === undefined)
      return verify === false ? { value: { verify } } : { problem: 'Enter {"verify": false}, or true to verify the certificate.' };
    return checkCa(ca);
  },
};

const CA_LENGTH_MAX = 32_768;

/** Keeps the certificates of a PEM text and drops what stands between them. */
function checkCa(given: unknown): { value: { ca: string } } | { problem: string } {
  if (typeof given !== 'string') return { problem: 'Enter the CA certificate as text in PEM format.' };
  if (given.length > CA_LENGTH_MAX)
    return { problem: `Use at most ${CA_LENGTH_MAX} characters: only the certificates that this database needs.` };
  if (given.includes('PRIVATE KEY')) return { problem: 'This contains a private key. Enter only the CA certificate.' };
  const found = given.match(/-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----/g);
  return found
    ? { value: { ca: `${found.join('\n')}\n` } }
    : { problem: 'Enter the CA certificate in PEM format: it begins with -----BEGIN CERTIFICATE-----.' };
}

/** Returns the state of a key that is saved now. */
export function sqlTlsState(ssl: SqlTls): SqlTlsState {
  if (ssl === false) return 'off';
  return typeof ssl === 'object' && 'verify' in ssl ? 'not_verified' : 'verified';
}

/**
 * Returns how to connect with a stored key. One of an earlier version was saved when no certificate was verified: until it has passed its test,
 * and after it failed it, it keeps working without.
 */
export function sqlTlsOf(ssl: SqlTls, state: SqlTlsState | null): SqlTls {
  return ssl === true && (state === 'untested' || state === 'failed') ? { verify: false } : ssl;
}

function isHost(text: string): boolean {
  if (text.length > HOST_LENGTH_MAX) return false;
  if (/^[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*$/.test(text)) return text.length <= 45;
  return text.split('.').every((label) => /^[A-Za-z0-9_]([A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?$/.test(label));
}

// A line break inside a key would allow header injection.
function hasControl(text: string): boolean {
  // oxlint-disable-next-line no-control-regex -- matches control characters on purpose
  return /[\u0000-\u001f\u007f]/.test(text);
}

/**
 * Returns a stored credential of an API as it is sent (see `sendableKey`), so that one of an earlier version with a character of no key is refused by
 * its provider.
 */
export function sendableData<P extends Exclude<StoredProvider, 'postgres'>>(data: CredentialData[P]): CredentialData[P] {
  return Object.fromEntries(Object.entries(data).map(([field, text]) => [field, sendableKey(text)])) as CredentialData[P]; // the same members
}

/** The name of a provider as users read it; an unknown one is named by its id. */
export function providerTitle(provider: string): string {
  const kind = classifyProvider(provider);
  return kind.kind === 'stored' ? PROVIDER_RULES[kind.provider].title : provider;
}
