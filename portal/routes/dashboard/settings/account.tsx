import { createFileRoute } from '@tanstack/react-router';
import { AgencyAccount } from '../../../features/account-lifecycle/agency-account.tsx';
import { startMissing, startQueries } from '../../../app/route-data.ts';
import { deletionPreviewQuery, deletionsQuery, exportsQuery } from '../../../queries/account.ts';

export const Route = createFileRoute('/dashboard/settings/account')({
  loader: ({ preload }) => {
    const account = { scope: 'partner' } as const;
    startMissing(preload, exportsQuery(account));
    startQueries(preload, deletionsQuery(account), deletionPreviewQuery(account));
  },
  component: AgencyAccount,
});
