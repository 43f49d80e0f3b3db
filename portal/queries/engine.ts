import { queryOptions } from '@tanstack/react-query';
import { api } from '../app/api.ts';
import { keys } from './keys.ts';

/** State of the engine, shown at the foot of the staff navigation and on its own page. */
export const engineQuery = queryOptions({
  queryKey: keys.engine,
  queryFn: ({ signal }) => api.getEngine({ signal }),
  staleTime: 30_000,
  refetchInterval: 60_000,
});
