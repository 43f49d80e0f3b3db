import { createFileRoute } from '@tanstack/react-router';
import { parseUsageSearch } from '../../features/usage/queries.ts';
import { UsagePage } from '../../features/usage/usage-page.tsx';

export const Route = createFileRoute('/dashboard/usage')({ validateSearch: parseUsageSearch, component: Usage });

function Usage() {
  const search = Route.useSearch();
  return <UsagePage {...search} client={search.client} />;
}
