import { Link } from '@tanstack/react-router';
import { Eye, ShieldAlert } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { useIsSandbox } from '../../app/current-user.ts';
import { api } from '../../app/api.ts';
import { queryClient } from '../../app/query-client.ts';
import { endSessionAndLeave } from '../../app/log-out.ts';
import { endView, type SessionUser, useUser } from '../../app/session.ts';
import { SANDBOX_BAR_HEIGHT, SandboxBar } from '../../ui/layout/shell.tsx';

const VIEW_BAR_HEIGHT = 40;
const SECOND_STEP_BAR_HEIGHT = 32;

/** Bars above every shell: view-as session and sandbox. Their height is the page's `--bars`, for what sticks below them. */
export function Bars({ outbox }: { outbox?: ReactNode }) {
  const { viewAs, role, mfaEnabled } = useUser();
  const lacksSecondStep = role === 'ADMIN' && !mfaEnabled && !viewAs;
  const isSandbox = useIsSandbox();
  const height = (viewAs ? VIEW_BAR_HEIGHT : 0) + (lacksSecondStep ? SECOND_STEP_BAR_HEIGHT : 0) + (isSandbox ? SANDBOX_BAR_HEIGHT : 0);
  useEffect(() => {
    document.body.style.setProperty('--bars', `${height}px`);
  }, [height]);
  if (height === 0) return null;
  return (
    <div className="sticky top-0 z-30">
      {viewAs ? <ViewBar viewAs={viewAs} /> : null}
      {lacksSecondStep ? <SecondStepBar /> : null}
      {isSandbox ? <SandboxBar link={outbox} /> : null}
    </div>
  );
}

/** For staff, until they have it: their password opens every agency. */
function SecondStepBar() {
  return (
    <aside
      className="flex h-8 items-center gap-2 border-b border-warn-line bg-warn-wash px-4 text-xs font-medium text-ink md:px-6"
      aria-label="Two-step login"
    >
      <ShieldAlert className="icon-small shrink-0 text-warn" aria-hidden />
      <span className="truncate">Your login has no second step</span>
      <Link to="/admin/account" className="ml-auto flex min-h-8 items-center whitespace-nowrap underline underline-offset-2">
        Set it up
      </Link>
    </aside>
  );
}

/** View-as bar: target, read-only notice, reason, time left and exit. */
function ViewBar({ viewAs }: { viewAs: NonNullable<SessionUser['viewAs']> }) {
  const user = useUser();
  const [isLeaving, setLeaving] = useState(false);
  const left = useSecondsUntil(viewAs.expiresAt);
  useEffect(() => {
    if (left === 0) leave();
  }, [left]);
  const exit = (): void => {
    setLeaving(true);
    // Leave even if the server is unreachable: the session expires on its own.
    void endSessionAndLeave(() => api.endViewAs().catch(() => undefined), endView);
  };
  return (
    <aside className="flex h-10 items-center gap-3 bg-viewas px-4 text-sm text-on-viewas md:px-6" aria-label="View as">
      <Eye className="icon" aria-hidden />
      <span className="min-w-0 truncate">
        <span className="hidden md:inline">Viewing as </span>
        <b>{user.client?.name ?? user.partner.name}</b>
      </span>
      <span className="rounded-sm border border-on-viewas/60 px-1.5 text-xs font-medium whitespace-nowrap">Read only</span>
      <span className="hidden min-w-0 flex-1 truncate lg:block">{viewAs.reason}</span>
      <span className="tabular-nums ml-auto text-xs whitespace-nowrap" role="timer" aria-label="Time left">
        {clockOf(left)}
        <span className="hidden md:inline"> left</span>
      </span>
      <button
        type="button"
        className="h-7 rounded-md border border-on-viewas px-2.5 text-xs font-medium whitespace-nowrap hover:bg-on-viewas/15 focus-visible:outline-on-viewas"
        aria-busy={isLeaving || undefined}
        onClick={exit}
      >
        Exit view
      </button>
    </aside>
  );
}

/** Restores the user's own session, at the page where the view-as session started. */
function leave(): void {
  queryClient.clear();
  endView();
}

function clockOf(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

function useSecondsUntil(end: string): number {
  const count = (): number => Math.max(0, Math.round((Date.parse(end) - Date.now()) / 1000));
  const [left, setLeft] = useState(count);
  useEffect(() => {
    const timer = setInterval(() => setLeft(Math.max(0, Math.round((Date.parse(end) - Date.now()) / 1000))), 1000);
    return () => clearInterval(timer);
  }, [end]);
  return left;
}
