import { formApi } from '../../app/api.ts';
import { Button } from '../../ui/controls/button.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { Form } from '../../shared/forms/form.tsx';
import { useForm } from '../../shared/forms/use-form.ts';

/** Requests a reset link. The confirmation is the same for known and unknown addresses. */
export function ForgotForm({ email: known }: { email: string }) {
  const form = useForm({
    saved: { email: known },
    send: ({ email }) => formApi.forgotPassword({ body: { email: email.trim() } }),
    onSaved: () => undefined,
  });
  if (form.sent)
    return (
      <div className="grid gap-5" role="status">
        <h1 className="text-2xl tracking-[-0.02em]">Check your e-mail</h1>
        <p className="text-ink-2">
          If <b className="font-medium text-ink">{form.sent.email.trim()}</b> has an account, a link to set a new password is on its way. It
          works once, for 60 minutes.
        </p>
        <p className="text-ink-2">No e-mail after a few minutes? Check your spam folder, or ask the person who invited you.</p>
        <p className="flex gap-4">
          <button type="button" className="link min-h-8" onClick={() => form.clearErrors()}>
            Use another address
          </button>
        </p>
      </div>
    );
  return (
    <Form form={form}>
      <div>
        <h1 className="text-2xl tracking-[-0.02em]">Reset your password</h1>
        <p className="text-ink-2">We e-mail you a link. Your current password works until you use it.</p>
      </div>
      <TextField label="E-mail" size="lg" type="email" name="email" autoComplete="username" required autoFocus {...form.input('email')} />
      <Button kind="primary" size="lg" type="submit" busy={form.isBusy && 'Sending'}>
        Send link
      </Button>
    </Form>
  );
}
