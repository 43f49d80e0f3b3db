import type { Routes } from '@partner-portal/contract';
import { type ClientOptions, createClient } from '@partner-portal/contract/client.ts';
import type { ReplyOf } from '@partner-portal/contract/define-route.ts';
import { firstRoutes } from 'virtual:first-routes';
import { attendance } from './attendance.ts';
import { findBodyErrors } from './body-check.ts';
import { confirmLogin } from './confirm-login.ts';
import { fromService, InvalidInput } from './errors.ts';
import { unlessLoggingOut } from './log-out.ts';
import { noteServerTime } from './server-clock.ts';
import { endView, getSession, leaveForLogin } from './session.ts';

/** The response body of a route. */
export type Reply<Name extends keyof Routes> = ReplyOf<Routes[Name]>;

/** Sends a read that may share a request with others; undefined for any other call, and for those of the login and the application. */
type SendTogether = (routeName: string, url: string, init: RequestInit) => (() => Promise<Response>) | undefined;
let together: SendTogether = () => undefined;

/** What every call of the portal has: the session of the tab. */
export const SESSION_CALLS: ClientOptions = {
  baseUrl: '',
  fetch: async (url, given, routeName) => {
    const init = { ...given, headers: { ...(given.headers as Record<string, string>), ...attendance() } }; // as the client builds them
    return arrived(await callWithSession(url, init, together(routeName, url, init)));
  },
  token: () => getSession()?.accessToken,
};

/** Returns the response once all of it is there: the connection may be lost within it. */
async function arrived(response: Response): Promise<Response> {
  const body = await fromService(response.arrayBuffer());
  return new Response(body.byteLength > 0 ? body : null, response);
}

/** Typed calls, one per route of the contract. Throws ApiError on any refusal. */
export const api = createClient(firstRoutes, SESSION_CALLS);

/** API calls for forms: a body that its schema refuses is not sent, and the call throws InvalidInput. */
const FORM_CALLS: ClientOptions = {
  ...SESSION_CALLS,
  beforeSend: async (routeName, body) => {
    const found = await findBodyErrors(routeName, body);
    if (found.length > 0) throw new InvalidInput(found);
  },
};
export const formApi = createClient(firstRoutes, FORM_CALLS);

/** Adds the routes of all pages, before one of them is shown. */
export function addRoutes(routes: Routes, sendTogether: SendTogether): void {
  together = sendTogether;
  Object.assign(api, createClient(routes, SESSION_CALLS));
  Object.assign(formApi, createClient(routes, FORM_CALLS));
}

/** 401 codes for a wrong password or code, which do not end the session. */
const PROOFS: readonly unknown[] = ['invalid_credentials', 'invalid_mfa_code'];

/**
 * Sends a request; a 401 for the current session ends it and opens the login page, and a 403 that says the account is suspended is passed
 * on to `whenSuspended`. A request that requires the password again prompts for it and is then repeated.
 */
export async function callWithSession(
  input: RequestInfo | URL,
  init?: RequestInit,
  send: () => Promise<Response> = () => fetch(input, init),
): Promise<Response> {
  if (init?.method === 'GET') await unlessLoggingOut();
  const sent = new Headers(init?.headers).get('authorization');
  const response = await fromService(send());
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

/** Ends the session and opens the login page, which says so and returns to this page. An expired view-as session restores the user's own. */
export function endSession(): void {
  if (getSession()?.user.viewAs) return endView();
  if (!location.pathname.startsWith('/login')) leaveForLogin();
}
