import { createFileRoute } from '@tanstack/react-router';
import { useCallback } from 'react';
import { KeyForm } from '../../features/integrations/key-form.tsx';
import { AgencyRequestsPage } from '../../features/requests/agency-requests-page.tsx';
import type { KeyFormOf } from '../../features/requests/missing-keys.tsx';
import { parseRequestSearch } from '../../queries/agent-requests.ts';

export const Route = createFileRoute('/dashboard/requests')({ validateSearch: parseRequestSearch, component: Requests });

const keyForm: KeyFormOf = (key) => <KeyForm {...key} row={undefined} />;

function Requests() {
  const { client, request } = Route.useSearch();
  const navigate = Route.useNavigate();
  const onOpen = useCallback(
    (id: string | undefined) => void navigate({ search: (before) => ({ ...before, request: id }), replace: true }),
    [navigate],
  );
  return <AgencyRequestsPage clientId={client} requestId={request} onOpen={onOpen} keyForm={keyForm} />;
}
