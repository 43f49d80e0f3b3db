import { type FormEvent, type ReactNode, useState } from 'react';
import { fieldErrors } from '../app/errors.ts';
import { Button } from '../ui/controls/button.tsx';
import { Dialog, DialogActions } from '../ui/overlays/dialog.tsx';
import { Field, TextArea } from '../ui/forms/field.tsx';
import { FormError } from './error-block.tsx';

type Props = {
  title: string;
  /** What will happen. */
  children: ReactNode;
  action: string;
  keep: string;
  busy: string | false;
  error: unknown;
  placeholder: string;
  onClose: () => void;
  onConfirm: (reason: string) => void;
};

const REASON_MAX = 500;

/** Confirms a staff action on another account: says what will happen and asks for the reason. Open while it is rendered. */
export function ReasonDialog({ title, children, action, keep, busy, error, placeholder, onClose, onConfirm }: Props) {
  const [reason, setReason] = useState('');
  const errors = fieldErrors(error);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (reason.trim() && !busy) onConfirm(reason.trim());
  };
  return (
    <Dialog open onClose={onClose} title={title}>
      <form onSubmit={submit} className="grid gap-4">
        <p className="text-ink-2">{children}</p>
        <FormError error={error} />
        <Field label="Reason" note="required, recorded in the audit log" error={errors['reason']}>
          {(ids) => (
            <TextArea
              {...ids}
              required
              autoFocus
              rows={2}
              maxLength={REASON_MAX}
              placeholder={placeholder}
              value={reason}
              onChange={(event) => setReason(event.target.value)}
            />
          )}
        </Field>
        <DialogActions>
          <Button onClick={onClose}>{keep}</Button>
          <Button kind="danger" type="submit" inactive={!reason.trim()} busy={busy}>
            {action}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
