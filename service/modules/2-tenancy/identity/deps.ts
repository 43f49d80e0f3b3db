import type { KeyRing } from '@partner-portal/core/credential/vault.ts';
import type { Database, SystemTx } from '#platform/db/tx.ts';
import type { RateLimits } from '#platform/http/rate-limit.ts';
import type { Sessions } from '#platform/http/session.ts';
import type { QueueMail } from '#modules/1-ledger/mail/index.ts';
import type { Hasher } from './login/hasher.ts';
import type { SessionRow } from './store.ts';

export type IdentityDeps = {
  db: Database;
  sessions: Sessions;
  limits: RateLimits;
  hasher: Hasher;
  /** Compared against when an address is unknown, so that it costs what a known one costs. */
  dummyHash: () => Promise<string>;
  /** Seals the secrets of authenticator apps. */
  ring: KeyRing;
  queueMail: QueueMail;
  /** Where links of mails point. */
  baseUrl: string;
  /** Whether this installation talks to the provider sandbox; the portal says so in a bar. */
  sandbox: boolean;
  /** Where this user has to sign in instead, once their agency lets nobody in by password. */
  ssoRequirement: SsoRequirement;
};

export type SsoRequirement = (tx: SystemTx, user: SessionRow) => Promise<{ ssoUrl: string } | null>;
