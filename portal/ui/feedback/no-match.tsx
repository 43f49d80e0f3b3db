import type { ReactNode } from 'react';
import { EmptyState } from './empty-state.tsx';

/** Empty state of a list whose filters match nothing, with a button that clears them. */
export function NoMatch({
  what,
  q,
  onClear,
  children,
}: {
  what: string;
  q?: string | undefined;
  onClear: () => void;
  children?: ReactNode;
}) {
  return (
    <EmptyState
      title={`No ${what} matches`}
      actions={
        <button type="button" className="link" onClick={onClear}>
          Clear the filters
        </button>
      }
    >
      {children ?? <>Nothing matches {q ? `“${q}”` : 'these filters'}.</>}
    </EmptyState>
  );
}
