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

const GROUPS: readonly { title: string; categories: readonly string[] }[] = [
  { title: 'Calls and visits', categories: ['calls', 'appointments'] },
  { title: 'Leads', categories: ['leads', 'sales'] },
  { title: 'Answers and reviews', categories: ['inbox', 'reviews'] },
  { title: 'Reports', categories: ['reports'] },
];
const CATEGORIES = GROUPS.flatMap(({ categories }) => categories);

/** Returns the position of a category: those that reach callers and customers directly come first. */
export function categoryRank(category: string): number {
  const at = CATEGORIES.indexOf(category);
  return at < 0 ? CATEGORIES.length : at;
}

/** Returns the title of the group of a category. A category without a group is one by itself. */
export function categoryGroup(category: string): string {
  return GROUPS.find(({ categories }) => categories.includes(category))?.title ?? category.charAt(0).toUpperCase() + category.slice(1);
}
