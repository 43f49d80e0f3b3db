import { type AgentRequestStatus, OPEN_REQUEST_STATUSES, type OpenRequestStatus } from '@partner-portal/contract/vocabulary.ts';
import { queryOptions } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { MarkKind } from '../ui/feedback/mark.tsx';
import { api, type Reply } from '../app/api.ts';
import { queryClient } from '../app/query-client.ts';
import { useLive } from '../app/use-live.ts';
import type { LiveState } from '../ui/feedback/live-dot.tsx';
import { idParam, searchParser } from '../app/search-params.ts';
import { keys } from './keys.ts';
import { refreshAfter } from './refresh.ts';

export type AgentRequest = Reply<'getAgentRequest'>;

/** `request` opens its panel. */
export const parseRequestSearch = searchParser({ request: idParam });

/** Labels of the states, as agencies see them. */
export const REQUEST_STATUS: Record<AgentRequestStatus, { mark: MarkKind; word: string }> = {
  suggested: { mark: 'wait', word: 'Suggested' },
  submitted: { mark: 'wait', word: 'Submitted' },
  approved: { mark: 'ok', word: 'Approved' },
  provisioning: { mark: 'run', word: 'Installing' },
  provisioning_failed: { mark: 'warn', word: 'Not installed yet' },
  fulfilled: { mark: 'ok', word: 'Installed' },
  rejected: { mark: 'skip', word: 'Rejected' },
  cancelled: { mark: 'skip', word: 'Cancelled' },
  declined: { mark: 'skip', word: 'Declined' },
};

export function isOpen(status: AgentRequestStatus): status is OpenRequestStatus {
  return OPEN_REQUEST_STATUSES.some((open) => open === status);
}

/** Open requests and the most recent closed ones. Updated by the stream (useLiveRequests). */
export const requestsQuery = (clientId: string | undefined) =>
  queryOptions({
    queryKey: keys.agentRequests.of(clientId),
    queryFn: async ({ signal }) => {
      const list = (open: 'true' | 'false', limit: number) => api.listAgentRequests({ query: { open, limit, clientId }, signal });
      const [open, done] = await Promise.all([list('true', 100), list('false', 20)]);
      return { requests: [...open.data, ...done.data], hasMore: open.nextCursor !== null, hasMoreDone: done.nextCursor !== null };
    },
  });

const UNDER_WAY = 5;

/** The newest open requests, for the overview. */
export const openRequestsQuery = (clientId: string | undefined) =>
  queryOptions({
    queryKey: keys.agentRequests.open(clientId),
    queryFn: ({ signal }) => api.listAgentRequests({ query: { open: 'true', limit: UNDER_WAY, clientId }, signal }),
    placeholderData: (before) => before,
    staleTime: 30_000,
  });

const refresh = (): void => void refreshAfter('agentRequestChanged');

/** Events within this time share one refetch. */
const GATHER_MS = 150;

/** Follows requests in scope and updates the list in place; polls while there is no stream. */
export function useLiveRequests(clientId: string | undefined): LiveState {
  const later = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(later.current), []);
  return useLive({
    path: `/agent-requests/stream${clientId === undefined ? '' : `?clientId=${clientId}`}`,
    onEvent: ({ data }) => {
      const changed = JSON.parse(data) as AgentRequest; // the list's own record, by contract
      queryClient.setQueryData(requestsQuery(clientId).queryKey, (before) => {
        const isKnown = before?.requests.some((one) => one.id === changed.id);
        return before && isKnown ? { ...before, requests: before.requests.map((one) => (one.id === changed.id ? changed : one)) } : before;
      });
      // New requests, installed agents and the counts in the menu are refetched once for several events.
      clearTimeout(later.current);
      later.current = setTimeout(refresh, GATHER_MS);
    },
    onCatchUp: refresh,
    continues: keys.agentRequests.all,
  });
}
