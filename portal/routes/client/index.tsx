import { useMessages } from '../../app/messages.ts';
import { createFileRoute } from '@tanstack/react-router';
import { ClientHomePage } from '../../features/client/home-page.tsx';
import { loadQueries, startMissing } from '../../app/route-data.ts';
import { getSession } from '../../app/session.ts';
import { figuresQuery } from '../../queries/inbox.ts';
import { ChatFiguresPanel } from '../../features/inbox/figures-panel.tsx';
import { homeQuery } from '../../features/client/queries.ts';
import { SkeletonRows } from '../../ui/feedback/skeleton.tsx';

export const Route = createFileRoute('/client/')({
  loader: ({ preload }) => {
    if (getSession()?.user.features.chatbot) startMissing(preload, figuresQuery(undefined));
    return loadQueries(preload, homeQuery);
  },
  pendingComponent: () => <SkeletonRows rows={16} height={44} />,
  component: Home,
});

function Home() {
  const { t } = useMessages();
  return (
    <>
      <ClientHomePage />
      <div className="mt-10">
        <ChatFiguresPanel clientId={undefined} title={t('client.chatFigures')} />
      </div>
    </>
  );
}
