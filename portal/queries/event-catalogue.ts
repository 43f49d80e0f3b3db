import { queryOptions } from '@tanstack/react-query';
import { api, type Reply } from '../app/api.ts';
import { keys } from './keys.ts';

export type EventCatalogue = Reply<'listEventTypes'>;

/** Event types and how to verify deliveries. The same for all users until the next release. */
export const eventCatalogueQuery = queryOptions({
  queryKey: keys.eventCatalogue,
  queryFn: ({ signal }) => api.listEventTypes({ signal }),
  staleTime: Number.POSITIVE_INFINITY,
});
