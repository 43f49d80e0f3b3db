import { HOME_PAGES } from '@partner-portal/contract/pages.ts';
import type { Role } from '@partner-portal/contract/vocabulary.ts';
import type { Session } from './session-record.ts';
import { askTabs, joinTabs, shareEnd, type Shared, showPresence } from './session-tabs.ts';
import { Listeners } from '../ui/hooks/listeners.ts';

export type { Session };
export type SessionUser = Session['user'];
/** The user's own session during a view-as session, and the page to return to. */
type SavedSession = { session: Session; path: string };

const KEY = 'portal.session';
const SAVED_KEY = 'portal.own-session';
const ENDED_KEY = 'portal.ended';
/** Number of ended sessions that a tab remembers. */
const ENDED_MAX = 8;

// Also an expired one: `getSession` then returns to the user's own where it was a view-as session.
let current = restore<Session>(KEY);
const listeners = new Listeners();
/** The session that a page keeps showing while it is being left, until it unloads. */
let left: { session: Session | undefined } | undefined;
/** True from the moment a person logs out, regardless of how long the server takes. */
let isEnding = false;

joinTabs({ offer: offerFor, onEnded: followEnd });
if (getSession()) showPresence();

/** Takes over the session of another tab where this one has none and opens a page that shows a session's data. */
export async function adoptSession(): Promise<void> {
  if (current || !asksTabs(location.pathname, location.search)) return;
  const shared = await askTabs(location.pathname).catch(() => undefined);
  if (!shared || current || !isValid(shared.session)) return;
  // A tab that has not noticed yet may offer what has ended here.
  if ([shared.session, shared.saved?.session].some((session) => session && endedHere().includes(endOf(session)))) return;
  if (shared.saved) store(SAVED_KEY, shared.saved);
  setSession(shared.session);
}

/** Returns the current session; after an expired view-as session, the user's own. The token is never part of a URL. */
export function getSession(): Session | undefined {
  if (current && !isValid(current)) {
    const saved = takeSaved();
    // A page that shows a session's data keeps it until it is left.
    if (!listeners.size || !isPrivate(location.pathname)) setSession(saved?.session);
    else if (saved) leaveWithSession(saved.path, saved.session);
    else leaveForLogin();
  }
  return current;
}

/** Leaves for the login, which says that the session ended, and whether that lost what was typed, and returns here unless `returns` is false. */
export function leaveForLogin(returns = true): void {
  if (left) return;
  // Forms answer this event when something in them is not saved.
  const ended = dispatchEvent(new Event('beforeunload', { cancelable: true }));
  leaveWithSession(
    `/login?${returns ? `next=${encodeURIComponent(location.pathname + location.search)}&` : ''}ended=${ended || 'unsaved'}`,
    undefined,
  );
}

export function setSession(session: Session | undefined): void {
  keep(session);
  listeners.notify();
}

/** Ends the session in the other tabs of this browser; with `isEverywhere`, those with another session of this user too. */
export function endInOtherTabs(isEverywhere = false): void {
  isEnding = true;
  if (current) shareEnd(current.accessToken, isEverywhere ? current.user.id : undefined);
}

/** Replaces the session's user after a profile change; the token stays. */
export function setSessionUser(user: SessionUser): void {
  if (current) setSession({ ...current, user });
}

/** Updates the session's user from the service, for example with a new logo or a suspension; the token stays. */
export function adoptUser(user: SessionUser): void {
  if (current?.user.id !== user.id) return;
  // The service's user lacks the members that a view-as session adds, so these are kept.
  const next = { ...current.user, ...user };
  if (JSON.stringify(next) !== JSON.stringify(current.user)) setSessionUser(next);
}

/**
 * Opens `path` with another session, or with none. Components go on with the session that they show: in the moment before the page unloads they would
 * request data that the new one may not read, or find none.
 */
export function leaveWithSession(path: string, session: Session | undefined): void {
  left ??= { session: current };
  if (current && !session) store(ENDED_KEY, [endOf(current), ...endedHere()].slice(0, ENDED_MAX));
  keep(session);
  // A page restored from the back/forward cache must not show the data of the session that ended.
  addEventListener('pagehide', () => document.body.replaceChildren(), { once: true });
  // A session that has ended saves nothing, so no form may hold its page.
  addEventListener('beforeunload', (event) => event.stopImmediatePropagation(), { capture: true });
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) location.reload();
  });
  location.assign(path);
}

/** Starts a view-as session; the user's own session and page are stored until it ends. */
export function beginView(view: Session): void {
  if (current) store(SAVED_KEY, { session: current, path: location.pathname + location.search } satisfies SavedSession);
  leaveWithSession(homeOf(view.user.role), view);
}

/** Returns to the user's own session and page, or to the login page when none is stored. */
export function endView(): void {
  // A view that ended by the clock has taken the saved session.
  if (left) return;
  const saved = takeSaved();
  leaveWithSession(saved?.path ?? '/login', saved?.session);
}

/** The session that pages show: the current one, and while a page is being left the one that it began with. */
export function shownSession(): Session | undefined {
  return left ? left.session : current;
}

/** Returns the first page of a role. */
export function homeOf(role: Role): (typeof HOME_PAGES)[Role] {
  return HOME_PAGES[role];
}

/** Whether `path` is a page of this role. */
function mayVisit(role: Role, path: string): boolean {
  const home = homeOf(role);
  return path === home || path.startsWith(`${home}/`) || path.startsWith(`${home}?`);
}

/** The page to open with a session: the one that was asked for if the role may see it, else the role's home. */
export function pageAfterLogin({ user: { role } }: Session, next: string | undefined): string {
  return next !== undefined && mayVisit(role, next) ? next : homeOf(role);
}

/** The own session, and in a view-as tab that one; whichever may see the page. */
function offerFor(path: string): { shared: Shared; fits: boolean } | undefined {
  const session = getSession();
  if (!session || isEnding) return undefined;
  const saved = findSaved();
  if (mayVisit(session.user.role, path)) return { shared: { session, saved }, fits: true };
  const own = saved?.session ?? session;
  return own.user.viewAs ? undefined : { shared: { session: own }, fits: mayVisit(own.user.role, path) || !isPrivate(path) };
}

/** Leaves the page when its session, or the one below a view-as session, has ended in another tab. */
function followEnd(token: string, userId: string | undefined): void {
  const saved = findSaved()?.session;
  if (![current, saved].some((one) => one && (one.accessToken === token || one.user.id === userId))) return;
  store(SAVED_KEY, undefined);
  if (isPrivate(location.pathname)) leaveForLogin(false);
  else setSession(undefined);
}

/** Pages of a role. */
function isPrivate(path: string): boolean {
  return /^\/(admin|dashboard|client)(\/|$)/.test(path);
}

/** Links of mails and providers begin with no session; the start page and the bare login lead on to the own one. */
function asksTabs(path: string, search: string): boolean {
  return isPrivate(path) || path === '/' || (path === '/login' && /^(\?(next=[^&]*)?(&?ended=\w+)?)?$/.test(search));
}

function keep(session: Session | undefined): void {
  current = session;
  store(KEY, session);
  if (session) showPresence();
}

function findSaved(): SavedSession | undefined {
  const saved = restore<SavedSession>(SAVED_KEY);
  return saved && isValid(saved.session) ? saved : undefined;
}

function isValid({ expiresAt }: Session): boolean {
  return Date.parse(expiresAt) > Date.now();
}

function takeSaved(): SavedSession | undefined {
  const saved = findSaved();
  store(SAVED_KEY, undefined);
  return saved;
}

/** Calls `listener` after each change, until the returned function is called. */
export const { subscribe } = listeners;

/** Distinguishes sessions without being one: the end of the token. */
function endOf({ accessToken }: Session): string {
  return accessToken.slice(-16);
}

function endedHere(): string[] {
  return restore<string[]>(ENDED_KEY) ?? [];
}

function store(key: string, value: unknown): void {
  try {
    if (value === undefined) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, JSON.stringify(value));
  } catch {
    // Without storage the session lasts as long as the page.
  }
}

function restore<T>(key: string): T | undefined {
  try {
    const text = sessionStorage.getItem(key);
    return text ? (JSON.parse(text) as T) : undefined; // written by `store`
  } catch {
    return undefined;
  }
}
