import { useSyncExternalStore } from 'react';
import { type Session, type SessionUser, shownSession, subscribe } from './session-store.ts';

export * from './session-store.ts';

export function useSession(): Session | undefined {
  return useSyncExternalStore(subscribe, shownSession, () => undefined);
}

/** Returns the logged-in user, which pages behind a guard always have. */
export function useUser(): SessionUser {
  const session = useSession();
  if (!session) throw new Error('This page needs a session.');
  return session.user;
}
