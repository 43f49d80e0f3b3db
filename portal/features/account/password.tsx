import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { api } from '../../app/api.ts';
import { codeOf, explain, fieldErrors } from '../../app/errors.ts';
import { setSession, useUser } from '../../app/session.ts';
import { Button } from '../../ui/controls/button.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { NewPasswordField } from '../../ui/forms/new-password-field.tsx';
import { FormError } from '../../shared/error-block.tsx';
import { announce } from '../../ui/feedback/toast.tsx';
import { AccountSection } from './account-section.tsx';

const NONE = { currentPassword: '', newPassword: '' };

/** Changes the password; every other session ends. */
export function Password({ size = 'md' }: { size?: 'md' | 'lg' }) {
  const user = useUser();
  const [isOpen, setOpen] = useState(false);
  const [typed, setTyped] = useState(NONE);
  const change = useMutation({
    mutationFn: () => api.changePassword({ body: typed }),
    onSuccess: (session) => {
      setSession(session);
      setTyped(NONE);
      setOpen(false);
      announce('Password changed. You are logged out on all other devices.');
    },
  });
  const errors = fieldErrors(change.error);
  const isWrong = codeOf(change.error) === 'invalid_credentials';
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!change.isPending) change.mutate();
  };
  return (
    <AccountSection title="Password">
      {isOpen ? (
        <form onSubmit={submit} className="grid gap-5">
          {isWrong ? null : <FormError error={change.error} />}
          <input type="email" name="email" autoComplete="username" value={user.email} readOnly hidden />
          <TextField
            label="Current password"
            error={errors['currentPassword'] ?? (isWrong ? explain(change.error).detail : undefined)}
            size={size}
            type="password"
            required
            autoFocus
            autoComplete="current-password"
            value={typed.currentPassword}
            onChange={(text) => setTyped({ ...typed, currentPassword: text })}
          />
          <NewPasswordField
            label="New password"
            size={size}
            email={user.email}
            value={typed.newPassword}
            onChange={(newPassword) => setTyped({ ...typed, newPassword })}
            error={errors['newPassword']}
          />
          <div className="flex gap-2">
            <Button size={size} kind="primary" type="submit" busy={change.isPending && 'Changing'}>
              Change password
            </Button>
            <Button
              size={size}
              kind="quiet"
              onClick={() => {
                setOpen(false);
                setTyped(NONE);
                change.reset();
              }}
            >
              Cancel
            </Button>
          </div>
        </form>
      ) : (
        <div className="flex flex-wrap items-center gap-4">
          <p className="min-w-0 flex-1 basis-[260px] text-ink-2">
            Changing your password logs you out on all other devices. If you forget it, we can e-mail you a reset link.
          </p>
          <Button size={size} onClick={() => setOpen(true)}>
            Change password
          </Button>
        </div>
      )}
    </AccountSection>
  );
}
