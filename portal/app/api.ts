import type { Routes } from '@partner-portal/contract';
import { type ClientOptions, createClient } from '@partner-portal/contract/client.ts';
import type { ReplyOf } from '@partner-portal/contract/define-route.ts';
import { readsTogether, routes } from 'virtual:route-table';
import { attendance } from './attendance.ts';
import { findBodyErrors } from './body-check.ts';
import { confirmLogin } from './confirm-login.ts';
import { InvalidInput } from './errors.ts';
import { unlessLoggingOut } from './log-out.ts';
import { readTogether } from './read-together.ts';
import { type OnSent, sendForm } from './send-form.ts';
import { noteServerTime } from './server-clock.ts';
import { endView, getSession, leaveWithSession } from './session.ts';

/** The response body of a route. */
export type Reply<Name extends keyof Routes> = ReplyOf<Routes[Name]>;

const SESSION_CALLS: ClientOptions = {
  baseUrl: '',
  fetch: (url, given, routeName) => {
    const init = { ...given, headers: { ...(given.headers as Record<string, string>), ...attendance() } }; // as the client builds them
    return callWithSession(url, init, readsTogether.has(routeName) ? () => readTogether(url, init) : undefined);
  },
  token: () => getSession()?.accessToken,
};

/** Typed calls, one per route of the contract. Throws ApiError on any refusal. */
export const api = createClient(routes, SESSION_CALLS);

/** The same calls for forms: a body that its schema refuses is not sent, and the call throws InvalidInput. */
export const formApi = createClient(routes, {
  ...SESSION_CALLS,
  beforeSend: async (routeName, body) => {
    const found = await findBodyErrors(routeName, body);
    if (found.length > 0) throw new InvalidInput(found);
  },
});

/** The same calls, for a form with a large file: `onSent` learns how much of it is sent. */
export function uploadingApi(onSent: OnSent) {
  return createClient(routes, {
    ...SESSION_CALLS,
    fetch: (input, init) => callWithSession(input, init, () => sendForm(input, init, onSent)),
  });
}

/** 401 codes for a wrong password or code, which do not end the session. */
const PROOFS: readonly unknown[] = ['invalid_credentials', 'invalid_mfa_code'];

/**
 * Sends a request; a 401 for the current session ends it and opens the login page, and a 403 that says the account is suspended is passed
 * on to `whenSuspended`. One that asks for the password has it asked for, and is then repeated.
 */
export async function callWithSession(
  input: RequestInfo | URL,
  init?: RequestInit,
  send: () => Promise<Response> = () => fetch(input, init),
): Promise<Response> {
  if (init?.method === 'GET') await unlessLoggingOut();
  const sent = new Headers(init?.headers).get('authorization');
  const response = await send();
  noteServerTime(response);
  // A 401 for a session that was replaced meanwhile does not concern the current one.
  const running = getSession();
  if (response.status === 401 && sent !== null && (!running || sent === `Bearer ${running.accessToken}`)) {
    if (!PROOFS.includes(await codeIn(response))) endSession();
  }
  if (response.status === 403 && sent !== null) {
    const code = await codeIn(response);
    if (code === 'account_suspended') onSuspended();
    if (code === 'reauthentication_required' && (await confirmLogin())) return callWithSession(input, init, send);
  }
  return response;
}

async function codeIn(response: Response): Promise<unknown> {
  const problem = (await response
    .clone()
    .json()
    .catch(() => undefined)) as { code?: unknown } | undefined; // a problem body, as the server promises
  return problem?.code;
}

let onSuspended = (): void => undefined;

/** Sets what happens when any call is refused because the account is suspended. */
export function whenSuspended(act: () => void): void {
  onSuspended = act;
}

/** Ends the session and opens the login page, which returns to this page. An expired view-as session restores the user's own. */
export function endSession(): void {
  if (getSession()?.user.viewAs) return endView();
  const here = location.pathname + location.search;
  if (!location.pathname.startsWith('/login')) leaveWithSession(`/login?next=${encodeURIComponent(here)}`, undefined);
}
