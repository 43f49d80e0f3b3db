import { queryOptions } from '@tanstack/react-query';
import { api } from '../app/api.ts';
import { keys } from './keys.ts';

/** How the engine does: at the foot of the staff's rail, and in full on its page. */
export const engineQuery = queryOptions({
  queryKey: keys.engine,
  queryFn: ({ signal }) => api.getEngine({ signal }),
  staleTime: 30_000,
  refetchInterval: 60_000,
});
