import { createFileRoute } from '@tanstack/react-router';
import { SsoSettings } from '../../../features/sso/sso-settings.tsx';
import { loadQueries } from '../../../app/route-data.ts';
import { ssoQuery } from '../../../features/sso/queries.ts';
import { SkeletonRows } from '../../../ui/feedback/skeleton.tsx';

export const Route = createFileRoute('/dashboard/settings/sso')({
  loader: ({ preload }) => loadQueries(preload, ssoQuery),
  pendingComponent: () => <SkeletonRows label="Loading single sign-on" />,
  component: SsoSettings,
});
