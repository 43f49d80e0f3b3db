import { partnerOfInstallToken } from '@partner-portal/core/tenancy/install.ts';
import { refuse } from '#platform/refuse.ts';
import type { InstallDeps } from './deps.ts';
import { type BrandRow, findBrand } from './store.ts';
import { installLinks } from './web-manifest.ts';

type Deps = Pick<InstallDeps, 'db' | 'callbackSecret'>;

/** Returns the links in the head of a page of the agency. */
export async function readInstallLinks(deps: Deps, partnerId: string) {
  return installLinks(deps.callbackSecret.reveal(), await brandOf(deps, partnerId));
}

/** Returns the brand that a token in an address is for; `not_found` for a forged one. */
export function brandOfToken(deps: Deps, token: string): Promise<BrandRow> {
  return brandOf(deps, partnerOfInstallToken(deps.callbackSecret.reveal(), token));
}

async function brandOf({ db }: Deps, partnerId: string | null): Promise<BrandRow> {
  return (partnerId === null ? undefined : await db.asSystem('files', (tx) => findBrand(tx, partnerId))) ?? refuse('not_found');
}
