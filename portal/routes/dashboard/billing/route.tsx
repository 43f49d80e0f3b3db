import { createFileRoute, Outlet } from '@tanstack/react-router';
import { BillingHeader } from '../../../shared/billing-header.tsx';

export const Route = createFileRoute('/dashboard/billing')({
  component: () => (
    <>
      <BillingHeader />
      <Outlet />
    </>
  ),
});
