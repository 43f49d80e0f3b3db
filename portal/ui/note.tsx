import type { ReactNode } from 'react';
import { explain } from '../lib/errors.ts';
import { Button } from './button.tsx';
import { CopyButton } from './copy-button.tsx';
import { Mark, type MarkKind } from './mark.tsx';

const MARKS: Record<'bad' | 'warn' | 'live' | 'ok', MarkKind> = { bad: 'bad', warn: 'warn', live: 'run', ok: 'ok' };

/** A sentence in a wash with its mark, and at most one action. */
export function Note({
  tone,
  children,
  action,
  alert,
}: {
  tone: 'bad' | 'warn' | 'live' | 'ok';
  children: ReactNode;
  action?: ReactNode;
  alert?: boolean;
}) {
  return (
    <div className="note" data-tone={tone} role={alert ? 'alert' : undefined}>
      <Mark kind={MARKS[tone]} />
      <div className="min-w-0 flex-1">{children}</div>
      {action}
    </div>
  );
}

/** What failed, what still works, Try again, and the line that support needs. */
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
