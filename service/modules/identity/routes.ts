import { defineHandlers } from '#platform/http/context.ts';
import { type LoginDeps, logIn } from './log-in.ts';
import { logOut, logOutEverywhere } from './log-out.ts';
import { readMe } from './read-me.ts';
import { updateMe } from './update-me.ts';

export function identityHandlers(deps: LoginDeps & { sandbox: boolean }) {
  return defineHandlers({
    login: ({ body }, context) => logIn(deps, context, body),
    getMe: (_input, context) => readMe(deps, context),
    updateMe: ({ body }, context) => updateMe(deps, context, body),
    logout: async (_input, context) => void (await logOut(deps, context)),
    logoutAll: async (_input, context) => void (await logOutEverywhere(deps, context)),
  });
}
