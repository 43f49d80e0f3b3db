import { PROVIDERS, type Provider } from '@partner-portal/contract/vocabulary.ts';
import { createFileRoute, lazyRouteComponent, Link } from '@tanstack/react-router';
import { ClientAgents } from '../../../features/agents/client-agents.tsx';
import { ClientPage } from '../../../features/clients/client-page.tsx';
import { ChatFiguresPanel } from '../../../features/inbox/figures-panel.tsx';
import { ClientOverview } from '../../../features/overview/client-overview.tsx';
import { ClientPeople } from '../../../features/people/client-people.tsx';
import { monthParam } from '../../../features/report/months.ts';
import { RequestButton } from '../../../features/requests/request-button.tsx';
import { RunsOf } from '../../../features/runs/agent-runs.tsx';
import { type Client, CLIENT_TABS, type ClientTab, clientQuery } from '../../../queries/clients.ts';
import { deletionPreviewQuery, deletionsQuery, exportsQuery } from '../../../queries/account.ts';
import { credentialsQuery, readinessQuery, requirementCountsQuery, requirementsQuery } from '../../../queries/credentials.ts';
import { domainQuery } from '../../../queries/domain.ts';
import { aiModelsQuery, chatBudgetsQuery, chatbotQuery, knowledgeQuery } from '../../../queries/chatbot.ts';
import { stopListQuery } from '../../../features/stop-list/queries.ts';
import { hoursEstimatesQuery, recipientsQuery, reportQuery, resultValuesQuery } from '../../../features/report/queries.ts';
import { oneOf, searchParser } from '../../../app/search-params.ts';
import { useSearchState } from '../../../app/search-state.ts';
import { Section } from '../../../ui/layout/layout.tsx';
import { loadQueries, startMissing } from '../../../app/route-data.ts';
import { getSession } from '../../../app/session.ts';
import { summaryQuery } from '../../../queries/agency.ts';
import { figuresQuery, inboxCountsQuery } from '../../../queries/inbox.ts';
import { Part } from '../../../shared/part.tsx';
import { PageError } from '../../../shared/page-error.tsx';
import { buttonClass } from '../../../ui/controls/button.tsx';
import { PageSkeleton } from '../../../shared/page-skeleton.tsx';
import { SkeletonBlock, SkeletonRows } from '../../../ui/feedback/skeleton.tsx';

/** What few people open comes with its tab. */
const ReportTab = lazyRouteComponent(() => import('../../../features/report/agency-report.tsx'), 'AgencyReport');
const ClientSettings = lazyRouteComponent(() => import('../../../features/clients/client-settings.tsx'), 'ClientSettings');
const ChatbotOf = lazyRouteComponent(() => import('../../../features/chatbot/chatbot-page.tsx'), 'ChatbotOf');
const ClientChatbot = lazyRouteComponent(() => import('../../../features/chatbot/client-chatbot.tsx'), 'ClientChatbot');
const ClientIntegrations = lazyRouteComponent(() => import('../../../features/integrations/client-integrations.tsx'), 'ClientIntegrations');
const StopList = lazyRouteComponent(() => import('../../../features/stop-list/stop-list.tsx'), 'StopList');
const ClientAccount = lazyRouteComponent(() => import('../../../features/account-lifecycle/client-account.tsx'), 'ClientAccount');

const parseSearch = searchParser({ tab: oneOf(CLIENT_TABS), service: oneOf(PROVIDERS), month: monthParam });

export const Route = createFileRoute('/dashboard/clients/$id')({
  validateSearch: parseSearch,
  loaderDeps: ({ search: { tab, month } }) => ({ tab, month }),
  loader: ({ params: { id }, deps: { tab, month }, preload }) => {
    if ((tab ?? 'overview') === 'overview') {
      startMissing(preload, summaryQuery(id));
      if (getSession()?.user.features.chatbot) startMissing(preload, inboxCountsQuery(id), figuresQuery(id));
    }
    if (tab === 'report') {
      void ReportTab.preload?.();
      startMissing(preload, reportQuery(id, month), recipientsQuery(id), hoursEstimatesQuery, resultValuesQuery);
    }
    if (tab === 'integrations')
      startMissing(preload, credentialsQuery(id), requirementCountsQuery(id), requirementsQuery(id), readinessQuery(id));
    if (tab === 'people') startMissing(preload, domainQuery);
    if (tab === 'chatbot' && getSession()?.user.features.chatbot) {
      void ChatbotOf.preload?.();
      startMissing(preload, chatbotQuery(id), knowledgeQuery(id), aiModelsQuery(id), chatBudgetsQuery(id));
    }
    if (tab === 'stop-list') {
      void StopList.preload?.();
      startMissing(preload, stopListQuery(id, undefined));
    }
    if (tab === 'settings') {
      for (const part of [ClientSettings, ClientChatbot, ClientAccount]) void part.preload?.();
      const account = { scope: 'client', clientId: id } as const;
      startMissing(preload, chatbotQuery(id), exportsQuery(account), deletionsQuery(account), deletionPreviewQuery(account));
    }
    return loadQueries(preload, clientQuery(id));
  },
  pendingComponent: () => (
    <PageSkeleton title="Client">
      <SkeletonBlock height={360} />
    </PageSkeleton>
  ),
  errorComponent: ClientMissing,
  notFoundComponent: () => <ClientMissing />,
  component: ClientRoute,
});

function ClientRoute() {
  const { id } = Route.useParams();
  const { tab = 'overview', service, month } = Route.useSearch();
  return (
    <ClientPage id={id}>
      {(client) => (
        <Part id={tab} skeleton={<SkeletonRows rows={8} />}>
          <Tab client={client} tab={tab} service={service} month={month} />
        </Part>
      )}
    </ClientPage>
  );
}

type TabProps = { client: Client; tab: ClientTab; service: Provider | undefined; month: string | undefined };

function Tab({ client, tab, service, month }: TabProps) {
  const [, onSearch] = useSearchState(Route);
  switch (tab) {
    case 'overview':
      return (
        <>
          <ClientOverview client={client} />
          <ChatFiguresPanel clientId={client.id} />
        </>
      );
    case 'agents':
      return <ClientAgents client={client} />;
    case 'integrations':
      return <ClientIntegrations client={client} service={service} />;
    case 'runs':
      return (
        <Section
          title="Runs"
          aside={
            <Link className="link text-xs" to="/dashboard/runs" search={{ client: client.id, started: 'all' }}>
              Open with filters
            </Link>
          }
        >
          <RunsOf scope={{ clientId: client.id }} except={['client']} />
        </Section>
      );
    case 'people':
      return <ClientPeople client={client} />;
    case 'chatbot':
      return <ChatbotOf clientId={client.id} />;
    case 'stop-list':
      return (
        <Section title="Stop list">
          <StopList clientId={client.id} clientName={client.name} />
        </Section>
      );
    case 'report':
      return (
        <ReportTab
          client={client}
          month={month}
          onMonth={(next) => onSearch({ month: next })}
          requestButton={(templateName) => <RequestButton clientId={client.id} templateName={templateName} word="Request this agent" />}
        />
      );
    case 'settings':
      return (
        <>
          <ClientSettings client={client} />
          <Part id="chatbot">
            <ClientChatbot client={client} />
          </Part>
          <ClientAccount client={client} />
        </>
      );
  }
}

function ClientMissing(props: { error?: unknown; reset?: () => void }) {
  return (
    <PageError {...props} thing="client">
      <Link to="/dashboard/clients" className={buttonClass()}>
        All clients
      </Link>
    </PageError>
  );
}
