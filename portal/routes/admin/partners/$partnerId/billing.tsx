import { createFileRoute } from '@tanstack/react-router';
import { PartnerBilling } from '../../../../features/billing-staff/partner-billing.tsx';
import { parsePartnerBillingSearch } from '../../../../features/billing-staff/partner-billing-search.ts';
import { partnerQuery } from '../../../../queries/partners.ts';
import { loadQueries, startMissing } from '../../../../app/route-data.ts';
import { useSearchState } from '../../../../app/search-state.ts';
import { billingQuery, invoicesQuery, ordersQuery } from '../../../../queries/billing.ts';
import { overdueOfQuery, PARTNER_STEP, partnerLedgerQuery } from '../../../../features/billing-staff/queries.ts';
import { SkeletonBlock } from '../../../../ui/feedback/skeleton.tsx';

export const Route = createFileRoute('/admin/partners/$partnerId/billing')({
  validateSearch: parsePartnerBillingSearch,
  loaderDeps: ({ search: { kind } }) => ({ kind }),
  loader: ({ params: { partnerId }, deps: { kind }, preload }) => {
    startMissing(
      preload,
      partnerQuery(partnerId),
      invoicesQuery({ partnerId, limit: PARTNER_STEP }),
      ordersQuery({ partnerId, limit: PARTNER_STEP }),
      partnerLedgerQuery({ partnerId, kind }),
      overdueOfQuery(partnerId),
    );
    return loadQueries(preload, billingQuery(partnerId));
  },
  pendingComponent: () => <SkeletonBlock height={420} />,
  component: Billing,
});

function Billing() {
  const [search, onSearch] = useSearchState(Route);
  return <PartnerBilling partnerId={Route.useParams().partnerId} search={search} onSearch={onSearch} />;
}
