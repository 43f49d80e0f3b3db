import { TEMPLATE_CATEGORIES, type TemplateCategory } from '@partner-portal/contract/vocabulary.ts';
import { queryOptions } from '@tanstack/react-query';
import { api, type Reply } from '../app/api.ts';
import { oneOf, type SearchOf, searchParser, textParam } from '../app/search-params.ts';
import { keys } from './keys.ts';

export type CatalogEntry = Reply<'listCatalog'>[number];
export const parseCatalogSearch = searchParser({ show: oneOf(['ready', 'installed']), q: textParam, open: textParam });
export type CatalogSearch = SearchOf<typeof parseCatalogSearch>;

/** All templates with their state for a client, or for the agency. */
export const catalogQuery = (clientId: string | undefined) =>
  queryOptions({
    queryKey: keys.catalog.of(clientId),
    queryFn: ({ signal }) => api.listCatalog({ query: { clientId }, signal }),
    staleTime: 60_000,
  });

const GROUPS: Readonly<Record<TemplateCategory, string>> = {
  calls: 'Calls and visits',
  appointments: 'Calls and visits',
  leads: 'Leads',
  sales: 'Leads',
  inbox: 'Answers and reviews',
  reviews: 'Answers and reviews',
  reports: 'Reports',
};

/** Returns the position of a category. */
export function categoryRank(category: TemplateCategory): number {
  return TEMPLATE_CATEGORIES.indexOf(category);
}

/** Returns the title of the group of a category. */
export function categoryGroup(category: TemplateCategory): string {
  return GROUPS[category];
}
