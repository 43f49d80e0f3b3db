import { createFileRoute } from '@tanstack/react-router';
import { loadQueries } from '../../../app/route-data.ts';
import { DomainSettings } from '../../../features/domain/domain-settings.tsx';
import { domainQuery } from '../../../queries/domain.ts';
import { SkeletonRows } from '../../../ui/feedback/skeleton.tsx';

export const Route = createFileRoute('/dashboard/settings/domain')({
  loader: ({ preload }) => loadQueries(preload, domainQuery),
  pendingComponent: () => <SkeletonRows label="Loading the domain" />,
  component: DomainSettings,
});
