import { MAIL_KINDS, MAIL_STATUSES } from '@partner-portal/contract/vocabulary.ts';
import { createFileRoute } from '@tanstack/react-router';
import { SystemPage } from '../../features/system/system-page.tsx';
import { idParam, oneOf, searchParser } from '../../app/search-params.ts';
import { useSearchState } from '../../app/search-state.ts';
import { loadQueries, startMissing } from '../../app/route-data.ts';
import { mailQuery, mailsQuery, systemQuery } from '../../features/system/queries.ts';
import { savedFiltersQuery } from '../../queries/saved-filters.ts';
import { PageSkeleton } from '../../shared/page-skeleton.tsx';
import { SkeletonBlock } from '../../ui/feedback/skeleton.tsx';

const parseSearch = searchParser({ kind: oneOf(MAIL_KINDS), status: oneOf(MAIL_STATUSES), partnerId: idParam, mail: idParam });

export const Route = createFileRoute('/admin/system')({
  validateSearch: parseSearch,
  loaderDeps: ({ search: { mail: _mail, ...filters } }) => filters,
  loader: ({ deps, location, preload }) => {
    const mail = idParam((location.search as { mail?: unknown }).mail); // checked by the function
    // The drawer that the address opens.
    if (mail) startMissing(preload, mailQuery(mail));
    startMissing(preload, mailsQuery(deps), savedFiltersQuery('mail'));
    return loadQueries(preload, systemQuery);
  },
  pendingComponent: () => (
    <PageSkeleton title="System">
      <SkeletonBlock height={420} />
    </PageSkeleton>
  ),
  component: System,
});

function System() {
  const [search, onSearch] = useSearchState(Route);
  return <SystemPage search={search} onSearch={onSearch} />;
}
