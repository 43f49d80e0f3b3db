import { createFileRoute } from '@tanstack/react-router';
import { useCallback } from 'react';
import { AiRatesPage } from '../../features/ai-rates/ai-rates-page.tsx';
import { type AiRatesSearch, parseAiRatesSearch } from '../../features/ai-rates/ai-rates-search.ts';
import { loadQueries } from '../../app/route-data.ts';
import { onlySet } from '../../app/search-params.ts';
import { aiRateVersionsQuery } from '../../queries/ai-rates.ts';
import { PageSkeleton } from '../../shared/page-skeleton.tsx';
import { SkeletonRows } from '../../ui/feedback/skeleton.tsx';

export const Route = createFileRoute('/admin/ai-rates')({
  validateSearch: parseAiRatesSearch,
  loader: ({ preload }) => loadQueries(preload, aiRateVersionsQuery),
  pendingComponent: () => (
    <PageSkeleton title="AI rates">
      <SkeletonRows rows={8} label="Loading the rates" />
    </PageSkeleton>
  ),
  component: AiRates,
});

function AiRates() {
  const navigate = Route.useNavigate();
  const onSearch = useCallback(
    (change: AiRatesSearch) => void navigate({ search: (before) => onlySet({ ...before, ...change }), replace: true, resetScroll: false }),
    [navigate],
  );
  return <AiRatesPage search={Route.useSearch()} onSearch={onSearch} />;
}
