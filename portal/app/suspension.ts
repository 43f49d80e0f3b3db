import { uiText } from '../ui/text/reader.ts';
import { useRouter } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { meQuery } from '../queries/me.ts';
import { announce } from '../ui/feedback/toast.tsx';
import { whenSuspended } from './api.ts';
import { queryClient } from './query-client.ts';
import { type SessionUser, useUser } from './session.ts';

export type Suspension = NonNullable<SessionUser['suspension']>;

const POLL_MS = 15_000;

/** Reads the own account again: whether it is suspended, and until when. */
export function refreshAccount(): Promise<unknown> {
  return queryClient.fetchQuery({ ...meQuery, staleTime: 0 });
}

/**
 * Returns why the own account is suspended, for a shell, which then shows that instead of its pages. Any refused call starts it, and it
 * ends by itself: while suspended the account is read again, and then what the pages show.
 */
export function useSuspension(): Suspension | undefined {
  const router = useRouter();
  const suspension = useUser().suspension ?? undefined;
  const isSuspended = suspension !== undefined;
  const was = useRef(isSuspended);
  useEffect(() => {
    whenSuspended(() => void refreshAccount().catch(() => undefined));
    return () => whenSuspended(() => undefined);
  }, []);
  useEffect(() => {
    if (!isSuspended) return;
    const read = (): void => {
      if (!document.hidden) void refreshAccount().catch(() => undefined);
    };
    read();
    const timer = setInterval(read, POLL_MS);
    document.addEventListener('visibilitychange', read);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', read);
    };
  }, [isSuspended]);
  useEffect(() => {
    if (was.current && !isSuspended) {
      announce(uiText('ui.activeAgain'));
      void queryClient.invalidateQueries().then(() => router.invalidate());
    }
    was.current = isSuspended;
  }, [isSuspended, router]);
  return suspension;
}
