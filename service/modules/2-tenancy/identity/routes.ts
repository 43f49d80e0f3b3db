import { answer } from '#platform/http/answer.ts';
import { defineHandlers } from '#platform/http/context.ts';
import { requestReset } from './passwords/request-reset.ts';
import { disableMfa, enableMfa, renewRecoveryCodes, setUpMfa } from './mfa/change-mfa.ts';
import { changePassword } from './passwords/change-password.ts';
import type { IdentityDeps } from './deps.ts';
import type { OpenedSession } from './open-session.ts';
import { type Browser, rememberDevice, rememberSignIn } from './known-device.ts';
import { logIn } from './login/log-in.ts';
import { logOut, logOutEverywhere } from './login/log-out.ts';
import { recover, verifyCode } from './mfa/pass-challenge.ts';
import { readMe } from './read-me.ts';
import { reauthenticate } from './sessions/reauthenticate.ts';
import { endOwnOtherSessions, endOwnSession, listOwnSessions } from './sessions/own-sessions.ts';
import { resetPassword } from './passwords/reset-password.ts';
import { updateMe } from './update-me.ts';
import { endViewAs, viewAs } from './view-as/view-as.ts';

export function identityHandlers(deps: IdentityDeps) {
  const remember = (caller: Browser, opened: OpenedSession) => answer(200, opened, rememberSignIn(deps, caller, opened));
  return defineHandlers({
    login: async ({ body }, context) => {
      const result = await logIn(deps, context, body);
      return 'accessToken' in result ? remember(context, result) : result;
    },
    verifyMfa: async ({ body }, context) => remember(context, await verifyCode(deps, context, body)),
    recoverMfa: async ({ body }, context) => remember(context, await recover(deps, context, body)),
    setUpMfa: (_input, context) => setUpMfa(deps, context),
    enableMfa: ({ body }, context) => enableMfa(deps, context, body),
    disableMfa: ({ body }, context) => disableMfa(deps, context, body),
    renewRecoveryCodes: ({ body }, context) => renewRecoveryCodes(deps, context, body),
    forgotPassword: async ({ body }, context) => {
      await requestReset(deps, context, body);
      return answer(202, { accepted: true as const });
    },
    resetPassword: async ({ body }, context) => {
      const proved = await resetPassword(deps, context, body);
      // The way back in for a user whom guesses of strangers locked out.
      return answer(204, undefined, rememberDevice(deps, context, { ...proved, secondStep: false }));
    },
    changePassword: async ({ body }, context) => remember(context, await changePassword(deps, context, body)),
    getMe: (_input, context) => readMe(deps, context),
    updateMe: ({ body }, context) => updateMe(deps, context, body),
    reauthenticate: ({ body }, context) => reauthenticate(deps, context, body),
    logout: async (_input, context) => void (await logOut(deps, context)),
    logoutAll: async (_input, context) => void (await logOutEverywhere(deps, context)),
    listSessions: (_input, context) => listOwnSessions(deps, context),
    endSession: async ({ params }, context) => void (await endOwnSession(deps, context, params.id)),
    endOtherSessions: (_input, context) => endOwnOtherSessions(deps, context),
    viewAs: ({ body }, context) => viewAs(deps, context, body),
    endViewAs: async (_input, context) => void (await endViewAs(deps, context)),
  });
}
