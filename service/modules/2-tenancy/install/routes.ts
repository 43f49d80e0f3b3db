import type { IconName } from '@partner-portal/core/tenancy/install.ts';
import { answer } from '#platform/http/answer.ts';
import { defineHandlers } from '#platform/http/context.ts';
import type { InstallDeps } from './deps.ts';
import { createIconReader } from './read-icon.ts';
import { brandOfToken, readInstallLinks } from './read-install.ts';
import { webManifestOf } from './web-manifest.ts';

export function installHandlers(deps: InstallDeps) {
  const readIcon = createIconReader(deps);
  return defineHandlers({
    getMyInstall: (_input, { actor }) => readInstallLinks(deps, actor.partnerId),
    getWebManifest: async ({ query }) =>
      answer(200, webManifestOf(deps.callbackSecret.reveal(), await brandOfToken(deps, query.agency)), {
        'cache-control': 'public, max-age=300',
      }),
    getBrandIcon: async ({ params }) => readIcon(await brandOfToken(deps, params.agency), params.icon satisfies IconName),
  });
}
