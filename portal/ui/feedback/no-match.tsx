import type { ReactNode } from 'react';
import { EmptyState } from './empty-state.tsx';

/** A list whose filters leave nothing: what was looked for, and the way back to all of it. */
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
      {children ?? <>Nothing fits {q ? `“${q}”` : 'these filters'}.</>}
    </EmptyState>
  );
}
