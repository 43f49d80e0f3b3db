import { useEffect, useRef } from 'react';
import { explain, fieldErrors } from '../app/errors.ts';
import { Button } from '../ui/controls/button.tsx';
import { CopyButton } from '../ui/controls/copy-button.tsx';
import { Note } from '../ui/feedback/note.tsx';

/** Shows an error with its details for support, and Try again where that can help. */
export function ErrorBlock({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const { title, detail, status, code, requestId, canRetry } = explain(error);
  return (
    <Note
      tone="bad"
      alert
      action={
        onRetry && canRetry ? (
          <Button size="sm" onClick={onRetry}>
            Try again
          </Button>
        ) : undefined
      }
    >
      <p>
        <b>{title}</b> {detail}
      </p>
      <p className="mt-1 text-xs text-ink-2">
        Details: {status ? `${status} ` : ''}
        {code}
        {requestId ? (
          <>
            , request <code>{requestId}</code> <CopyButton text={requestId} link />
          </>
        ) : null}
      </p>
    </Note>
  );
}

/** At the top of a form: how many fields have an error, focusing the first, or why the save failed as a whole. */
export function FormError({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const summary = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    summary.current?.closest('form')?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [error]);
  const count = Object.keys(fieldErrors(error)).length;
  if (count > 0)
    return (
      <p ref={summary} role="alert" className="text-bad">
        {count === 1 ? 'One field needs' : `${count} fields need`} attention.
      </p>
    );
  return error ? <ErrorBlock error={error} {...(onRetry ? { onRetry } : {})} /> : null;
}
