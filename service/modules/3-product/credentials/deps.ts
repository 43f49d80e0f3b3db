import type { ProviderBaseUrls, ProviderCheck } from '#adapters/provider-check.ts';
import type { TenantSql } from '#adapters/tenant-sql.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/db/tx.ts';
import type { Log } from '#platform/log.ts';
import type { Secret } from '#platform/secret.ts';
import type { Sealing } from './vault/sealing.ts';

/** The platform's own keys of the two language models; null where the platform offers none. */
export type PlatformKeys = Readonly<Record<'openai' | 'anthropic', Secret | null>>;

/** A connection as the engine has it: its id, and when the engine last changed it, where it says so. */
export type HeldConnection = { id: string; updated?: string | undefined };

/** The engine's connections, one at a time. Each call throws when the engine fails. */
export type EngineConnections = {
  upsertConnection(connection: {
    projectId: string;
    externalId: string;
    displayName: string;
    props: { [name: string]: string };
  }): Promise<HeldConnection>;
  listConnections(projectId: string): Promise<(HeldConnection & { externalId: string })[]>;
  /** False when it did not exist. */
  deleteConnection(connectionId: string): Promise<boolean>;
};

export type CredentialsDeps = {
  db: Database;
  clock: Clock;
  log: Log;
  sealing: Sealing;
  platformKeys: PlatformKeys;
  baseUrls: ProviderBaseUrls;
  engine: EngineConnections;
  checkProvider: ProviderCheck;
  tenantSql: TenantSql;
  /** AUTOMATION_CALLBACK_SECRET: proves that a query comes from the execution it names. */
  callbackSecret: Secret;
};

/** Returns the providers that the platform offers a key of its own for. */
export function platformProviders(platformKeys: PlatformKeys): ('openai' | 'anthropic')[] {
  return (['openai', 'anthropic'] as const).filter((provider) => platformKeys[provider] !== null);
}

export function platformKey(platformKeys: PlatformKeys, provider: string): Secret | null {
  return provider === 'openai' || provider === 'anthropic' ? platformKeys[provider] : null;
}
