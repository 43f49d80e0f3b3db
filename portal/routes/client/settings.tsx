import { createFileRoute } from '@tanstack/react-router';
import { ClientSettingsPage } from '../../features/client/settings-page.tsx';

export const Route = createFileRoute('/client/settings')({ component: ClientSettingsPage });
