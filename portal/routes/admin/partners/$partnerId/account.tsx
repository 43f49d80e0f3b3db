import { createFileRoute } from '@tanstack/react-router';
import { useCallback } from 'react';
import { PartnerAccount } from '../../../../features/account-lifecycle/partner-account.tsx';
import { partnerQuery } from '../../../../queries/partners.ts';
import { startMissing, startQueries, useLoaded } from '../../../../app/route-data.ts';
import { idParam, searchParser } from '../../../../app/search-params.ts';
import { useSearchState } from '../../../../app/search-state.ts';
import { deletionsQuery } from '../../../../queries/account.ts';

const parseSearch = searchParser({ request: idParam });

export const Route = createFileRoute('/admin/partners/$partnerId/account')({
  validateSearch: parseSearch,
  loader: ({ params: { partnerId }, preload }) => {
    startMissing(preload, partnerQuery(partnerId));
    startQueries(preload, deletionsQuery({ scope: 'partner', partnerId }), deletionsQuery({ partnerId }));
  },
  component: Account,
});

function Account() {
  const { partnerId } = Route.useParams();
  const partner = useLoaded(partnerQuery(partnerId));
  const [search, onSearch] = useSearchState(Route);
  const onOpen = useCallback((request: string | undefined) => onSearch({ request }), [onSearch]);
  return (
    <PartnerAccount
      partnerId={partnerId}
      name={partner.name}
      isDeleted={partner.status === 'deleted'}
      requestId={search.request}
      onOpen={onOpen}
    />
  );
}
