import { defineCron, handleJob } from '#platform/jobs/define-job.ts';
import { sendResetLink, sendResetLinkJob } from './passwords/request-reset.ts';
import type { IdentityDeps } from './deps.ts';
import { argon2Hasher } from './login/hasher.ts';
import { identityHandlers } from './routes.ts';
import { deleteExpiredSessions } from './store-sessions.ts';
import { deleteExpiredRevocations } from './store.ts';
import { deleteExpiredChallenges } from './mfa/store-mfa.ts';
import { deleteExpiredResets } from './passwords/store-passwords.ts';

export { actorOf } from './acting-staff.ts';
export { type ActingStaff, findActingStaff } from './store.ts';
export { argon2Hasher } from './login/hasher.ts';
export { rememberSignIn } from './known-device.ts';
export { type OpenedSession, openSession } from './open-session.ts';
export { resealTotpSecrets } from './mfa/reseal-totp-secrets.ts';
export { openByPassword, type PasswordDeps } from './login/open-by-password.ts';
export { seedAdmin } from './login/seed-admin.ts';
export { createSessionRules, type SessionRuleOptions } from './sessions/session-rules.ts';
export { readerLocale, readerTag } from './reader-locale.ts';
export { refuseBusinessName, refusePersonName } from './refuse-name.ts';
export type { SsoRequirement } from './deps.ts';
export { countStaff, endSessions, findUserById, revokeSession } from './store.ts';
export { switchMfaOff } from './mfa/store-mfa.ts';

/** Dependencies passed by the wiring; the rest have a default. */
export type IdentityOptions = Omit<IdentityDeps, 'hasher' | 'dummyHash' | 'ssoRequirement'> &
  Partial<Pick<IdentityDeps, 'hasher' | 'ssoRequirement'>>;

/** Login with its second step, passwords, profile, log-out and view-as sessions. */
export function identity({ hasher = argon2Hasher, ssoRequirement = async () => null, ...options }: IdentityOptions) {
  let dummy: Promise<string> | undefined;
  const dummyHash = (): Promise<string> => (dummy ??= hasher.hash('unknown address'));
  const deps: IdentityDeps = { ...options, hasher, ssoRequirement, dummyHash };
  return {
    routes: identityHandlers(deps),
    jobs: [handleJob(sendResetLinkJob, ({ requestId }) => sendResetLink(deps, requestId))],
    crons: [
      defineCron('identity.forget-ended-sessions', '17 * * * *', () =>
        deps.db.asSystem('sweep', async (tx) => {
          await deleteExpiredSessions(tx);
          await deleteExpiredRevocations(tx);
          await deleteExpiredChallenges(tx);
          await deleteExpiredResets(tx);
        }),
      ),
    ],
  };
}
