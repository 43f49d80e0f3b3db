import { queryOptions } from '@tanstack/react-query';
import { api } from '../app/api.ts';
import { keys } from './keys.ts';

/** The agency's view of its automation: stages, the public error, its newest agents or those of one client. */
export const setupQuery = (clientId: string | undefined) =>
  queryOptions({ queryKey: keys.setup.of(clientId), queryFn: ({ signal }) => api.getMyAutomation({ query: { clientId }, signal }) });
