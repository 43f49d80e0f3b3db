import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '../../app/api.ts';
import { keys } from '../../queries/keys.ts';
import type { Draft } from './use-draft.ts';

/** The agent's messages with these settings, rendered by the service. Nothing is sent. */
export const agentPreviewQuery = (id: string, config: Draft['config']) =>
  queryOptions({
    queryKey: keys.agents.preview(id, config),
    queryFn: ({ signal }) => api.testAgent({ params: { id }, body: { config, dryRun: true }, signal }),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  });
