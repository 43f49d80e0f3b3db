import { loadBundles } from '@partner-portal/catalog/index.ts';
import type { Provider } from '@partner-portal/contract/vocabulary.ts';
import type { Template, TemplateBundle } from '@partner-portal/core/template/types.ts';
import type { Database } from '#platform/db/tx.ts';
import { catalogHandlers } from './routes.ts';

export { refuseInput } from './refuse-input.ts';
export { toConfigFields, toDefinition, toInputFields } from './template-record.ts';

/** The catalog of agent templates. They are loaded once; the service does not start with an invalid one. */
export function catalog({ db, platformProviders }: { db: Database; platformProviders: readonly Provider[] }) {
  const bundles = loadBundles();
  const byName = new Map(bundles.map((bundle) => [bundle.template.name, bundle]));
  const deps = { db, bundles, platformProviders };
  return {
    routes: catalogHandlers(deps),
    templateOf: (name: string): Template | undefined => byName.get(name)?.template,
    bundleOf: (name: string): TemplateBundle | undefined => byName.get(name),
  };
}
