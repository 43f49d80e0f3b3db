import { queryOptions } from '@tanstack/react-query';
import { api, type Reply } from '../app/api.ts';
import { choiceParam, onlySet, textParam } from '../app/search-params.ts';
import { keys } from './keys.ts';

export type CatalogEntry = Reply<'listCatalog'>[number];
export type CatalogSearch = { show?: 'all' | 'ready' | 'installed' | undefined; q?: string | undefined; open?: string | undefined };

export function parseCatalogSearch(search: Record<string, unknown>): CatalogSearch {
  return onlySet({ show: choiceParam(['ready', 'installed'], search.show), q: textParam(search.q), open: textParam(search.open) });
}

/** All templates with their state for a client, or for the agency. */
export const catalogQuery = (clientId: string | undefined) =>
  queryOptions({
    queryKey: keys.catalog.of(clientId),
    queryFn: ({ signal }) => api.listCatalog({ query: { clientId }, signal }),
    staleTime: 60_000,
  });

const CATEGORIES: Record<string, string> = {
  calls: 'Calls',
  appointments: 'Appointments',
  leads: 'Leads',
  sales: 'Sales',
  inbox: 'Inbox and answers',
  reviews: 'Reviews',
  reports: 'Reports',
};

/** Returns the position of a category: those that reach callers and customers directly come first. */
export function categoryRank(category: string): number {
  const at = Object.keys(CATEGORIES).indexOf(category);
  return at < 0 ? Object.keys(CATEGORIES).length : at;
}

export function categoryWord(category: string): string {
  return CATEGORIES[category] ?? category.charAt(0).toUpperCase() + category.slice(1);
}
