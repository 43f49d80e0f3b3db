import { useUiText } from '../text/reader.ts';
import type { ReactNode } from 'react';
import { EmptyState } from './empty-state.tsx';

/** Empty state of a list whose filters match nothing, with a button that clears them. */
export function NoMatch({
  what,
  title = `No ${what ?? 'row'} matches`,
  q,
  onClear,
  children,
}: {
  /** What the rows are, in English; a page in other languages has a title of its own. */
  what?: string;
  title?: string;
  q?: string | undefined;
  onClear: () => void;
  children?: ReactNode;
}) {
  const t = useUiText();
  return (
    <EmptyState
      title={title}
      actions={
        <button type="button" className="link" onClick={onClear}>
          {t('ui.clearFilters')}
        </button>
      }
    >
      {children ?? (q ? t('ui.nothingMatches', { text: q }) : t('ui.nothingMatchesFilters'))}
    </EmptyState>
  );
}
