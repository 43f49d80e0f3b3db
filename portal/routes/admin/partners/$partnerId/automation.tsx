import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { AutomationPage } from '../../../../features/automation/automation-page.tsx';
import { partnerQuery } from '../../../../features/partners/queries.ts';

export const Route = createFileRoute('/admin/partners/$partnerId/automation')({
  validateSearch: (search: Record<string, unknown>): { attempt?: string | undefined } =>
    typeof search.attempt === 'string' ? { attempt: search.attempt } : {},
  component: Automation,
});

function Automation() {
  const { partnerId } = Route.useParams();
  const { attempt } = Route.useSearch();
  const navigate = Route.useNavigate();
  const { data } = useQuery(partnerQuery(partnerId));
  return (
    <AutomationPage
      partnerId={partnerId}
      partnerName={data?.name ?? 'this partner'}
      slug={data?.slug}
      attemptId={attempt}
      onAttempt={(next) => void navigate({ search: { attempt: next }, replace: true })}
    />
  );
}
