import { createFileRoute } from '@tanstack/react-router';
import { ClientAgentsPage } from '../../../features/client/agents-page.tsx';

export const Route = createFileRoute('/client/agents/')({ component: ClientAgentsPage });
