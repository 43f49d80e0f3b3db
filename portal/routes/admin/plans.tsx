import { createFileRoute } from '@tanstack/react-router';
import { useCallback } from 'react';
import { PlansPage, type PlanSearch } from '../../features/plans/plans-page.tsx';
import { idParam, onlySet } from '../../app/search-params.ts';

export const Route = createFileRoute('/admin/plans')({
  validateSearch: (search: Record<string, unknown>): PlanSearch => onlySet({ plan: search.plan === 'new' ? 'new' : idParam(search.plan) }),
  component: Plans,
});

function Plans() {
  const navigate = Route.useNavigate();
  const onSearch = useCallback((search: PlanSearch) => void navigate({ search: onlySet(search), replace: true }), [navigate]);
  return <PlansPage search={Route.useSearch()} onSearch={onSearch} />;
}
