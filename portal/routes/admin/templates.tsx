import { createFileRoute } from '@tanstack/react-router';
import { parseTemplateSearch } from '../../features/templates/template.ts';
import { TemplatesPage } from '../../features/templates/templates-page.tsx';
import { textParam } from '../../app/search-params.ts';
import { useSearchState } from '../../app/search-state.ts';
import { rolloutsQuery } from '../../features/templates/rollout-queries.ts';
import { loadQueries, startMissing } from '../../app/route-data.ts';
import { templatesQuery } from '../../queries/templates.ts';
import { PageSkeleton } from '../../shared/page-skeleton.tsx';
import { SkeletonRows } from '../../ui/feedback/skeleton.tsx';

export const Route = createFileRoute('/admin/templates')({
  validateSearch: parseTemplateSearch,
  loader: ({ location, preload }) => {
    const template = textParam((location.search as { template?: unknown }).template); // checked by the function
    // The drawer that the address opens.
    if (template) startMissing(preload, rolloutsQuery(template));
    return loadQueries(preload, templatesQuery);
  },
  pendingComponent: () => (
    <PageSkeleton title="Templates">
      <SkeletonRows rows={12} label="Loading templates" />
    </PageSkeleton>
  ),
  component: Templates,
});

function Templates() {
  const [search, onSearch] = useSearchState(Route);
  return <TemplatesPage search={search} onSearch={onSearch} />;
}
