import { createFileRoute } from '@tanstack/react-router';
import { AgencyAccount } from '../../../features/account-lifecycle/agency-account.tsx';
import { startQueries } from '../../../app/route-data.ts';
import { deletionPreviewQuery, deletionsQuery } from '../../../queries/account.ts';

export const Route = createFileRoute('/dashboard/settings/account')({
  loader: ({ preload }) => startQueries(preload, deletionsQuery({ scope: 'partner' }), deletionPreviewQuery({ scope: 'partner' })),
  component: AgencyAccount,
});
