import { createFileRoute } from '@tanstack/react-router';
import { NoSelection } from '../../../features/inbox/no-selection.tsx';

export const Route = createFileRoute('/dashboard/inbox/')({ component: Nothing });

function Nothing() {
  const { client } = Route.useSearch();
  return <NoSelection clientId={client} />;
}
