import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import { explain } from '../app/errors.ts';
import { Note } from '../ui/feedback/note.tsx';
import { useUiText } from '../ui/text/reader.ts';

/** The reason why the next page of a list could not be loaded, next to the button that requests it. */
export function MoreFailed({
  list: { isFetchNextPageError, error },
}: {
  list: Pick<UseInfiniteQueryResult, 'isFetchNextPageError' | 'error'>;
}) {
  const t = useUiText();
  if (!isFetchNextPageError) return null;
  return (
    <div className="my-3 text-start">
      <Note tone="bad" alert>
        <b>{t('ui.more-failed')}</b> {explain(error).title}
      </Note>
    </div>
  );
}
