import { defineCron } from '#platform/jobs/define-job.ts';
import type { SsoDeps } from './deps.ts';
import { refreshMetadata } from './connection/refresh-metadata.ts';
import { forgetAttempts, timeOutTests } from './store-attempts.ts';
import { forgetLogins } from './login/store-logins.ts';
import { ssoHandlers } from './routes.ts';

export { resealClientSecrets } from './connection/reseal-client-secrets.ts';
export { ssoRequirement } from './connection/enforcement.ts';

/** Single sign-on of partners: connection, login through the provider, enforcement. */
export function sso(deps: SsoDeps) {
  return {
    routes: ssoHandlers(deps),
    crons: [
      defineCron('sso.refresh-metadata', '29 * * * *', () => refreshMetadata(deps)),
      defineCron('sso.forget-logins', '7 * * * *', () =>
        deps.db.asSystem('sweep', async (tx) => {
          await forgetLogins(tx, deps.clock.now());
          await forgetAttempts(tx, deps.clock.now());
        }),
      ),
      defineCron('sso.time-out-tests', '* * * * *', () => timeOut(deps)),
    ],
    refreshMetadata: () => refreshMetadata(deps),
    timeOutTests: () => timeOut(deps),
  };
}

const timeOut = (deps: SsoDeps) => deps.db.asSystem('sweep', (tx) => timeOutTests(tx, deps.clock.now()));
