import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { api } from '../../app/api.ts';
import { codeOf, explain, fieldErrors } from '../../app/errors.ts';
import { Button } from '../../ui/controls/button.tsx';
import { NewPasswordField } from '../../ui/forms/new-password-field.tsx';
import { FormError } from '../../shared/error-block.tsx';

/** Sets a new password with a reset token. All sessions end, so the user logs in afterwards. */
export function ResetForm({ token, onDone }: { token: string; onDone: () => void }) {
  const [password, setPassword] = useState('');
  const reset = useMutation({ mutationFn: () => api.resetPassword({ body: { token, password } }), onSuccess: onDone });
  const errors = fieldErrors(reset.error);
  if (!token || codeOf(reset.error) === 'reset_token_invalid') return <DeadLink />;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!reset.isPending) reset.mutate();
  };
  const isWeak = codeOf(reset.error) === 'weak_password';
  return (
    <form onSubmit={submit} className="grid gap-5">
      <div>
        <h1 className="text-2xl tracking-[-0.02em]">Choose a new password</h1>
        <p className="text-ink-2">This logs you out on all devices.</p>
      </div>
      {isWeak ? null : <FormError error={reset.error} />}
      <NewPasswordField
        label="New password"
        email=""
        autoFocus
        value={password}
        onChange={setPassword}
        error={errors['password'] ?? (isWeak ? explain(reset.error).detail : undefined)}
      />
      <Button kind="primary" size="lg" type="submit" busy={reset.isPending && 'Saving'}>
        Save new password
      </Button>
    </form>
  );
}

function DeadLink() {
  return (
    <div className="grid gap-4">
      <h1 className="text-2xl tracking-[-0.02em]">This link no longer works</h1>
      <p className="text-ink-2">Reset links work once, for 60 minutes, and only the newest one is valid. Request a new link to continue.</p>
      <p>
        <a className="lnk" href="/forgot-password">
          Request a new link
        </a>
      </p>
    </div>
  );
}
