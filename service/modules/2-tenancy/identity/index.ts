import { defineCron, handleJob } from '#platform/jobs/define-job.ts';
import { sendResetLink, sendResetLinkJob } from './passwords/ask-reset.ts';
import type { IdentityDeps } from './deps.ts';
import { argon2Hasher } from './login/hasher.ts';
import { identityHandlers } from './routes.ts';
import { forgetEndedSessions } from './store.ts';
import { forgetChallenges } from './mfa/store-mfa.ts';
import { forgetResets } from './passwords/store-passwords.ts';

export { argon2Hasher } from './login/hasher.ts';
export { type OpenedSession, openSession } from './login/open-session.ts';
export { rewrapTotp } from './mfa/rewrap-totp.ts';
export { seedAdmin } from './login/seed-admin.ts';
export type { SsoRequirement } from './deps.ts';
export { endSessions, findUserById } from './store.ts';
export { switchMfaOff } from './mfa/store-mfa.ts';

/** What the wiring passes in; the rest has its only good value here. */
export type IdentityOptions = Omit<IdentityDeps, 'hasher' | 'dummyHash' | 'ssoRequirement'> &
  Partial<Pick<IdentityDeps, 'hasher' | 'ssoRequirement'>>;

/** Who is who: sign-in with its second step, passwords, the own profile, sign-out, looking as somebody else. */
export function identity({ hasher = argon2Hasher, ssoRequirement = async () => null, ...options }: IdentityOptions) {
  let dummy: Promise<string> | undefined;
  const dummyHash = (): Promise<string> => (dummy ??= hasher.hash('an address nobody has'));
  const deps: IdentityDeps = { ...options, hasher, ssoRequirement, dummyHash };
  return {
    routes: identityHandlers(deps),
    jobs: [handleJob(sendResetLinkJob, ({ requestId }) => sendResetLink(deps, requestId))],
    crons: [
      defineCron('identity.forget-ended-sessions', '17 * * * *', () =>
        deps.db.asSystem('sweep', async (tx) => {
          await forgetEndedSessions(tx);
          await forgetChallenges(tx);
          await forgetResets(tx);
        }),
      ),
    ],
  };
}
