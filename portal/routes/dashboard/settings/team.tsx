import { createFileRoute } from '@tanstack/react-router';
import { TeamSettings } from '../../../features/people/team-settings.tsx';

export const Route = createFileRoute('/dashboard/settings/team')({ component: TeamSettings });
