import type { routes } from '@house/contract';
import type { ReplyOf } from '@house/contract/define-route.ts';
import type { Role } from '@house/contract/vocabulary.ts';
import { useSyncExternalStore } from 'react';

type LoginReply = ReplyOf<(typeof routes)['login']>;
/** What a sign-in gives: the bearer token, when it ends, and who it is. */
export type Session = Extract<LoginReply, { accessToken: string }>;
export type SessionUser = Session['user'];

const KEY = 'portal.session';

let current: Session | undefined = restore();
const listeners = new Set<() => void>();

/** The running session, if it has not ended. The token lives here and in session storage, never in an address. */
export function getSession(): Session | undefined {
  if (current && Date.parse(current.expiresAt) <= Date.now()) setSession(undefined);
  return current;
}

export function setSession(session: Session | undefined): void {
  current = session;
  try {
    if (session) sessionStorage.setItem(KEY, JSON.stringify(session));
    else sessionStorage.removeItem(KEY);
  } catch {
    // Without storage the session lasts as long as the page.
  }
  for (const listener of listeners) listener();
}

/** Replaces the user beside the token after a profile change. */
export function setSessionUser(user: SessionUser): void {
  if (current) setSession({ ...current, user });
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

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function restore(): Session | undefined {
  try {
    const text = sessionStorage.getItem(KEY);
    const session = text ? (JSON.parse(text) as Session) : undefined; // written by setSession of this very origin
    return session && Date.parse(session.expiresAt) > Date.now() ? session : undefined;
  } catch {
    return undefined;
  }
}
