import { createFileRoute } from '@tanstack/react-router';
import { searchParser } from '../../app/search-params.ts';
import { useSearchState } from '../../app/search-state.ts';
import { loadQueries, startMissing } from '../../app/route-data.ts';
import { getSession, useUser } from '../../app/session.ts';
import { ClientReportPage } from '../../features/report/client-report-page.tsx';
import { monthParam } from '../../features/report/months.ts';
import { recipientsQuery, reportQuery } from '../../features/report/queries.ts';
import { SkeletonRows } from '../../ui/feedback/skeleton.tsx';

const parseSearch = searchParser({ month: monthParam });

export const Route = createFileRoute('/client/report')({
  validateSearch: parseSearch,
  loaderDeps: ({ search }) => ({ month: search.month }),
  loader: async ({ preload, deps }) => {
    const id = getSession()?.user.client?.id;
    if (id === undefined) return;
    startMissing(preload, recipientsQuery(id));
    await loadQueries(preload, reportQuery(id, deps.month));
  },
  pendingComponent: () => <SkeletonRows rows={10} height={44} />,
  component: ReportRoute,
});

function ReportRoute() {
  const { client } = useUser();
  const [{ month }, onSearch] = useSearchState(Route);
  if (client === null) return null;
  return <ClientReportPage clientId={client.id} month={month} onMonth={(next) => onSearch({ month: next })} />;
}
