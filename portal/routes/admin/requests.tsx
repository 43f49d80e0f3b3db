import { createFileRoute } from '@tanstack/react-router';
import { useCallback } from 'react';
import { StaffRequestsPage } from '../../features/requests/staff-requests-page.tsx';
import { parseRequestSearch } from '../../queries/agent-requests.ts';

export const Route = createFileRoute('/admin/requests')({ validateSearch: parseRequestSearch, component: Requests });

function Requests() {
  const { request } = Route.useSearch();
  const navigate = Route.useNavigate();
  const onOpen = useCallback((id: string | undefined) => void navigate({ search: { request: id }, replace: true }), [navigate]);
  return <StaffRequestsPage requestId={request} onOpen={onOpen} />;
}
