import type { Routes } from '@partner-portal/contract';
import { createClient } from '@partner-portal/contract/client.ts';
import type { ReplyOf } from '@partner-portal/contract/define-route.ts';
import { routes } from 'virtual:route-table';
import { whileStaying } from './leaving.ts';
import { endView, getSession, leaveFor } from './session.ts';

/** The body a route answers with. */
export type Reply<Name extends keyof Routes> = ReplyOf<Routes[Name]>;

/** Typed calls, one per route of the contract. Throws ApiError on any refusal. */
export const api = createClient(routes, { baseUrl: '', fetch: callWithSession, token: () => getSession()?.accessToken });

/** Refusals of a proof that was typed in, such as the current password: the session itself goes on. */
const PROOFS: readonly unknown[] = ['invalid_credentials', 'invalid_mfa_code'];

/** The one place that handles 401 on a running session: it has ended, so log in and come back. */
async function callWithSession(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  if (init?.method === 'GET') await whileStaying();
  const sent = new Headers(init?.headers).get('authorization');
  const response = await fetch(input, init);
  // The refusal of a session that was replaced meanwhile says nothing about the one that runs.
  const running = getSession();
  if (response.status === 401 && sent !== null && (!running || sent === `Bearer ${running.accessToken}`)) {
    const problem = (await response
      .clone()
      .json()
      .catch(() => undefined)) as { code?: unknown } | undefined; // a problem body, as the server promises
    if (!PROOFS.includes(problem?.code)) endSession();
  }
  return response;
}

/** Forgets the session and opens the login page, which returns to the page left. A view that ended gives the own session back. */
export function endSession(): void {
  if (getSession()?.user.viewAs) return endView();
  const here = location.pathname + location.search;
  if (!location.pathname.startsWith('/login')) leaveFor(`/login?next=${encodeURIComponent(here)}`, undefined);
}

export { queryClient, readAgainAfterNews } from './query-client.ts';

export const downloadCsv = (text: Promise<string>, filename: string): Promise<void> => downloadText(text, filename, 'text/csv');

/** Fetches a file with the session's header (never a token in the address) and hands it to the browser. */
export async function downloadText(text: Promise<string>, filename: string, type: string): Promise<void> {
  const url = URL.createObjectURL(new Blob([await text], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = filename;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
