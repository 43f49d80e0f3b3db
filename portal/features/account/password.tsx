import { useState } from 'react';
import { formApi } from '../../app/api.ts';
import { setSession, useUser } from '../../app/session.ts';
import { Button } from '../../ui/controls/button.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { NewPasswordField } from '../../ui/forms/new-password-field.tsx';
import { announce } from '../../ui/feedback/toast.tsx';
import { AccountSection } from './account-section.tsx';
import { Form } from '../../shared/forms/form.tsx';
import { useForm } from '../../shared/forms/use-form.ts';

const EMPTY = { currentPassword: '', newPassword: '' };

/** Changes the password; every other session ends. */
export function Password({ size = 'md' }: { size?: 'md' | 'lg' }) {
  const user = useUser();
  const [isOpen, setOpen] = useState(false);
  const form = useForm({
    saved: EMPTY,
    send: (body) => formApi.changePassword({ body }),
    onSaved: (session) => {
      setSession(session);
      setOpen(false);
      announce('Password changed. You are logged out on all other devices.');
    },
    fieldOfCode: { invalid_credentials: 'currentPassword', weak_password: 'newPassword' },
  });
  return (
    <AccountSection title="Password">
      {isOpen ? (
        <Form form={form}>
          <input type="email" name="email" autoComplete="username" value={user.email} readOnly hidden />
          <TextField
            label="Current password"
            size={size}
            type="password"
            required
            autoFocus
            autoComplete="current-password"
            {...form.input('currentPassword')}
          />
          <NewPasswordField label="New password" size={size} email={user.email} {...form.input('newPassword')} />
          <div className="flex gap-2">
            <Button size={size} kind="primary" type="submit" busy={form.isBusy && 'Changing'}>
              Change password
            </Button>
            <Button
              size={size}
              kind="quiet"
              onClick={() => {
                setOpen(false);
                form.reset();
              }}
            >
              Cancel
            </Button>
          </div>
        </Form>
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
