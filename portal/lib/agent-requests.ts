import type { AgentRequestStatus } from '@house/contract/vocabulary.ts';
import { queryOptions } from '@tanstack/react-query';
import type { MarkKind } from '../ui/mark.tsx';
import { api, queryClient, type Reply } from './client.ts';
import { idParam, onlySet } from './search-params.ts';

export type AgentRequest = Reply<'getAgentRequest'>;

/** `request` opens its panel. */
export type RequestSearch = { request?: string | undefined };

export function parseRequestSearch(search: Record<string, unknown>): RequestSearch {
  return onlySet({ request: idParam(search.request) });
}

/** A state in the agency's words. */
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

const MOVING_MS = 3_000;
const RESTING_MS = 30_000;

/** What is open and the newest of what is done. Asked often only while something is on its way by itself. */
export const requestsQuery = (clientId: string | undefined) =>
  queryOptions({
    queryKey: ['agent-requests', clientId ?? 'all'],
    queryFn: async ({ signal }) => {
      const list = (open: 'true' | 'false', limit: number) => api.listAgentRequests({ query: { open, limit, clientId }, signal });
      const [open, done] = await Promise.all([list('true', 100), list('false', 20)]);
      return { requests: [...open.data, ...done.data], hasMore: open.nextCursor !== null };
    },
    refetchInterval: ({ state }) => (state.data?.requests.some(isMoving) ? MOVING_MS : RESTING_MS),
  });

function isMoving(request: AgentRequest): boolean {
  return request.status === 'provisioning' || request.waiting;
}

/** A request that moved changes what is installed, too. */
export function refreshRequests(): void {
  for (const key of ['agent-requests', 'agents', 'catalog', 'summary']) void queryClient.invalidateQueries({ queryKey: [key] });
}
