import type { Routes } from '@partner-portal/contract';
import { createClient } from '@partner-portal/contract/client.ts';
import type { ReplyOf } from '@partner-portal/contract/define-route.ts';
import { routes } from 'virtual:route-table';
import { whileStaying } from './log-out.ts';
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
