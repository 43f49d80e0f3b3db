import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { codeOf } from '../../app/errors.ts';
import { Button } from '../../ui/controls/button.tsx';
import { CodeBoxes } from '../../ui/forms/code-boxes.tsx';
import { ErrorBlock } from '../../shared/error-block.tsx';
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
  const [code, setCode] = useState('');
  const confirm = useMutation({ mutationFn: run, onSuccess: onDone, onError: () => setCode('') });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (code.length === 6 && !confirm.isPending) confirm.mutate(code);
  };
  return (
    <form onSubmit={submit} className="grid gap-4">
      <p className="text-ink-2">{lead}</p>
      <CodeBoxes
        value={code}
        onChange={setCode}
        onComplete={(token) => {
          // A destructive action needs an explicit click.
          if (!danger) confirm.mutate(token);
        }}
        bad={confirm.isError}
        disabled={confirm.isPending}
      />
      {codeOf(confirm.error) === 'invalid_mfa_code' ? (
        <Note tone="bad" alert>
          <p>
            <b>That code was not right.</b> Codes change every 30 seconds: enter the one your app shows now.
          </p>
        </Note>
      ) : confirm.error ? (
        <ErrorBlock error={confirm.error} />
      ) : null}
      <div className="flex gap-2">
        <Button size={size} kind={danger ? 'danger' : 'primary'} type="submit" inactive={code.length < 6} busy={confirm.isPending && busy}>
          {action}
        </Button>
        <Button size={size} kind="quiet" onClick={onCancel}>
          Not now
        </Button>
      </div>
    </form>
  );
}
