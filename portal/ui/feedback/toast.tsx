import { useUiText } from '../text/reader.ts';
import { X } from 'lucide-react';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { Button, IconButton } from '../controls/button.tsx';
import { CopyLink } from '../controls/copy-link.tsx';
import { useTopModal } from '../overlays/modal-dialogs.ts';
import { closeToast, type Toast, useToasts } from './announce.ts';
import { Mark } from './mark.tsx';
import './toast.css';

export { announce, announceFailure, announceWait } from './announce.ts';

const LIFE_SECONDS = 8;

/** All toasts; rendered once, at the root. */
export function Toasts() {
  const t = useUiText();
  const shown = useToasts();
  const region = useRegion(t('ui.messages'));
  return createPortal(
    shown.map((toast) => <ToastCard key={toast.id} toast={toast} />),
    region,
  );
}

/**
 * Returns the element that holds the toasts: inside the modal dialog on top, which makes everything else inert, or else at the end of
 * the page. The element itself is moved, so that the time left of its toasts runs on.
 */
function useRegion(label: string): HTMLElement {
  const [region] = useState(() => document.createElement('div'));
  const modal = useTopModal();
  useLayoutEffect(() => {
    region.className = 'toasts';
    region.role = 'region';
    region.ariaLabel = label;
  }, [region, label]);
  useLayoutEffect(() => {
    (modal ?? document.body).append(region);
    return () => region.remove();
  }, [region, modal]);
  return region;
}

function ToastCard({ toast }: { toast: Toast }) {
  const t = useUiText();
  const left = useCountdown(toast);
  return (
    <div className="toast" role={toast.tone === 'bad' ? 'alert' : 'status'} {...left.hold}>
      <div className="flex min-w-0 flex-1 gap-2.5">
        <Mark kind={toast.tone === 'wait' ? 'warn' : toast.tone} className="mt-0.75 flex-none" />
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
            closeToast(toast.id);
          }}
        >
          {toast.action.label}
          {toast.tone === 'ok' ? <span className="tabular-nums text-ink-3">{left.seconds}</span> : null}
        </Button>
      ) : null}
      {toast.tone === 'bad' ? (
        <IconButton size="sm" label={t('ui.close')} onClick={() => closeToast(toast.id)}>
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
    if (seconds <= 0) closeToast(toast.id);
  }, [seconds, toast.id]);
  const set = (value: boolean) => () => {
    held.current = value;
  };
  return { seconds, hold: { onPointerEnter: set(true), onPointerLeave: set(false), onFocus: set(true), onBlur: set(false) } };
}
