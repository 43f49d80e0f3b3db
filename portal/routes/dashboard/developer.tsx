import { createFileRoute } from '@tanstack/react-router';
import { DeveloperPage, parseDeveloperSearch } from '../../features/developer/developer-page.tsx';

export const Route = createFileRoute('/dashboard/developer')({ validateSearch: parseDeveloperSearch, component: Developer });

function Developer() {
  return <DeveloperPage search={Route.useSearch()} />;
}
