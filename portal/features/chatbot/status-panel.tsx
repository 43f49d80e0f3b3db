import { mayClientRunAgents } from '@partner-portal/core/agent/state.ts';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { api } from '../../app/api.ts';
import { type Chatbot, storeChatbot } from '../../queries/chatbot.ts';
import type { Client } from '../../queries/clients.ts';
import { announceError } from '../../shared/announce-error.ts';
import { PROVIDERS } from '../../shared/labels.ts';
import { Switch } from '../../ui/controls/switch.tsx';
import { Mark } from '../../ui/feedback/mark.tsx';
import { announce } from '../../ui/feedback/toast.tsx';
import '../../ui/layout/panel.css';
import type { Lack } from './draft.ts';
import { openStep } from './form-step.tsx';

type Props = {
  chatbot: Chatbot;
  client: Pick<Client, 'name' | 'status'>;
  lacks: readonly Lack[];
  /** Its knowledge is how to reach the business. */ knowsLittle: boolean;
  refusal: string | undefined;
};

/** Whether visitors see the chatbot, its switch, and what it lacks before it can answer. */
export function StatusPanel({ chatbot, client, lacks, knowsLittle, refusal }: Props) {
  const change = useMutation({
    mutationFn: (isActive: boolean) => api.changeChatbot({ body: { clientId: chatbot.clientId, isActive } }),
    onSuccess: (record) => {
      storeChatbot(record);
      announce(record.isActive ? 'The chatbot is on.' : 'The chatbot is off. Visitors no longer see it.', {
        undo: () => change.mutate(!record.isActive),
      });
    },
    onError: (error) => announceError(error),
  });
  const { name: clientName, status } = client;
  const isClientActive = mayClientRunAgents(status);
  const isServing = chatbot.isActive && lacks.length === 0;
  const service = PROVIDERS[chatbot.provider];
  return (
    <section className="panel mb-5 flex flex-wrap gap-x-8 gap-y-3 p-4" aria-label="State">
      <div className="flex min-w-0 flex-1 basis-65 gap-3">
        <span className="pt-0.5">
          <Switch
            checked={isClientActive && (change.isPending ? change.variables : chatbot.isActive)}
            onChange={(isActive) => change.mutate(isActive)}
            label={`Chatbot of ${clientName}`}
            disabledReason={
              refusal ?? (isClientActive ? undefined : `${clientName} is ${status}.`) ?? (change.isPending ? 'Saving' : undefined)
            }
          />
        </span>
        <div className="min-w-0">
          <h2 className="text-sm">{headingOf({ status, isServing, isOn: chatbot.isActive })}</h2>
          <p className="text-ink-3">
            The chatbot of{' '}
            <Link className="link" to="/dashboard/clients/$id" params={{ id: chatbot.clientId }} search={{ tab: 'settings' }}>
              {clientName}
            </Link>
            , called {chatbot.name}.
          </p>
        </div>
      </div>
      <ul className="grid flex-1 basis-75 gap-1" aria-label="What it needs">
        <Need isMet={!lacks.includes('key')} met={`A key for ${service.name}`}>
          No key for {service.name}.{' '}
          <Link className="link" to="/dashboard/integrations" search={{ client: chatbot.clientId, service: chatbot.provider }}>
            Connect {service.name}
          </Link>
        </Need>
        <Need isMet={!lacks.includes('knowledge') && !knowsLittle} met="Knowledge to answer from">
          {lacks.includes('knowledge') ? 'It knows nothing yet.' : 'It only knows how to reach the business.'}{' '}
          <Jump to="knowledge">Add knowledge</Jump>
        </Need>
        <Need isMet={!lacks.includes('site')} met="A website that may show it">
          No website may show it yet. <Jump to="sites">Add its address</Jump>
        </Need>
      </ul>
    </section>
  );
}

function headingOf({ status, isServing, isOn }: { status: Client['status']; isServing: boolean; isOn: boolean }): string {
  if (!mayClientRunAgents(status)) return `Client ${status}: visitors do not see it`;
  if (isServing) return 'On: it answers visitors';
  return isOn ? 'On, but it cannot answer visitors yet' : 'Off: visitors do not see it';
}

function Need({ isMet, met, children }: { isMet: boolean; met: string; children: ReactNode }) {
  return (
    <li className="flex items-start gap-2">
      <Mark kind={isMet ? 'ok' : 'warn'} label={isMet ? 'There' : 'Missing'} className="mt-0.75 flex-none" />
      <span className={isMet ? 'text-ink-3' : undefined}>{isMet ? met : children}</span>
    </li>
  );
}

/** Opens a step of the form and focuses its first field. */
function Jump({ to, children }: { to: string; children: ReactNode }) {
  return (
    <button type="button" className="link" onClick={() => openStep(to)}>
      {children}
    </button>
  );
}
