import { formApi } from '../../app/api.ts';
import { Form } from '../../shared/forms/form.tsx';
import { useForm } from '../../shared/forms/use-form.ts';
import { Button } from '../../ui/controls/button.tsx';
import { announce } from '../../ui/feedback/toast.tsx';
import { WriteOnlyField } from '../../ui/forms/write-only-field.tsx';
import { type Connection, setConnection } from './queries.ts';

/** Replaces the client secret while the connection cannot be changed. The provider is asked whether it accepts the new one. */
export function ReplaceSecret({ refusal }: { refusal: string | undefined }) {
  const form = useForm<{ clientSecret: string }, Connection>({
    saved: { clientSecret: '' },
    check: ({ clientSecret }) => (clientSecret.trim() === '' ? { clientSecret: 'Enter the new client secret.' } : {}),
    send: (body) => formApi.replaceSsoSecret({ body }),
    onSaved: (saved) => {
      setConnection(saved);
      announce('Client secret replaced. Your provider accepts it.');
    },
  });
  return (
    <details className="border-t border-line-soft pt-4">
      <summary className="link min-h-8 cursor-pointer py-1.5">Replace the client secret</summary>
      <Form form={form}>
        <p className="text-ink-2">We ask your provider whether it accepts the new secret, and keep the present one if not.</p>
        <WriteOnlyField
          label="New client secret"
          savedAt={undefined}
          value={form.values.clientSecret}
          onChange={(clientSecret) => form.set({ clientSecret })}
          error={form.errors['clientSecret']}
          disabled={refusal !== undefined}
        />
        <div className="flex justify-end">
          <Button type="submit" disabledReason={refusal} busy={form.isBusy && 'Asking your provider'}>
            Replace secret
          </Button>
        </div>
      </Form>
    </details>
  );
}
