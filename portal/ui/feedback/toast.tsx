import { uiText, useUiText } from '../text/reader.ts';
import { X } from 'lucide-react';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { Button, IconButton } from '../controls/button.tsx';
import { CopyLink } from '../controls/copy-link.tsx';
import { Mark } from './mark.tsx';
import './toast.css';

type Toast = {
  id: number;
  tone: 'ok' | 'wait' | 'bad';
  /** Of a wait: how long it takes. */
  seconds?: number;
  title: string;
  detail?: string;
  requestId?: string | undefined;
  action?: { label: string; run: () => void };
};

export type Failure = { title: string; detail: string; requestId: string | undefined; retry: (() => void) | undefined };

const LIFE_SECONDS = 8;
let toasts: readonly Toast[] = [];
let nextId = 1;
const listeners = new Set<() => void>();

/** Shows what was done; with `undo`, it can be undone for eight seconds. */
export function announce(title: string, options: { detail?: string; undo?: () => void } = {}): void {
  push({
    tone: 'ok',
    title,
    ...(options.detail ? { detail: options.detail } : {}),
    ...(options.undo ? { action: { label: uiText('ui.undo'), run: options.undo } } : {}),
  });
}

/** Says what the page waits for, as long as it does. */
export function announceWait(title: string, seconds: number): void {
  push({ tone: 'wait', title, seconds });
}

/** Reports a failure, with the request id that support asks for. The message stays until it is closed. */
export function announceFailure({ title, detail, requestId, retry }: Failure): void {
  push({ tone: 'bad', title, detail, requestId, ...(retry ? { action: { label: uiText('ui.tryAgain'), run: retry } } : {}) });
}

function push(toast: Omit<Toast, 'id'>): void {
  set([...toasts.slice(-2), { ...toast, id: nextId++ }]);
}

function set(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

function close(id: number): void {
  set(toasts.filter((toast) => toast.id !== id));
}

/** Container of all toasts; rendered once, at the root. */
export function Toasts() {
  const t = useUiText();
  const shown = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => toasts,
  );
  return (
    <div className="toasts" role="region" aria-label={t('ui.messages')}>
      {shown.map((toast) => (
        <ToastCard key={toast.id} toast={toast} />
      ))}
    </div>
  );
}

function ToastCard({ toast }: { toast: Toast }) {
  const t = useUiText();
  const left = useCountdown(toast);
  return (
    <div className="toast" role={toast.tone === 'bad' ? 'alert' : 'status'} {...left.hold}>
      <div className="flex min-w-0 flex-1 gap-2.5">
        <Mark kind={toast.tone === 'wait' ? 'warn' : toast.tone} className="mt-[3px] flex-none" />
        <div className="min-w-0 flex-1">
          <b className="font-medium">{toast.title}</b> {toast.detail ? <span className="text-ink-2">{toast.detail}</span> : null}
          {toast.requestId ? (
            <p className="text-xs text-ink-3">
              {t('ui.request')} <code>{toast.requestId}</code> <CopyLink text={toast.requestId} />
            </p>
          ) : null}
        </div>
      </div>
      {toast.action ? (
        <Button
          size="sm"
          onClick={() => {
            toast.action?.run();
            close(toast.id);
          }}
        >
          {toast.action.label}
          {toast.tone === 'ok' ? <span className="tabular-nums text-ink-3">{left.seconds}</span> : null}
        </Button>
      ) : null}
      {toast.tone === 'bad' ? (
        <IconButton size="sm" label={t('ui.close')} onClick={() => close(toast.id)}>
          <X aria-hidden />
        </IconButton>
      ) : null}
    </div>
  );
}

/** Closes a toast after eight seconds, or at the end of its wait; paused while it is hovered or focused. Errors stay open. */
function useCountdown(toast: Toast) {
  const [seconds, setSeconds] = useState(toast.seconds ?? LIFE_SECONDS);
  const held = useRef(false);
  useEffect(() => {
    if (toast.tone === 'bad') return;
    const timer = setInterval(() => {
      if (!held.current || toast.tone === 'wait') setSeconds((now) => now - 1);
    }, 1000);
    return () => clearInterval(timer);
  }, [toast.tone]);
  useEffect(() => {
    if (seconds <= 0) close(toast.id);
  }, [seconds, toast.id]);
  const set = (value: boolean) => () => {
    held.current = value;
  };
  return { seconds, hold: { onPointerEnter: set(true), onPointerLeave: set(false), onFocus: set(true), onBlur: set(false) } };
}
