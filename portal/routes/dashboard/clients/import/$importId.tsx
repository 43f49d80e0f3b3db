import { createFileRoute, Link } from '@tanstack/react-router';
import { useCallback } from 'react';
import { loadQueries } from '../../../../app/route-data.ts';
import { onlySet } from '../../../../app/search-params.ts';
import { ImportedPage } from '../../../../features/client-import/imported-page.tsx';
import { clientImportQuery, type ImportRowFilters, parseImportSearch } from '../../../../queries/client-imports.ts';
import { PageError } from '../../../../shared/page-error.tsx';
import { PageSkeleton } from '../../../../shared/page-skeleton.tsx';
import { buttonClass } from '../../../../ui/controls/button.tsx';
import { SkeletonRows } from '../../../../ui/feedback/skeleton.tsx';

export const Route = createFileRoute('/dashboard/clients/import/$importId')({
  validateSearch: parseImportSearch,
  loader: ({ params, preload }) => loadQueries(preload, clientImportQuery(params.importId)),
  pendingComponent: () => (
    <PageSkeleton title="Import">
      <SkeletonRows rows={8} />
    </PageSkeleton>
  ),
  errorComponent: ImportMissing,
  notFoundComponent: () => <ImportMissing />,
  component: Imported,
});

function Imported() {
  const { importId } = Route.useParams();
  const { outcome, undo } = Route.useSearch();
  const navigate = Route.useNavigate();
  const change = useCallback(
    (part: Record<string, string | undefined>) =>
      void navigate({ search: (before) => ({ ...before, ...part }) as ImportRowFilters, replace: true, resetScroll: false }),
    [navigate],
  ); // checked again by validateSearch
  return <ImportedPage key={importId} id={importId} filters={onlySet({ outcome, undo })} onChange={change} />;
}

function ImportMissing(props: { error?: unknown; reset?: () => void }) {
  return (
    <PageError {...props} thing="import">
      <Link to="/dashboard/clients/import" className={buttonClass()}>
        All imports
      </Link>
    </PageError>
  );
}
