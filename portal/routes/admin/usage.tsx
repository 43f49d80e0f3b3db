import { createFileRoute } from '@tanstack/react-router';
import { useCallback } from 'react';
import { StaffUsagePage } from '../../features/billing-staff/staff-usage-page.tsx';
import { parseStaffUsageSearch, type StaffUsageSearch } from '../../features/billing-staff/usage-search.ts';
import { onlySet } from '../../app/search-params.ts';

export const Route = createFileRoute('/admin/usage')({
  validateSearch: parseStaffUsageSearch,
  component: Usage,
});

function Usage() {
  const navigate = Route.useNavigate();
  const onSearch = useCallback(
    (change: StaffUsageSearch) =>
      void navigate({ search: (before) => onlySet({ ...before, ...change }), replace: true, resetScroll: false }),
    [navigate],
  );
  return <StaffUsagePage search={Route.useSearch()} onSearch={onSearch} />;
}
