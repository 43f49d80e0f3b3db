import { queryOptions } from '@tanstack/react-query';
import { api } from '../../app/api.ts';
import { keys } from '../../queries/keys.ts';

const LOOK_MS = 2_000;

/** The newest roll-outs of a template, looked at again while one runs, or was paused and still has agencies under way. */
export const rolloutsQuery = (templateName: string) =>
  queryOptions({
    queryKey: keys.rollouts.of(templateName),
    queryFn: ({ signal }) => api.listRollouts({ query: { templateName }, signal }),
    refetchInterval: ({ state: { data: [latest] = [] } }) =>
      latest && (latest.status === 'running' || latest.counts.running > 0) ? LOOK_MS : false,
  });
