import { createFileRoute } from '@tanstack/react-router';
import { onlySet } from '../../app/search-params.ts';
import { loadQueries } from '../../app/route-data.ts';
import { getSession, useUser } from '../../app/session.ts';
import { ClientReportPage } from '../../features/report/client-report-page.tsx';
import { monthParam } from '../../features/report/months.ts';
import { reportQuery } from '../../queries/report.ts';
import { SkeletonRows } from '../../ui/feedback/skeleton.tsx';

type Search = { month?: string | undefined };

export const Route = createFileRoute('/client/report')({
  validateSearch: (search: Record<string, unknown>): Search => onlySet({ month: monthParam(search.month) }),
  loaderDeps: ({ search }) => ({ month: search.month }),
  loader: async ({ preload, deps }) => {
    const id = getSession()?.user.client?.id;
    if (id !== undefined) await loadQueries(preload, reportQuery(id, deps.month));
  },
  pendingComponent: () => <SkeletonRows rows={10} height={44} />,
  component: ReportRoute,
});

function ReportRoute() {
  const { client } = useUser();
  const { month } = Route.useSearch();
  const navigate = Route.useNavigate();
  if (client === null) return null;
  return (
    <ClientReportPage
      clientId={client.id}
      month={month}
      onMonth={(next) => void navigate({ search: { month: next }, replace: true, resetScroll: false })}
    />
  );
}
