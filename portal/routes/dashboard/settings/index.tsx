import { createFileRoute } from '@tanstack/react-router';
import { AgencySettings } from '../../../features/settings/agency-settings.tsx';

export const Route = createFileRoute('/dashboard/settings/')({ component: AgencySettings });
