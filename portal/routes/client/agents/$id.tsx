import { createFileRoute } from '@tanstack/react-router';
import { ClientAgentPage } from '../../../features/client/agent-page.tsx';

export const Route = createFileRoute('/client/agents/$id')({ component: Agent });

function Agent() {
  return <ClientAgentPage id={Route.useParams().id} />;
}
