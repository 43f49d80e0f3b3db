import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { api } from '../../app/api.ts';
import { fieldErrors } from '../../app/errors.ts';
import { Button } from '../../ui/controls/button.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { FormError } from '../../shared/error-block.tsx';

/** Requests a reset link. The confirmation is the same for known and unknown addresses. */
export function ForgotForm({ email: known }: { email: string }) {
  const [email, setEmail] = useState(known);
  const ask = useMutation({ mutationFn: () => api.forgotPassword({ body: { email: email.trim() } }) });
  const errors = fieldErrors(ask.error);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!ask.isPending) ask.mutate();
  };
  if (ask.isSuccess)
    return (
      <div className="grid gap-5" role="status">
        <h1 className="text-2xl tracking-[-0.02em]">Check your e-mail</h1>
        <p className="text-ink-2">
          If <b className="font-medium text-ink">{email.trim()}</b> has an account, a link to set a new password is on its way. It works
          once, for 60 minutes.
        </p>
        <p className="text-ink-2">No e-mail after a few minutes? Check your spam folder, or ask the person who invited you.</p>
        <p className="flex gap-4">
          <button type="button" className="lnk min-h-8" onClick={() => ask.reset()}>
            Use another address
          </button>
        </p>
      </div>
    );
  return (
    <form onSubmit={submit} className="grid gap-5">
      <div>
        <h1 className="text-2xl tracking-[-0.02em]">Reset your password</h1>
        <p className="text-ink-2">We e-mail you a link. Your current password works until you use it.</p>
      </div>
      <FormError error={ask.error} />
      <TextField
        label="E-mail"
        error={errors['email']}
        size="lg"
        type="email"
        name="email"
        autoComplete="username"
        required
        autoFocus
        value={email}
        onChange={setEmail}
      />
      <Button kind="primary" size="lg" type="submit" busy={ask.isPending && 'Sending'}>
        Send link
      </Button>
    </form>
  );
}
