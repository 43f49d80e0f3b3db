import { formApi } from '../../app/api.ts';
import { codeOf } from '../../app/errors.ts';
import { Button } from '../../ui/controls/button.tsx';
import { NewPasswordField } from '../../ui/forms/new-password-field.tsx';
import { Form } from '../../shared/forms/form.tsx';
import { useForm } from '../../shared/forms/use-form.ts';

/** Sets a new password with a reset token. All sessions end, so the user logs in afterwards. */
export function ResetForm({ token, onDone }: { token: string; onDone: () => void }) {
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
        <h1 className="text-2xl tracking-[-0.02em]">Choose a new password</h1>
        <p className="text-ink-2">This logs you out on all devices.</p>
      </div>
      <NewPasswordField label="New password" email="" autoFocus {...form.input('password')} />
      <Button kind="primary" size="lg" type="submit" busy={form.isBusy && 'Saving'}>
        Save new password
      </Button>
    </Form>
  );
}

function DeadLink() {
  return (
    <div className="grid gap-4">
      <h1 className="text-2xl tracking-[-0.02em]">This link no longer works</h1>
      <p className="text-ink-2">Reset links work once, for 60 minutes, and only the newest one is valid. Request a new link to continue.</p>
      <p>
        <a className="link" href="/forgot-password">
          Request a new link
        </a>
      </p>
    </div>
  );
}
