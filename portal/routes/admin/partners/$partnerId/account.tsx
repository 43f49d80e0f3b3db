import { createFileRoute } from '@tanstack/react-router';
import { useCallback } from 'react';
import { PartnerAccount } from '../../../../features/account-lifecycle/partner-account.tsx';
import { partnerQuery } from '../../../../queries/partners.ts';
import { startMissing, startQueries, useLoaded } from '../../../../app/route-data.ts';
import { idParam, onlySet } from '../../../../app/search-params.ts';
import { deletionsQuery } from '../../../../queries/account.ts';

type Search = { request?: string | undefined };

export const Route = createFileRoute('/admin/partners/$partnerId/account')({
  validateSearch: (search: Record<string, unknown>): Search => onlySet({ request: idParam(search.request) }),
  loader: ({ params: { partnerId }, preload }) => {
    startMissing(preload, partnerQuery(partnerId));
    startQueries(preload, deletionsQuery({ scope: 'partner', partnerId }), deletionsQuery({ partnerId }));
  },
  component: Account,
});

function Account() {
  const { partnerId } = Route.useParams();
  const partner = useLoaded(partnerQuery(partnerId));
  const navigate = Route.useNavigate();
  const onOpen = useCallback(
    (request: string | undefined) => void navigate({ search: onlySet({ request }), replace: true, resetScroll: false }),
    [navigate],
  );
  return (
    <PartnerAccount
      partnerId={partnerId}
      name={partner.name}
      isDeleted={partner.status === 'deleted'}
      requestId={Route.useSearch().request}
      onOpen={onOpen}
    />
  );
}
