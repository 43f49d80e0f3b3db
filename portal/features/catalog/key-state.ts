import type { CatalogEntry } from '../../queries/catalog.ts';
import type { Credential } from '../../queries/credentials.ts';

/** The key that a client’s agents use for a service: its own, else the agency’s. Without a client, the agency’s. */
export function keyFor(keys: readonly Credential[] | undefined, clientId: string | undefined, provider: string): Credential | undefined {
  const rows = keys?.filter((row) => row.provider === provider) ?? [];
  return rows.find((row) => row.clientId === (clientId ?? null) && !row.inherited) ?? rows.find(({ clientId: owner }) => owner === null);
}

/** The services that an entry needs and whose key failed its last check; a service without a key is missing instead. */
export function refusedKeys(entry: CatalogEntry, keys: readonly Credential[] | undefined, clientId: string | undefined) {
  return entry.requiredConnections.filter(
    (provider) => !entry.missingConnections.includes(provider) && keyFor(keys, clientId, provider)?.lastCheck?.ok === false,
  );
}
