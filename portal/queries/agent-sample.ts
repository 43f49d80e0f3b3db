import { queryOptions } from '@tanstack/react-query';
import { api } from '../app/api.ts';
import { keys } from './keys.ts';
import type { Json } from '../ui/text/json-viewer.tsx';

/** The agent's text for this input, or for the sample of its template, rendered by the service with the saved settings. Nothing is sent. */
export const phonePreviewQuery = (agentId: string, input: { [key: string]: Json } | undefined) =>
  queryOptions({
    queryKey: keys.agents.phonePreview(agentId, input ?? {}),
    queryFn: ({ signal }) => api.testAgent({ params: { id: agentId }, body: { dryRun: true, ...(input ? { input } : {}) }, signal }),
    staleTime: 60_000,
    retry: false,
  });

/** The same for the sample of its template. */
export const agentSampleQuery = (agentId: string) => phonePreviewQuery(agentId, undefined);
