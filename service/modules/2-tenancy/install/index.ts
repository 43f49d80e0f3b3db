import type { InstallDeps } from './deps.ts';
import { installHandlers } from './routes.ts';

export type { InstallDeps } from './deps.ts';
export type { BrandRow } from './store.ts';
export { installLinks } from './web-manifest.ts';

/** The client portal as an app of its agency: manifest, icons, and what the head of a page needs. */
export function install(deps: InstallDeps) {
  return { routes: installHandlers(deps) };
}
