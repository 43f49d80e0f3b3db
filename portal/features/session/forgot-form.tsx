import { useMessages } from '../../app/messages.ts';
import { formApi } from '../../app/api.ts';
import { useIsMailOff } from '../../queries/service-readiness.ts';
import { Note } from '../../ui/feedback/note.tsx';
import { PlainButton } from '../../ui/controls/plain-button.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { Form } from '../../shared/forms/form.tsx';
import { useForm } from '../../shared/forms/use-form.ts';

/** Requests a reset link. The confirmation is the same for known and unknown addresses. */
export function ForgotForm({ email: known }: { email: string }) {
  const { t } = useMessages();
  const isMailOff = useIsMailOff();
  const form = useForm({
    saved: { email: known },
    send: ({ email }) => formApi.forgotPassword({ body: { email: email.trim() } }),
    onSaved: () => undefined,
  });
  if (form.sent && isMailOff)
    return (
      <div className="grid gap-5" role="status">
        <h1 className="text-2xl tracking-figure">{t('login.resetTitle')}</h1>
        <p className="text-ink-2">{t('common.noMailSent')}</p>
      </div>
    );
  if (form.sent)
    return (
      <div className="grid gap-5" role="status">
        <h1 className="text-2xl tracking-figure">{t('login.checkMail')}</h1>
        <p className="text-ink-2">{t('login.onItsWay', { email: form.sent.email.trim() })}</p>
        <p className="text-ink-2">{t('login.noMail')}</p>
        <p className="flex gap-4">
          <button type="button" className="link min-h-8" onClick={() => form.clearErrors()}>
            {t('login.otherAddress')}
          </button>
        </p>
      </div>
    );
  return (
    <Form form={form}>
      <div>
        <h1 className="text-2xl tracking-figure">{t('login.resetTitle')}</h1>
        {isMailOff ? null : <p className="text-ink-2">{t('login.resetLead')}</p>}
      </div>
      {isMailOff ? <Note tone="warn">{t('common.mailIsOff')}</Note> : null}
      <TextField
        label={t('login.email')}
        size="lg"
        type="email"
        name="email"
        autoComplete="username"
        required
        autoFocus
        {...form.input('email')}
      />
      <PlainButton kind="primary" size="lg" type="submit" busy={form.isBusy && t('ui.sending')}>
        {t('login.sendLink')}
      </PlainButton>
    </Form>
  );
}
