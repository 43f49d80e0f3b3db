import { createFileRoute } from '@tanstack/react-router';
import { codeOf } from '../../../app/errors.ts';
import { loadQueries, startQueries } from '../../../app/route-data.ts';
import { clientIn } from '../../../app/search-params.ts';
import { getSession } from '../../../app/session.ts';
import { ChatbotPage } from '../../../features/chatbot/chatbot-page.tsx';
import { aiModelsQuery, chatBudgetsQuery, chatbotQuery, chatbotsQuery, knowledgeQuery } from '../../../queries/chatbot.ts';
import { clientQuery } from '../../../queries/clients.ts';
import { PlanGate } from '../../../shared/plan-gate.tsx';
import { RouteError } from '../../../shared/route-error.tsx';
import { SkeletonRows } from '../../../ui/feedback/skeleton.tsx';

export const Route = createFileRoute('/dashboard/settings/chatbot')({
  loaderDeps: ({ search: { client } }) => ({ client }),
  loader: ({ preload, location }) => {
    const client = clientIn(location.search);
    if (!getSession()?.user.features.chatbot) return undefined;
    if (!client) return startQueries(preload, chatbotsQuery, chatBudgetsQuery(undefined));
    startQueries(preload, aiModelsQuery(client), chatBudgetsQuery(client));
    return loadQueries(preload, chatbotQuery(client), knowledgeQuery(client), clientQuery(client));
  },
  pendingComponent: () => <SkeletonRows rows={10} height={64} label="Loading the chatbot" />,
  errorComponent: ChatbotFailed,
  component: Chatbot,
});

function Chatbot() {
  return <ChatbotPage client={Route.useSearch().client} />;
}

/** A plan that changed since the login is no error. */
function ChatbotFailed({ error, reset }: { error: unknown; reset: () => void }) {
  return codeOf(error) === 'plan_feature_required' ? <PlanGate feature="chatbot" /> : <RouteError error={error} reset={reset} />;
}
