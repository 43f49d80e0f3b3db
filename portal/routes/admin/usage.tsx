import { createFileRoute } from '@tanstack/react-router';
import { StaffUsagePage } from '../../features/billing-staff/staff-usage-page.tsx';
import { parseStaffUsageSearch } from '../../features/billing-staff/usage-search.ts';
import { useSearchState } from '../../app/search-state.ts';

export const Route = createFileRoute('/admin/usage')({
  validateSearch: parseStaffUsageSearch,
  component: Usage,
});

function Usage() {
  const [search, onSearch] = useSearchState(Route);
  return <StaffUsagePage search={search} onSearch={onSearch} />;
}
