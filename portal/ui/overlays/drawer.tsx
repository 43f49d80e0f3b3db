import { useUiText } from '../text/reader.ts';
import { X } from 'lucide-react';
import { type ReactNode, useId, useLayoutEffect, useRef } from 'react';
import { IconButton } from '../controls/button.tsx';
import './drawer.css';
import './overlay.css';

type DrawerProps = {
  open: boolean;
  onClose: () => void;
  title: ReactNode;
  meta?: ReactNode;
  actions?: ReactNode;
  /** For a page that makes room for it: 400 px wide. */
  narrow?: boolean;
  children: ReactNode;
};

/**
 * A panel next to the page, without a backdrop: the list stays usable. On a phone it covers the page, which is then inert until the
 * drawer is closed. Its open state belongs in the URL.
 */
export function Drawer({ open, onClose, title, meta, actions, narrow, children }: DrawerProps) {
  const t = useUiText();
  const id = useId();
  const ref = useRef<HTMLElement>(null);
  // Immediately when it appears: later it could take the focus from where the user has moved on to.
  useLayoutEffect(() => {
    if (!open) return;
    const before = document.activeElement;
    ref.current?.focus();
    const onKey = (event: KeyboardEvent): void => {
      if (event.key === 'Escape' && !document.querySelector('dialog[open], [data-radix-popper-content-wrapper]')) onClose();
    };
    const letGo = ref.current ? holdWhatIsCovered(ref.current) : undefined;
    addEventListener('keydown', onKey);
    return () => {
      removeEventListener('keydown', onKey);
      letGo?.();
      if (before instanceof HTMLElement) before.focus();
    };
  }, [open, onClose]);
  if (!open) return null;
  return (
    <section
      ref={ref}
      className="overlay drawer outline-0"
      data-narrow={narrow ? '' : undefined}
      role="dialog"
      aria-labelledby={id}
      tabIndex={-1}
    >
      <header className="flex min-h-16.5 items-center gap-2 border-b border-line px-5">
        <div className="min-w-0 flex-1">
          <h2 id={id} className="truncate text-lg">
            {title}
          </h2>
          {meta ? <p className="truncate text-xs text-ink-3">{meta}</p> : null}
        </div>
        {actions}
        <IconButton label={t('ui.close')} onClick={onClose}>
          <X aria-hidden />
        </IconButton>
      </header>
      <div className="flex-1 overflow-y-auto p-5">{children}</div>
    </section>
  );
}

/** While the drawer is as wide as the window, the page behind it is inert for keyboard and screen readers too. */
function holdWhatIsCovered(drawer: HTMLElement): () => void {
  const held = new Set<HTMLElement>();
  const letGo = (): void => {
    for (const element of held) element.inert = false;
    held.clear();
  };
  const look = (): void => {
    letGo();
    if (drawer.offsetWidth < innerWidth) return;
    for (const element of besides(drawer)) {
      if (element.inert || element.matches('.toasts')) continue;
      element.inert = true;
      held.add(element);
    }
  };
  look();
  addEventListener('resize', look);
  return () => {
    removeEventListener('resize', look);
    letGo();
  };
}

/** Returns all elements of the page except the element, its descendants and its ancestors. */
function besides(element: Element): HTMLElement[] {
  const parent = element.parentElement;
  if (!parent || element === document.body) return [];
  const others = [...parent.children].filter((one): one is HTMLElement => one !== element && one instanceof HTMLElement);
  return [...others, ...besides(parent)];
}
