import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { AutomationPage } from '../../../../features/automation/automation-page.tsx';
import { partnerQuery } from '../../../../queries/partners.ts';
import { loadQueries, startMissing, startQueries } from '../../../../app/route-data.ts';
import { searchParser, textParam } from '../../../../app/search-params.ts';
import { useSearchState } from '../../../../app/search-state.ts';
import { attemptsQuery, instanceQuery, preflightQuery, stepsQuery } from '../../../../features/automation/queries.ts';
import { SkeletonRows } from '../../../../ui/feedback/skeleton.tsx';

const parseSearch = searchParser({ attempt: textParam });

export const Route = createFileRoute('/admin/partners/$partnerId/automation')({
  validateSearch: parseSearch,
  loaderDeps: ({ search }) => ({ attempt: search.attempt }),
  loader: ({ params: { partnerId }, deps, preload, cause }) => {
    // The current attempt stays on screen while another one loads.
    if (cause === 'stay') return startQueries(preload, stepsQuery(partnerId, deps.attempt));
    startMissing(preload, partnerQuery(partnerId), attemptsQuery(partnerId), preflightQuery(partnerId));
    return loadQueries(preload, instanceQuery(partnerId), stepsQuery(partnerId, deps.attempt));
  },
  pendingComponent: () => <SkeletonRows rows={12} height={34} />,
  component: Automation,
});

function Automation() {
  const { partnerId } = Route.useParams();
  const [{ attempt }, onSearch] = useSearchState(Route);
  const { data } = useQuery(partnerQuery(partnerId));
  return (
    <AutomationPage
      partnerId={partnerId}
      partnerName={data?.name ?? 'this partner'}
      slug={data?.slug}
      attemptId={attempt}
      onAttempt={(next) => onSearch({ attempt: next })}
    />
  );
}
