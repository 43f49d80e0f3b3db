import { queryOptions } from '@tanstack/react-query';
import { api } from '../app/api.ts';
import { keys } from './keys.ts';

/** The whole catalog as staff see it; it changes only with a release. */
export const templatesQuery = queryOptions({
  queryKey: keys.templates,
  queryFn: ({ signal }) => api.listTemplates({ signal }),
  staleTime: 60_000,
});
