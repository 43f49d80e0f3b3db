import { Link } from '@tanstack/react-router';
import { explain } from '../app/errors.ts';
import { getSession } from '../app/session.ts';
import { Button, buttonClass } from '../ui/controls/button.tsx';
import { CopyButton } from '../ui/controls/copy-button.tsx';
import { Note } from '../ui/feedback/note.tsx';

/** Shows an error with its details for support, and Try again where that can help; to a suspended agency, the way to what it owes. */
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
        ) : code === 'account_suspended' && getSession()?.user.role === 'PARTNER' ? (
          <Link to="/dashboard/billing" className={buttonClass('default', 'sm')}>
            See plan and invoices
          </Link>
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
