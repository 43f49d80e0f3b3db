import type { ReadinessState, SourceMode } from '@partner-portal/contract/vocabulary.ts';

/**
 * Which stored credential counts for a client or partner, and whether it is usable. SQL has the same rule in one place, the function
 * `effective_credentials`, from which all other SQL selects. Rules: docs/behaviour/vault.md. Browser-safe.
 */

/** The owner of a stored or needed credential: a partner (`clientId` null) or one of its clients. */
export type CredentialSlot = { partnerId: string; clientId: string | null; provider: string };

/** A stored credential without its value. */
export type StoredCredential = CredentialSlot & {
  sourceMode: SourceMode;
  hasValue: boolean;
  /** In platform mode: the plan of the agency has no keys of the platform. */
  isExcluded?: boolean | null;
  lastCheckOk: boolean | null;
};

export type CredentialResolution<Row> =
  | { state: 'missing'; reason: 'not_saved' | 'no_platform_key' | 'not_in_plan'; row: Row | undefined }
  | { state: Exclude<ReadinessState, 'missing'>; reason: null; row: Row };

/** Returns whether a stored credential has a key behind it: its own value, or in platform mode the platform's key, if the plan includes it. */
export function isCredentialUsable(
  row: Pick<StoredCredential, 'provider' | 'sourceMode' | 'hasValue' | 'isExcluded'>,
  platformProviders: readonly string[],
): boolean {
  return row.sourceMode === 'platform' ? platformProviders.includes(row.provider) && row.isExcluded !== true : row.hasValue;
}

/**
 * Returns the state of a need, given the row that counts for it. A key that was never checked is fine; one that failed its last
 * check is `failing`; a partner's default that serves a client is `inherited`.
 */
export function resolveCredential<Row extends StoredCredential>(
  row: Row | undefined,
  clientId: string | null,
  platformProviders: readonly string[],
): CredentialResolution<Row> {
  if (!row || !isCredentialUsable(row, platformProviders)) {
    const reason = row?.sourceMode !== 'platform' ? 'not_saved' : row.isExcluded === true ? 'not_in_plan' : 'no_platform_key';
    return { state: 'missing', reason, row };
  }
  if (row.lastCheckOk === false) return { state: 'failing', reason: null, row };
  return { state: row.clientId === clientId ? 'ok' : 'inherited', reason: null, row };
}

/**
 * Returns a function that resolves any slot against these rows: the client's own row, else the partner's default. A row of their own
 * hides the default even when it is not usable, because someone chose it. Its one caller is `readCredentials`, for views that ask for many slots.
 */
export function createCredentialResolver<Row extends StoredCredential>(
  rows: readonly Row[],
  platformProviders: readonly string[],
): (slot: CredentialSlot) => CredentialResolution<Row> {
  const keyOf = ({ partnerId, clientId, provider }: CredentialSlot): string => `${partnerId} ${clientId ?? ''} ${provider}`;
  const bySlot = new Map(rows.map((row) => [keyOf(row), row]));
  return (slot) =>
    resolveCredential(bySlot.get(keyOf(slot)) ?? bySlot.get(keyOf({ ...slot, clientId: null })), slot.clientId, platformProviders);
}

type Owner = { partnerId: string; clientId: string | null };
type Resolve = (slot: CredentialSlot) => { state: ReadinessState };

/** Returns the required providers without a usable credential for this owner, in their order. The code capability needs none. */
export function missingProviders<P extends string>(required: readonly P[], owner: Owner, resolve: Resolve): P[] {
  return providersIn('missing', required, owner, resolve);
}

/** Returns the required providers whose credential was refused at its last check, in their order. */
export function refusedProviders<P extends string>(required: readonly P[], owner: Owner, resolve: Resolve): P[] {
  return providersIn('failing', required, owner, resolve);
}

function providersIn<P extends string>(
  state: ReadinessState,
  required: readonly P[],
  { partnerId, clientId }: Owner,
  resolve: Resolve,
): P[] {
  return required.filter((provider) => provider !== 'code' && resolve({ partnerId, clientId, provider }).state === state);
}
