import { loadBundles } from '@partner-portal/catalog/index.ts';
import type { Provider } from '@partner-portal/contract/vocabulary.ts';
import type { Template, TemplateBundle } from '@partner-portal/core/template/types.ts';
import type { Database } from '#platform/db/tx.ts';
import { defineHandlers } from '#platform/http/context.ts';
import { getCatalogEntry, listCatalog } from './list-catalog.ts';

export { toConfigFields, toDefinition, toInputFields } from './template-record.ts';

/** The catalog of agent templates. They are loaded once; the service does not start with an invalid one. */
export function catalog({ db, platformProviders }: { db: Database; platformProviders: readonly Provider[] }) {
  const bundles = loadBundles();
  const byName = new Map(bundles.map((bundle) => [bundle.template.name, bundle]));
  const deps = { db, bundles, platformProviders };
  return {
    routes: defineHandlers({
      listCatalog: ({ query }, { actor, now }) => listCatalog(deps, actor, query, now),
      getCatalogEntry: ({ params, query }, { actor, now }) =>
        getCatalogEntry(deps, actor, { ...query, templateName: params.templateName }, now),
    }),
    templateOf: (name: string): Template | undefined => byName.get(name)?.template,
    bundleOf: (name: string): TemplateBundle | undefined => byName.get(name),
  };
}
