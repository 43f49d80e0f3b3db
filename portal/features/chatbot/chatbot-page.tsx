import { useUser } from '../../app/session.ts';
import { PlanGate } from '../../shared/plan-gate.tsx';
import { useTitle } from '../../ui/hooks/use-title.ts';
import { ChatbotList } from './chatbot-list.tsx';
import { ChatbotSettings } from './chatbot-settings.tsx';

/** The chatbot of the client chosen in the switcher, or those of all clients. */
export function ChatbotPage({ client }: { client: string | undefined }) {
  const { features, partner } = useUser();
  useTitle('Chatbot', partner.name);
  if (client) return <ChatbotOf key={client} clientId={client} />;
  return features.chatbot ? <ChatbotList /> : <PlanGate feature="chatbot" />;
}

/** The chatbot of one client, on the page of the client too. */
export function ChatbotOf({ clientId }: { clientId: string }) {
  const { features } = useUser();
  return features.chatbot ? <ChatbotSettings clientId={clientId} /> : <PlanGate feature="chatbot" />;
}
