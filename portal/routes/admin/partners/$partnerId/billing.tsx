import { createFileRoute } from '@tanstack/react-router';
import { useCallback } from 'react';
import { PartnerBilling } from '../../../../features/billing-staff/partner-billing.tsx';
import { type PartnerBillingSearch, parsePartnerBillingSearch } from '../../../../features/billing-staff/partner-billing-search.ts';
import { partnerQuery } from '../../../../queries/partners.ts';
import { loadQueries, startMissing } from '../../../../app/route-data.ts';
import { onlySet } from '../../../../app/search-params.ts';
import { billingQuery } from '../../../../queries/billing.ts';
import { SkeletonBlock } from '../../../../ui/feedback/skeleton.tsx';

export const Route = createFileRoute('/admin/partners/$partnerId/billing')({
  validateSearch: parsePartnerBillingSearch,
  loader: ({ params: { partnerId }, preload }) => {
    startMissing(preload, partnerQuery(partnerId));
    return loadQueries(preload, billingQuery(partnerId));
  },
  pendingComponent: () => <SkeletonBlock height={420} />,
  component: Billing,
});

function Billing() {
  const navigate = Route.useNavigate();
  const onSearch = useCallback(
    (change: PartnerBillingSearch) =>
      void navigate({ search: (before) => onlySet({ ...before, ...change }), replace: true, resetScroll: false }),
    [navigate],
  );
  return <PartnerBilling partnerId={Route.useParams().partnerId} search={Route.useSearch()} onSearch={onSearch} />;
}
