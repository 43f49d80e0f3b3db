import { type FormEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { Button } from '../controls/button.tsx';
import { Input } from '../forms/field.tsx';
import '../forms/field.css';
import './dialog.css';
import './overlay.css';

type DialogProps = { open: boolean; onClose: () => void; title: ReactNode; children: ReactNode; wide?: boolean };

/** The browser's own modal dialog: it traps focus and closes on Esc. Whatever opened it has the focus again afterwards. */
export function Dialog({ open, onClose, title, children, wide }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    if (!open) return;
    const before = document.activeElement;
    if (ref.current && !ref.current.open) ref.current.showModal();
    return () => {
      // It is taken away, not closed, so the browser leaves the focus nowhere.
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
      onClose={() => {
        onClose();
        // A second Esc closes a dialog whatever it answers. One that is still wanted, because it asks first, comes back.
        requestAnimationFrame(() => {
          if (ref.current && !ref.current.open) ref.current.showModal();
        });
      }}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => {
        if (event.target === ref.current) onClose();
      }}
    >
      <div onClick={(event) => event.stopPropagation()}>
        <h2 id={id} className="mb-1">
          {title}
        </h2>
        {children}
      </div>
    </dialog>
  );
}

export function DialogActions({ children }: { children: ReactNode }) {
  return <div className="mt-5 flex flex-wrap justify-end gap-2 max-md:*:flex-auto">{children}</div>;
}

/** React keeps its `autoFocus` to itself; a dialog that opens looks for the attribute, and else takes its first field. */
function holdFocus(button: HTMLButtonElement | null): void {
  button?.setAttribute('autofocus', '');
}

type ConfirmProps = {
  open: boolean;
  onClose: () => void;
  title: string;
  /** The effect, with its counts in bold. */
  children: ReactNode;
  /** What must be typed for an act that cannot be undone. */
  typed?: string;
  action: string;
  busy?: string | false;
  keep?: string;
  onConfirm: () => void;
};

/** Says what will happen. The safe button has the focus; what cannot be undone asks for its name first. */
export function ConfirmDialog({ open, onClose, title, children, typed, action, busy, keep = 'Keep it', onConfirm }: ConfirmProps) {
  const [text, setText] = useState('');
  const field = useId();
  useEffect(() => setText(''), [open]);
  const matches = !typed || text.trim() === typed;
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
            <label htmlFor={field} className="field-label">
              Type <code>{typed}</code> to confirm
            </label>
            <Input id={field} mono autoComplete="off" value={text} onChange={(event) => setText(event.target.value)} />
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
