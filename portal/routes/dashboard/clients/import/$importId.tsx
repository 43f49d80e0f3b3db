import { createFileRoute, Link } from '@tanstack/react-router';
import { loadQueries } from '../../../../app/route-data.ts';
import { useSearchState } from '../../../../app/search-state.ts';
import { onlySet } from '../../../../app/search-params.ts';
import { ImportedPage } from '../../../../features/client-import/imported-page.tsx';
import { clientImportQuery, parseImportSearch } from '../../../../features/client-import/queries.ts';
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
  const [{ outcome, undo }, change] = useSearchState(Route);
  return <ImportedPage id={importId} filters={onlySet({ outcome, undo })} onChange={change} />;
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
