import { queryOptions } from '@tanstack/react-query';
import { api, type Reply } from '../app/api.ts';
import { keys } from './keys.ts';

export type EventCatalogue = Reply<'listEventTypes'>;

/** What the service sends and how to check it: the same for everybody, and as long as this version runs. */
export const eventCatalogueQuery = queryOptions({
  queryKey: keys.eventCatalogue,
  queryFn: ({ signal }) => api.listEventTypes({ signal }),
  staleTime: Number.POSITIVE_INFINITY,
});
