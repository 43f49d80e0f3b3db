import { useMessages } from '../../app/messages.ts';
import type { ReactNode } from 'react';
import { codeOf } from '../../app/errors.ts';
import { Button } from '../../ui/controls/button.tsx';
import { CodeBoxes } from '../../ui/forms/code-boxes.tsx';
import { ErrorBlock } from '../../shared/error-block.tsx';
import { Form } from '../../shared/forms/form.tsx';
import { useForm } from '../../shared/forms/use-form.ts';
import { Note } from '../../ui/feedback/note.tsx';

type Props<T> = {
  lead: ReactNode;
  action: string;
  busy: string;
  danger?: boolean;
  size: 'md' | 'lg';
  run: (token: string) => Promise<T>;
  onDone: (result: T) => void;
  onCancel: () => void;
};

/** Asks for a six-digit authenticator code before a security setting changes. */
export function ConfirmCode<T>({ lead, action, busy, danger, size, run, onDone, onCancel }: Props<T>) {
  const { t } = useMessages();
  const form = useForm({
    saved: { token: '' },
    send: ({ token }) => run(token),
    onSaved: onDone,
    onRefused: () => form.set({ token: '' }),
    keepValues: true,
  });
  const { token } = form.values;
  return (
    <Form form={form} hasSummary={false} className="grid gap-4">
      <p className="text-ink-2">{lead}</p>
      <CodeBoxes
        value={token}
        onChange={(typed) => form.set({ token: typed })}
        onComplete={(typed) => {
          // A destructive action needs an explicit click.
          if (!danger) form.sendNow({ token: typed });
        }}
        bad={form.error !== null}
        disabled={form.isBusy}
      />
      {codeOf(form.error) === 'invalid_mfa_code' ? (
        <Note tone="bad" alert>
          <p>
            <b>{t('account.wrongCode')}</b> {t('account.codesChange')}
          </p>
        </Note>
      ) : form.error ? (
        <ErrorBlock error={form.error} />
      ) : null}
      <div className="flex gap-2">
        <Button size={size} kind={danger ? 'danger' : 'primary'} type="submit" inactive={token.length < 6} busy={form.isBusy && busy}>
          {action}
        </Button>
        <Button size={size} kind="quiet" onClick={onCancel}>
          {t('account.notNow')}
        </Button>
      </div>
    </Form>
  );
}
