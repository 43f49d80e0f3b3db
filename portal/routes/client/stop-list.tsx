import { createFileRoute } from '@tanstack/react-router';
import { useMessages } from '../../app/messages.ts';
import { useUser } from '../../app/session.ts';
import { PageHead } from '../../features/client/page-head.tsx';
import { StopList } from '../../features/stop-list/stop-list.tsx';
import { SkeletonRows } from '../../ui/feedback/skeleton.tsx';
import { useTitle } from '../../ui/hooks/use-title.ts';

export const Route = createFileRoute('/client/stop-list')({
  pendingComponent: () => <SkeletonRows rows={6} height={40} />,
  component: StopListPage,
});

function StopListPage() {
  const { t } = useMessages();
  const { partner, clientId } = useUser();
  useTitle(t('stop-list.title'), partner.name);
  return (
    <>
      <PageHead title={t('stop-list.title')} lead={t('stop-list.lead')} />
      <StopList clientId={clientId ?? ''} />
    </>
  );
}
