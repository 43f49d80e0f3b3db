import type { routes } from '@partner-portal/contract';
import type { ReplyOf } from '@partner-portal/contract/define-route.ts';
import type { Role } from '@partner-portal/contract/vocabulary.ts';
import { useSyncExternalStore } from 'react';

type LoginReply = ReplyOf<(typeof routes)['login']>;
/** What a sign-in gives: the bearer token, when it ends, and who it is. */
export type Session = Extract<LoginReply, { accessToken: string }>;
export type SessionUser = Session['user'];
/** The own session while one looks as somebody else, and the page to come back to. */
type Kept = { session: Session; path: string };

const KEY = 'portal.session';
const KEPT_KEY = 'portal.own-session';

let current: Session | undefined = restore<Session>(KEY, (session) => session);
const listeners = new Set<() => void>();

/**
 * The running session, if it has not ended; after a view that ran out, the own one behind it. The token lives here and in
 * session storage, never in an address.
 */
export function getSession(): Session | undefined {
  if (current && Date.parse(current.expiresAt) <= Date.now()) setSession(takeKept()?.session);
  return current;
}

export function setSession(session: Session | undefined): void {
  current = session;
  keep(KEY, session);
  for (const listener of listeners) listener();
}

/** Replaces the user beside the token after a profile change. */
export function setSessionUser(user: SessionUser): void {
  if (current) setSession({ ...current, user });
}

/**
 * Leaves the page for one that stands under another session, or under none. What is still drawn is not told: it would ask
 * again for what the new session has no right to, in the moment before it is gone.
 */
export function leaveFor(path: string, session: Session | undefined): void {
  current = session;
  keep(KEY, session);
  // A browser may keep the page as it stands, for Back: it shows nothing then, and is opened anew.
  addEventListener('pagehide', () => document.body.replaceChildren(), { once: true });
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) location.reload();
  });
  location.assign(path);
}

/** Looks as somebody else from now on; the own session waits behind it, for the page it was left at. */
export function beginView(view: Session): void {
  if (current) keep(KEPT_KEY, { session: current, path: location.pathname + location.search } satisfies Kept);
  leaveFor(homeOf(view.user.role), view);
}

/** Takes the own session up again, where it was left; goes to the login when none waits. */
export function endView(): void {
  const kept = takeKept();
  leaveFor(kept?.path ?? '/login', kept?.session);
}

export function useSession(): Session | undefined {
  return useSyncExternalStore(subscribe, () => current);
}

/** The signed-in user; pages behind a guard always have one. */
export function useUser(): SessionUser {
  const session = useSession();
  if (!session) throw new Error('This page needs a session.');
  return session.user;
}

/** Where a role lands after signing in (specification, Portal routes). */
export function homeOf(role: Role): '/admin' | '/dashboard' | '/client' {
  return HOMES[role];
}

/** Whether a page path belongs to this role; another role's page sends you to your own home. */
export function mayVisit(role: Role, path: string): boolean {
  return (
    path.startsWith('/') &&
    !path.startsWith('//') &&
    (path === HOMES[role] || path.startsWith(`${HOMES[role]}/`) || path.startsWith(`${HOMES[role]}?`))
  );
}

const HOMES = { ADMIN: '/admin', PARTNER: '/dashboard', CLIENT: '/client' } as const;

function takeKept(): Kept | undefined {
  const kept = restore<Kept>(KEPT_KEY, ({ session }) => session);
  keep(KEPT_KEY, undefined);
  return kept;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function keep(key: string, value: unknown): void {
  try {
    if (value === undefined) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, JSON.stringify(value));
  } catch {
    // Without storage the session lasts as long as the page.
  }
}

function restore<T>(key: string, sessionIn: (value: T) => Session): T | undefined {
  try {
    const text = sessionStorage.getItem(key);
    const value = text ? (JSON.parse(text) as T) : undefined; // written by `keep` of this very origin
    return value && Date.parse(sessionIn(value).expiresAt) > Date.now() ? value : undefined;
  } catch {
    return undefined;
  }
}
