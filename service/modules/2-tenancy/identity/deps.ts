import type { DataKeys } from '#modules/1-ledger/data-keys/index.ts';
import type { Database, SystemTx } from '#platform/db/tx.ts';
import type { RateLimits } from '#platform/http/rate-limit.ts';
import type { Sessions } from '#platform/http/session.ts';
import type { QueueMail } from '#modules/1-ledger/mail/index.ts';
import type { LoginFailureLimit } from './failures.ts';
import type { Hasher } from './login/hasher.ts';
import type { CodeFailureLimit } from './mfa/guard-codes.ts';
import type { SessionRow } from './store.ts';

export type IdentityDeps = {
  db: Database;
  sessions: Sessions;
  limits: RateLimits<LoginFailureLimit | CodeFailureLimit | 'passwordReset' | 'passwordResetOfAddress' | 'passwordResetOfDevice'>;
  hasher: Hasher;
  /** Verified against when an address is unknown, so both cases take the same time. */
  dummyHash: () => Promise<string>;
  /** Seals the secrets of authenticator apps. */
  dataKeys: DataKeys;
  queueMail: QueueMail;
  /** Base of links in mails. */
  baseUrl: string;
  /** Whether this installation uses the provider sandbox; the portal shows a bar. */
  sandbox: boolean;
  /** Whether staff may only set up their second step until they have one. */
  staffMfaRequired: boolean;
  /** Returns where the user must log in instead when their partner enforces single sign-on. */
  ssoRequirement: SsoRequirement;
};

export type SsoRequirement = (tx: SystemTx, user: Pick<SessionRow, 'role' | 'partnerId'>) => Promise<{ ssoUrl: string } | null>;
