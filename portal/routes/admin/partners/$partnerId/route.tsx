import { createFileRoute, Outlet } from '@tanstack/react-router';
import { PartnerHeader } from '../../../../features/partners/partner-header.tsx';

export const Route = createFileRoute('/admin/partners/$partnerId')({ component: PartnerPages });

function PartnerPages() {
  const { partnerId } = Route.useParams();
  return (
    <>
      <PartnerHeader partnerId={partnerId} />
      <Outlet />
    </>
  );
}
