import { queryOptions } from '@tanstack/react-query';
import { api } from '../app/api.ts';
import { keys } from './keys.ts';

/** The agency's view of its automation: stages, the public error, installed agents. */
export const setupQuery = queryOptions({ queryKey: keys.setup, queryFn: ({ signal }) => api.getMyAutomation({ signal }) });
