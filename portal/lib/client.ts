import type { Routes } from '@house/contract';
import { ApiError, createClient } from '@house/contract/client.ts';
import type { ReplyOf } from '@house/contract/define-route.ts';
import { QueryClient } from '@tanstack/react-query';
import { routes } from 'virtual:route-table';
import { getSession, setSession } from './session.ts';

/** The body a route answers with. */
export type Reply<Name extends keyof Routes> = ReplyOf<Routes[Name]>;

/** Typed calls, one per route of the contract. Throws ApiError on any refusal. */
export const api = createClient(routes, { baseUrl: '', fetch: callWithSession, token: () => getSession()?.accessToken });

/** The one place that handles 401 on a running session: it has ended, so log in and come back. */
async function callWithSession(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const sentToken = new Headers(init?.headers).has('authorization');
  const response = await fetch(input, init);
  if (response.status === 401 && sentToken) endSession();
  return response;
}

/** Forgets the session and opens the login page, which returns to the page left. */
export function endSession(): void {
  setSession(undefined);
  const here = location.pathname + location.search;
  if (!location.pathname.startsWith('/login')) location.assign(`/login?next=${encodeURIComponent(here)}`);
}

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      refetchOnWindowFocus: true,
      // A refusal is an answer: only a lost connection or a server in trouble is worth asking again.
      retry: (count, error) => count < 2 && (!(error instanceof ApiError) || error.status >= 502 || error.status === 429),
      retryDelay: (count, error) =>
        error instanceof ApiError && error.retryAfterSeconds ? error.retryAfterSeconds * 1000 : 800 * 2 ** count,
    },
    mutations: { retry: false },
  },
});

/** Fetches a CSV route with the session's header (never a token in the address) and hands it to the browser as a file. */
export async function downloadCsv(text: Promise<string>, filename: string): Promise<void> {
  const url = URL.createObjectURL(new Blob([await text], { type: 'text/csv' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = filename;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
