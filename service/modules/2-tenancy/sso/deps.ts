import type { DataKeys } from '#modules/1-ledger/data-keys/index.ts';
import type { OidcClient } from '#adapters/oidc.ts';
import type { SamlClient } from '#adapters/saml.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/db/tx.ts';
import type { Sessions } from '#platform/http/session.ts';
import type { Log } from '#platform/log.ts';
import type { SafeFetch } from '#platform/outbound/safe-fetch.ts';
import type { MailQueue } from '#modules/1-ledger/mail/index.ts';

export type SsoDeps = {
  db: Database;
  clock: Clock;
  log: Log;
  sessions: Sessions;
  /** Seals client secrets. */
  dataKeys: DataKeys;
  /** Guards every outbound address of a provider. */
  fetch: SafeFetch;
  oidc: OidcClient;
  saml: SamlClient;
  mail: MailQueue;
  /** PUBLIC_BASE_URL, without a trailing slash. */
  baseUrl: string;
  /** Whether settings that cannot work are refused instead of warned about. */
  isProduction: boolean;
};
