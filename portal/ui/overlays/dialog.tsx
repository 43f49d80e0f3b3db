import { uiText } from '../text/reader.ts';
import { type FormEvent, type ReactNode, use, useCallback, useEffect, useId, useMemo, useRef, useState } from 'react';
import { Button } from '../controls/button.tsx';
import { Input } from '../forms/field.tsx';
import { useBackdrop } from './backdrop.ts';
import { DialogHolds, HeldActions } from './hold-open.ts';
import { openModal } from './modal-dialogs.ts';
import '../forms/field.css';
import './dialog.css';
import './overlay.css';

type DialogProps = {
  open: boolean;
  onClose: () => void;
  title: ReactNode;
  children: ReactNode;
  wide?: boolean;
  /** On a phone it rises from the bottom edge, where the thumb is. */
  sheet?: boolean;
};

/** The browser's modal dialog: it traps the focus and closes on Esc. The focus then returns to the element that opened it. */
export function Dialog({ open, onClose, title, children, wide, sheet }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  const id = useId();
  const [holds, setHolds] = useState(0);
  const isHeld = holds > 0;
  const hold = useCallback(() => {
    setHolds((before) => before + 1);
    return () => setHolds((before) => before - 1);
  }, []);
  const value = useMemo(() => ({ isHeld, hold }), [isHeld, hold]);
  const close = (): void => {
    if (!isHeld) onClose();
  };
  const backdrop = useBackdrop(close);
  useEffect(() => {
    if (!open) return;
    const before = document.activeElement;
    const letGo = ref.current ? openModal(ref.current) : undefined;
    return () => {
      letGo?.();
      // The dialog is removed, not closed, so the browser does not restore the focus.
      if (document.activeElement === document.body && before instanceof HTMLElement) before.focus();
    };
  }, [open]);
  if (!open) return null;
  return (
    <dialog
      ref={ref}
      aria-labelledby={id}
      className="overlay dialog"
      data-wide={wide ? '' : undefined}
      data-sheet={sheet ? '' : undefined}
      onClose={() => {
        close();
        // Browsers close the dialog on a second Esc even if the first was cancelled. A dialog that should stay open, to ask first, is shown again.
        requestAnimationFrame(() => {
          if (ref.current && !ref.current.open) ref.current.showModal();
        });
      }}
      onCancel={(event) => {
        event.preventDefault();
        close();
      }}
      {...backdrop}
    >
      <div onClick={(event) => event.stopPropagation()}>
        <h2 id={id} className="mb-1">
          {title}
        </h2>
        <DialogHolds value={value}>{children}</DialogHolds>
      </div>
    </dialog>
  );
}

/** The buttons of a dialog; while one is busy, the others wait. */
export function DialogActions({ children }: { children: ReactNode }) {
  return (
    <div className="mt-5 flex flex-wrap justify-end gap-2 max-md:*:flex-auto">
      <HeldActions value={use(DialogHolds).isHeld}>{children}</HeldActions>
    </div>
  );
}

/** React does not render `autoFocus` as an attribute, which an opening dialog needs; otherwise it focuses its first field. */
export function holdFocus(control: HTMLElement | null): void {
  control?.setAttribute('autofocus', '');
}

/** Whether the name was typed, if one has to be. */
export function isTyped(text: string, name: string | undefined): boolean {
  return !name || text.trim() === name;
}

/** The field in which a name is typed, to confirm what cannot be undone. */
export function TypedName({ name, value, onChange }: { name: string; value: string; onChange: (text: string) => void }) {
  const field = useId();
  return (
    <div>
      <label htmlFor={field} className="field-label">
        Type <code>{name}</code> to confirm
      </label>
      <Input id={field} mono autoComplete="off" value={value} onChange={(event) => onChange(event.target.value)} />
    </div>
  );
}

type ConfirmProps = {
  open: boolean;
  onClose: () => void;
  title: string;
  /** The consequences, with counts in bold. */
  children: ReactNode;
  /** Text that must be typed for an action that cannot be undone. */
  typed?: string;
  action: string;
  busy?: string | false;
  keep?: string;
  onConfirm: () => void;
};

/** Confirms an action. The safe button has the focus; an action that cannot be undone requires typing a name. */
export function ConfirmDialog({
  open,
  onClose,
  title,
  children,
  typed,
  action,
  busy,
  keep = uiText('ui.keepIt'),
  onConfirm,
}: ConfirmProps) {
  const [text, setText] = useState('');
  useEffect(() => setText(''), [open]);
  const matches = isTyped(text, typed);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (matches) onConfirm();
  };
  return (
    <Dialog open={open} onClose={onClose} title={title}>
      <form onSubmit={submit}>
        <div className="text-ink-2">{children}</div>
        {typed ? (
          <div className="mt-3">
            <TypedName name={typed} value={text} onChange={setText} />
          </div>
        ) : null}
        <DialogActions>
          <Button onClick={onClose} ref={holdFocus}>
            {keep}
          </Button>
          <Button kind="danger" type="submit" inactive={!matches} busy={busy}>
            {action}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
