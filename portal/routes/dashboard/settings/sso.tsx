import { createFileRoute } from '@tanstack/react-router';
import { SsoSettings } from '../../../features/sso/sso-settings.tsx';

export const Route = createFileRoute('/dashboard/settings/sso')({ component: SsoSettings });
