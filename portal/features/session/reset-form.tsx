import { useMessages } from '../../app/messages.ts';
import { formApi } from '../../app/api.ts';
import { codeOf } from '../../app/errors.ts';
import { PlainButton } from '../../ui/controls/plain-button.tsx';
import { NewPasswordField } from '../../ui/forms/new-password-field.tsx';
import { Form } from '../../shared/forms/form.tsx';
import { useForm } from '../../shared/forms/use-form.ts';

/** Sets a new password with a reset token. All sessions end, so the user logs in afterwards. */
export function ResetForm({ token, onDone }: { token: string; onDone: () => void }) {
  const { t } = useMessages();
  const form = useForm({
    saved: { password: '' },
    send: ({ password }) => formApi.resetPassword({ body: { token, password } }),
    onSaved: onDone,
    keepValues: true,
    fieldOfCode: { weak_password: 'password' },
  });
  if (!token || codeOf(form.error) === 'reset_token_invalid') return <DeadLink />;
  return (
    <Form form={form}>
      <div>
        <h1 className="text-2xl tracking-figure">{t('login.choose')}</h1>
        <p className="text-ink-2">{t('login.logsOut')}</p>
      </div>
      <NewPasswordField label={t('login.newPassword')} email="" autoFocus {...form.input('password')} />
      <PlainButton kind="primary" size="lg" type="submit" busy={form.isBusy && t('ui.saving')}>
        {t('login.savePassword')}
      </PlainButton>
    </Form>
  );
}

function DeadLink() {
  const { t } = useMessages();
  return (
    <div className="grid gap-4">
      <h1 className="text-2xl tracking-figure">{t('login.deadLink')}</h1>
      <p className="text-ink-2">{t('login.deadLinkHint')}</p>
      <p>
        <a className="link" href="/forgot-password">
          {t('login.newLink')}
        </a>
      </p>
    </div>
  );
}
