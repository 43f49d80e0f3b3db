import { useUser } from '../../app/session.ts';
import { useTitle } from '../../ui/hooks/use-title.ts';
import { ChatbotList } from './chatbot-list.tsx';
import { ChatbotSettings } from './chatbot-settings.tsx';
import { PlanGate } from './plan-gate.tsx';

/** The chatbot of the client chosen in the switcher, or those of all clients. */
export function ChatbotPage({ client }: { client: string | undefined }) {
  const { features, partner } = useUser();
  useTitle('Chatbot', partner.name);
  if (!features.chatbot) return <PlanGate />;
  return client ? <ChatbotSettings key={client} clientId={client} /> : <ChatbotList />;
}
