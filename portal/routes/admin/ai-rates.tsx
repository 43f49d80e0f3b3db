import { createFileRoute } from '@tanstack/react-router';
import { AiRatesPage } from '../../features/ai-rates/ai-rates-page.tsx';
import { firstDayOf, parseAiRatesSearch } from '../../features/ai-rates/ai-rates-search.ts';
import { loadQueries, startMissing } from '../../app/route-data.ts';
import { useSearchState } from '../../app/search-state.ts';
import { aiMarginsQuery, aiRateVersionsQuery } from '../../queries/ai-rates.ts';
import { PageSkeleton } from '../../shared/page-skeleton.tsx';
import { SkeletonRows } from '../../ui/feedback/skeleton.tsx';

export const Route = createFileRoute('/admin/ai-rates')({
  validateSearch: parseAiRatesSearch,
  loaderDeps: ({ search }) => ({ span: search.span }),
  loader: ({ deps, preload }) => {
    startMissing(preload, aiMarginsQuery(firstDayOf(deps.span)));
    return loadQueries(preload, aiRateVersionsQuery);
  },
  pendingComponent: () => (
    <PageSkeleton title="AI rates">
      <SkeletonRows rows={8} label="Loading the rates" />
    </PageSkeleton>
  ),
  component: AiRates,
});

function AiRates() {
  const [search, onSearch] = useSearchState(Route);
  return <AiRatesPage search={search} onSearch={onSearch} />;
}
