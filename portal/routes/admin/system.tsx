import { MAIL_KINDS, MAIL_STATUSES } from '@partner-portal/contract/vocabulary.ts';
import { createFileRoute } from '@tanstack/react-router';
import { useCallback } from 'react';
import type { SystemSearch } from '../../features/system/mail-outbox.tsx';
import { SystemPage } from '../../features/system/system-page.tsx';
import { choiceParam, idParam, onlySet } from '../../app/search-params.ts';

export const Route = createFileRoute('/admin/system')({
  validateSearch: (search: Record<string, unknown>): SystemSearch =>
    onlySet({
      kind: choiceParam(MAIL_KINDS, search.kind),
      status: choiceParam(MAIL_STATUSES, search.status),
      partnerId: idParam(search.partnerId),
      mail: idParam(search.mail),
    }),
  component: System,
});

function System() {
  const navigate = Route.useNavigate();
  const onSearch = useCallback(
    (change: SystemSearch) => void navigate({ search: (before) => onlySet({ ...before, ...change }), replace: true }),
    [navigate],
  );
  return <SystemPage search={Route.useSearch()} onSearch={onSearch} />;
}
