import { type IconName, partnerOfInstallToken } from '@partner-portal/core/tenancy/install.ts';
import { answer } from '#platform/http/answer.ts';
import { defineHandlers } from '#platform/http/context.ts';
import { refuse } from '#platform/refuse.ts';
import type { Secret } from '#platform/secret.ts';
import { createIconReader, type IconDeps } from './read-icon.ts';
import { type BrandRow, findBrand } from './store.ts';
import { installLinks, webManifestOf } from './web-manifest.ts';

export type { BrandRow } from './store.ts';
export { installLinks } from './web-manifest.ts';
export type InstallDeps = IconDeps & { callbackSecret: Secret };

/** The client portal as an app of its agency: manifest, icons, and what the head of a page needs. */
export function install(deps: InstallDeps) {
  const secret = deps.callbackSecret.reveal();
  const readIcon = createIconReader(deps);
  const brandOf = async (partnerId: string | null): Promise<BrandRow> =>
    (partnerId === null ? undefined : await deps.db.asSystem('files', (tx) => findBrand(tx, partnerId))) ?? refuse('not_found');
  const linksOf = async (partnerId: string) => installLinks(secret, await brandOf(partnerId));
  return {
    routes: defineHandlers({
      getMyInstall: (_input, { actor }) => linksOf(actor.partnerId),
      getWebManifest: async ({ query }) =>
        answer(200, webManifestOf(secret, await brandOf(partnerOfInstallToken(secret, query.agency))), {
          'cache-control': 'public, max-age=300',
        }),
      getBrandIcon: async ({ params }) =>
        readIcon(await brandOf(partnerOfInstallToken(secret, params.agency)), params.icon satisfies IconName),
    }),
  };
}
