import { useUiText } from '../ui/text/reader.ts';
import { explain } from '../app/errors.ts';
import { CopyLink } from '../ui/controls/copy-link.tsx';
import { PlainButton } from '../ui/controls/plain-button.tsx';
import { Note } from '../ui/feedback/note.tsx';

/** Shows an error with its details for support, and Try again where that can help. */
export function ErrorBlock({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const t = useUiText();
  const { title, detail, status, code, requestId, canRetry } = explain(error);
  return (
    <Note
      tone="bad"
      alert
      action={
        onRetry && canRetry ? (
          <PlainButton size="sm" onClick={onRetry}>
            {t('ui.tryAgain')}
          </PlainButton>
        ) : undefined
      }
    >
      <p>
        <b>{title}</b> {detail}
      </p>
      <p className="mt-1 text-xs text-ink-2">
        {t('ui.details')} {status ? `${status} ` : ''}
        {code}
        {requestId ? (
          <>
            , {t('ui.requestWord')} <code>{requestId}</code> <CopyLink text={requestId} />
          </>
        ) : null}
      </p>
    </Note>
  );
}
