import { mayClientRunAgents } from '@partner-portal/core/agent/state.ts';
import { Link } from '@tanstack/react-router';
import { useLoaded } from '../../app/route-data.ts';
import { useUser } from '../../app/session.ts';
import { chatbotQuery } from '../../queries/chatbot.ts';
import type { Client } from '../../queries/clients.ts';
import { buttonClass } from '../../ui/controls/button.tsx';
import { Status } from '../../ui/feedback/badge.tsx';
import { Section } from '../../ui/layout/layout.tsx';
import { hostOf, joinWords } from '../../ui/text/format.ts';

type Props = { client: Pick<Client, 'id' | 'status'> };

/** The chatbot of a client on the page of the client: its state, and the way to its settings. */
export function ClientChatbot({ client }: Props) {
  const clientId = client.id;
  const { features } = useUser();
  return (
    <Section className="mt-10 max-w-form" title="Website chatbot">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <div className="min-w-0 flex-1 basis-65">{features.chatbot ? <State client={client} /> : <NotIncluded />}</div>
        {features.chatbot ? (
          <Link to="/dashboard/clients/$id" params={{ id: clientId }} search={{ tab: 'chatbot' }} className={buttonClass()}>
            Chatbot settings
          </Link>
        ) : null}
      </div>
    </Section>
  );
}

function State({ client }: Props) {
  const { id, isActive, name, allowedOrigins } = useLoaded(chatbotQuery(client.id));
  if (id === null)
    return <p className="text-ink-2">Not set up. It answers visitors of the client’s website from this profile and your texts.</p>;
  if (!mayClientRunAgents(client.status))
    return <Status mark="pause">{`Visitors do not see ${name}: the client is ${client.status}`}</Status>;
  const hosts = allowedOrigins.map(hostOf);
  return (
    <>
      <Status mark={isActive ? 'ok' : 'pause'}>{isActive ? `${name} is on` : `${name} is off`}</Status>
      <p className="text-ink-3">{hosts.length > 0 ? `Shown on ${joinWords(hosts)}` : 'No website may show it yet'}</p>
    </>
  );
}

function NotIncluded() {
  return (
    <p className="text-ink-2">
      Your plan does not include chatbots.{' '}
      <Link className="link" to="/dashboard/billing/plan">
        Request a plan
      </Link>
    </p>
  );
}
