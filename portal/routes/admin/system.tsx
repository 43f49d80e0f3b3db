import { MAIL_KINDS, MAIL_STATUSES } from '@partner-portal/contract/vocabulary.ts';
import { createFileRoute } from '@tanstack/react-router';
import { useCallback } from 'react';
import type { SystemSearch } from '../../features/system/mail-outbox.tsx';
import { SystemPage } from '../../features/system/system-page.tsx';
import { choiceParam, idParam, onlySet } from '../../app/search-params.ts';
import { loadQueries, startMissing } from '../../app/route-data.ts';
import { mailsQuery, systemQuery } from '../../features/system/queries.ts';
import { savedFiltersQuery } from '../../queries/saved-filters.ts';
import { PageSkeleton } from '../../shared/page-skeleton.tsx';
import { SkeletonBlock } from '../../ui/feedback/skeleton.tsx';

export const Route = createFileRoute('/admin/system')({
  validateSearch: (search: Record<string, unknown>): SystemSearch =>
    onlySet({
      kind: choiceParam(MAIL_KINDS, search.kind),
      status: choiceParam(MAIL_STATUSES, search.status),
      partnerId: idParam(search.partnerId),
      mail: idParam(search.mail),
    }),
  loaderDeps: ({ search: { mail: _mail, ...filters } }) => filters,
  loader: ({ deps, preload }) => {
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
  const navigate = Route.useNavigate();
  const onSearch = useCallback(
    (change: SystemSearch) => void navigate({ search: (before) => onlySet({ ...before, ...change }), replace: true, resetScroll: false }),
    [navigate],
  );
  return <SystemPage search={Route.useSearch()} onSearch={onSearch} />;
}
