import { createFileRoute } from '@tanstack/react-router';
import { SetupPage } from '../../features/setup/setup-page.tsx';

export const Route = createFileRoute('/dashboard/setup')({ component: Setup });

function Setup() {
  return <SetupPage client={Route.useSearch().client} />;
}
