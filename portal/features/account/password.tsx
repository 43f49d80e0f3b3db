import { useMessages } from '../../app/messages.ts';
import { useState } from 'react';
import { formApi } from '../../app/api.ts';
import { setSession, useUser } from '../../app/session.ts';
import { Button } from '../../ui/controls/button.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { NewPasswordField } from '../../ui/forms/new-password-field.tsx';
import { announce } from '../../ui/feedback/toast.tsx';
import { AccountSection } from './account-section.tsx';
import { refreshAfter } from '../../queries/refresh.ts';
import { Form } from '../../shared/forms/form.tsx';
import { useForm } from '../../shared/forms/use-form.ts';
import { useMailed } from '../../shared/mailed.ts';

const EMPTY = { currentPassword: '', newPassword: '' };

/** Changes the password; every other session ends. */
export function Password({ size = 'md' }: { size?: 'md' | 'lg' }) {
  const { t } = useMessages();
  const user = useUser();
  const mailed = useMailed();
  const [isOpen, setOpen] = useState(false);
  const form = useForm({
    saved: EMPTY,
    send: (body) => formApi.changePassword({ body }),
    onSaved: (session) => {
      setSession(session);
      setOpen(false);
      announce(t('account.passwordChanged'));
      void refreshAfter('sessionsChanged');
    },
    fieldOfCode: { invalid_credentials: 'currentPassword', weak_password: 'newPassword' },
  });
  return (
    <AccountSection title={t('account.password')}>
      {isOpen ? (
        <Form form={form}>
          <input type="email" name="email" autoComplete="username" value={user.email} readOnly hidden />
          <TextField
            label={t('account.currentPassword')}
            size={size}
            type="password"
            required
            autoFocus
            autoComplete="current-password"
            {...form.input('currentPassword')}
          />
          <NewPasswordField label={t('account.newPassword')} size={size} email={user.email} {...form.input('newPassword')} />
          <div className="flex gap-2">
            <Button size={size} kind="primary" type="submit" busy={form.isBusy && t('account.changing')}>
              {t('account.changePassword')}
            </Button>
            <Button
              size={size}
              kind="quiet"
              onClick={() => {
                setOpen(false);
                form.reset();
              }}
            >
              {t('common.cancel')}
            </Button>
          </div>
        </Form>
      ) : (
        <div className="flex flex-wrap items-center gap-4">
          <p className="min-w-0 flex-1 basis-65 text-ink-2">
            {t('account.passwordLead')} {mailed(t('account.passwordLink'))}
          </p>
          <Button size={size} onClick={() => setOpen(true)}>
            {t('account.changePassword')}
          </Button>
        </div>
      )}
    </AccountSection>
  );
}
