import { createFileRoute, Outlet, Link } from '@tanstack/react-router';
import { PartnerHeader } from '../../../../features/partners/partner-header.tsx';
import { loadQueries } from '../../../../app/route-data.ts';
import { partnerQuery } from '../../../../queries/partners.ts';
import { PageError } from '../../../../shared/page-error.tsx';
import { buttonClass } from '../../../../ui/controls/button.tsx';
import { PageSkeleton } from '../../../../shared/page-skeleton.tsx';

export const Route = createFileRoute('/admin/partners/$partnerId')({
  loader: ({ params, preload }) => loadQueries(preload, partnerQuery(params.partnerId)),
  pendingComponent: () => <PageSkeleton title=" " />,
  errorComponent: PartnerMissing,
  notFoundComponent: () => <PartnerMissing />,
  component: PartnerPages,
});

function PartnerPages() {
  const { partnerId } = Route.useParams();
  return (
    <>
      <PartnerHeader partnerId={partnerId} />
      <Outlet />
    </>
  );
}

function PartnerMissing(props: { error?: unknown; reset?: () => void }) {
  return (
    <PageError {...props} thing="partner">
      <Link to="/admin/partners" className={buttonClass()}>
        All partners
      </Link>
    </PageError>
  );
}
