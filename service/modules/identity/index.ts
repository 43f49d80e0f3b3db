import type { Database } from '#platform/db/tx.ts';
import type { RateLimits } from '#platform/http/rate-limit.ts';
import type { Sessions } from '#platform/http/session.ts';
import { defineCron } from '#platform/jobs/define-job.ts';
import { argon2Hasher, type Hasher } from './hasher.ts';
import { identityHandlers } from './routes.ts';
import { forgetEndedSessions } from './store.ts';

export { argon2Hasher, type Hasher } from './hasher.ts';
export { seedAdmin } from './seed-admin.ts';
export { endSessions } from './store.ts';

export type IdentityDeps = {
  db: Database;
  sessions: Sessions;
  limits: RateLimits;
  /** Whether this installation talks to the provider sandbox; the portal says so in a bar. */
  sandbox: boolean;
  hasher?: Hasher;
};

/** Who is who: sign-in, the own profile, sign-out. */
export function identity({ db, sessions, limits, sandbox, hasher = argon2Hasher }: IdentityDeps) {
  let dummy: Promise<string> | undefined;
  // Compared against when an address is unknown, so that it costs what a known one costs.
  const dummyHash = (): Promise<string> => (dummy ??= hasher.hash('an address nobody has'));
  return {
    routes: identityHandlers({ db, sessions, limits, sandbox, hasher, dummyHash }),
    crons: [defineCron('identity.forget-ended-sessions', '17 * * * *', () => db.asSystem('sweep', forgetEndedSessions))],
  };
}
