import { createFileRoute, Outlet } from '@tanstack/react-router';
import { ClientShell } from '../../features/shell/client-shell.tsx';
import { requireRole } from '../../lib/guard.ts';

export const Route = createFileRoute('/client')({
  beforeLoad: requireRole('CLIENT'),
  component: () => (
    <ClientShell>
      <Outlet />
    </ClientShell>
  ),
});
