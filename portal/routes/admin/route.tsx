import { createFileRoute, Outlet } from '@tanstack/react-router';
import { StaffShell } from '../../features/shell/staff-shell.tsx';
import { requireRole } from '../../lib/guard.ts';

export const Route = createFileRoute('/admin')({
  beforeLoad: requireRole('ADMIN'),
  component: () => (
    <StaffShell>
      <Outlet />
    </StaffShell>
  ),
});
