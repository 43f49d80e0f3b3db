import type { TemplateBundle } from '@partner-portal/core/template/types.ts';
import type { StoredProvider } from '@partner-portal/core/credential/provider-rules.ts';
import type { Executions } from '#modules/3-product/executions/index.ts';
import type { Vault } from '#modules/3-product/credentials/index.ts';
import type { TenancyMode } from '@partner-portal/contract/vocabulary.ts';
import type { EngineClient } from '#adapters/engine-client.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database, SystemTx, Tx } from '#platform/db/tx.ts';
import type { Cursors } from '#platform/http/cursor.ts';
import type { Log } from '#platform/log.ts';
import type { Secret } from '#platform/secret.ts';
import type { Notices } from '#platform/notify.ts';
import type { InternalFetch } from '#platform/outbound/internal-fetch.ts';

/** A credential an agent requires: of a partner (client null) or of one of its clients. */
export type CredentialNeed = { partnerId: string; clientId: string | null; provider: StoredProvider };

/** The functions of the credentials module that the pipeline uses. */
export type CredentialDoor = {
  /** Resolves each need to its credential in one statement; opens none. */
  resolveCredentials: Vault['resolveCredentials'];
  /** Whether the need has a credential that can be bound; throws when its value cannot be opened. Records no use, since nothing is sent. */
  canBind: Vault['canBind'];
  /** Returns the needs without a usable credential, in their order. */
  listMissing<N extends CredentialNeed>(tx: Tx, needs: readonly N[]): Promise<N[]>;
  /**
   * Writes the resolved credential into the engine connection with this external id and stores the connection; undefined when it is missing
   * or unusable. Writes nothing when `held`, as the engine lists it, still has the value. Opens its own transactions and throws what the engine client
   * throws.
   */
  bindConnection(
    target: { slot: CredentialNeed; projectId: string; externalId: string },
    by: { type: 'user' | 'staff' | 'system'; id: string | null },
    guard: (tx: SystemTx) => Promise<void>,
    held: { id: string; updated?: string | undefined } | undefined,
  ): Promise<{ engineConnectionId: string; isUnchanged: boolean } | undefined>;
  /**
   * Deletes every engine connection of a partner, or of one of its clients, and its record; returns how many. Calls `guard` before each. Opens its own transactions and
   * throws what the engine client throws.
   */
  unbindConnections(
    place: { partnerId: string; clientId?: string | null; externalIdPrefix: string; projectId: string | null },
    guard: (tx: SystemTx) => Promise<void>,
  ): Promise<number>;
};

export type ProvisioningSettings = {
  /** AUTOMATION_ENGINE_ENABLED was exactly `true`. */
  engineEnabled: boolean;
  /** AUTOMATION_PROVIDER: for agencies that name none of their own. */
  provider: string;
  tenancyMode: TenancyMode;
  /** Internal engine address; null while the embedded engine is starting. */
  engineBaseUrl: () => string | null;
  /** Resolves once the embedded engine can be used; resolved where another engine is used. */
  engineStarted: Promise<void>;
  /** AUTOMATION_ENGINE_PROJECT_ID, or the embedded engine's own project. */
  engineProjectId: () => string | null;
  /** Informational (AUTOMATION_ENGINE_EDITION). */
  edition: string;
  /** The service runs its own engine. */
  embedded: boolean;
  /** Address that flows report to, without a trailing slash. */
  internalApiUrl: string;
  healthTimeoutMs: number;
  provisionTimeoutMinutes: number;
  /** A request that runs a setup is answered within this time, also when the setup goes on. */
  answerWithinMs: number;
  /** Address and bearer of the provider sandbox; null unless PROVIDER_SANDBOX is `true`. */
  sandbox: () => { url: string; token: Secret } | null;
};

export type ProvisioningDeps = {
  db: Database;
  clock: Clock;
  log: Log;
  notices: Pick<Notices, 'subscribe'>;
  engine: EngineClient;
  credentials: CredentialDoor;
  /** Waits, for half a minute at most, until the runs of an agency that are under way have ended: deleting their flows would end them. */
  awaitUnderWay: Executions['awaitUnderWay'];
  catalog: readonly TemplateBundle[];
  settings: ProvisioningSettings;
  internal: Pick<InternalFetch, 'send'>;
  cursors: Cursors;
};

/** Engines that a partner may name. */
export const KNOWN_PROVIDERS: readonly string[] = ['activepieces'];
