import { createFileRoute } from '@tanstack/react-router';
import { useCallback } from 'react';
import type { TemplateSearch } from '../../features/templates/template.ts';
import { TemplatesPage } from '../../features/templates/templates-page.tsx';
import { onlySet, textParam } from '../../app/search-params.ts';
import { loadQueries } from '../../app/route-data.ts';
import { templatesQuery } from '../../queries/templates.ts';
import { PageSkeleton } from '../../shared/page-skeleton.tsx';
import { SkeletonRows } from '../../ui/feedback/skeleton.tsx';

export const Route = createFileRoute('/admin/templates')({
  validateSearch: (search: Record<string, unknown>): TemplateSearch =>
    onlySet({ q: textParam(search.q), category: textParam(search.category), template: textParam(search.template) }),
  loader: ({ preload }) => loadQueries(preload, templatesQuery),
  pendingComponent: () => (
    <PageSkeleton title="Templates">
      <SkeletonRows rows={12} label="Loading templates" />
    </PageSkeleton>
  ),
  component: Templates,
});

function Templates() {
  const navigate = Route.useNavigate();
  const onSearch = useCallback(
    (change: TemplateSearch) => void navigate({ search: (before) => onlySet({ ...before, ...change }), replace: true, resetScroll: false }),
    [navigate],
  );
  return <TemplatesPage search={Route.useSearch()} onSearch={onSearch} />;
}
