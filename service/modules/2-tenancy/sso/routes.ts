import { answer } from '#platform/http/answer.ts';
import { defineHandlers } from '#platform/http/context.ts';
import { beginLogin, startTest } from './login/begin-login.ts';
import { addKey, useNextKey } from './connection/change-key.ts';
import { describePortal } from './connection/describe-portal.ts';
import type { SsoDeps } from './deps.ts';
import { enforceSso, readAffected, releaseSso } from './connection/enforcement.ts';
import { signInByCode } from './login/exchange-code.ts';
import { readBrand } from './login/read-brand.ts';
import { finishOidc, finishSaml } from './login/finish-login.ts';
import { replaceSecret } from './connection/replace-secret.ts';
import { refreshConnection } from './connection/refresh-metadata.ts';
import { readConnection, removeConnection, saveConnection } from './connection/save-connection.ts';
import { readFailedLogins } from './login/read-failed-logins.ts';
import { answerProvider } from './logout/answer-provider.ts';
import { readLogoutAddress } from './logout/logout-address.ts';

export function ssoHandlers(deps: SsoDeps) {
  return defineHandlers({
    getSsoConnection: (_input, context) => readConnection(deps, context),
    putSsoConnection: ({ body }, context) => saveConnection(deps, context, body),
    replaceSsoSecret: ({ body }, context) => replaceSecret(deps, context, body.clientSecret),
    testSsoConnection: (_input, context) => startTest(deps, context),
    refreshSsoConnection: (_input, context) => refreshConnection(deps, context),
    listSsoFailedLogins: (_input, context) => readFailedLogins(deps, context),
    addSsoKey: (_input, context) => addKey(deps, context),
    useSsoKey: (_input, context) => useNextKey(deps, context),
    deleteSsoConnection: async (_input, context) => void (await removeConnection(deps, context)),
    listSsoAffected: (_input, context) => readAffected(deps, context),
    enforceSso: ({ body }, context) => enforceSso(deps, context, body.enforced),
    releaseSso: async ({ body }, context) => void (await releaseSso(deps, context, body)),
    startSso: ({ params, query }, context) => beginLogin(deps, context, params.slug, query),
    ssoBrand: ({ params }) => readBrand(deps, params.slug),
    ssoCallback: ({ params, query }, context) => finishOidc(deps, context, params.slug, query),
    ssoAssertion: ({ params }, context) => finishSaml(deps, context, params.slug),
    ssoLogout: ({ params, query }, context) => answerProvider(deps, context, params.slug, query),
    logoutAddress: (_input, context) => readLogoutAddress(deps, context),
    ssoMetadata: ({ params }) => describePortal(deps, params.slug),
    exchangeSsoCode: async ({ body }, context) => {
      const { opened, headers } = await signInByCode(deps, context, body.code);
      return answer(200, opened, headers);
    },
  });
}
