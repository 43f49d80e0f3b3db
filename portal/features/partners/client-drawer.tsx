import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../app/api.ts';
import { formatPhone, plural } from '../../ui/text/format.ts';
import { useRefusal } from '../../app/current-user.ts';
import { AgentStatus } from '../../shared/agent-state.tsx';
import { Badge } from '../../ui/feedback/badge.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Drawer } from '../../ui/overlays/drawer.tsx';
import { KeyValues } from '../../ui/layout/layout.tsx';
import { ErrorBlock } from '../../shared/error-block.tsx';
import { Loaded } from '../../shared/loaded.tsx';
import { SkeletonRows } from '../../ui/feedback/skeleton.tsx';
import { Time } from '../../ui/text/time.tsx';
import { announce } from '../../ui/feedback/toast.tsx';
import { announceError } from '../../shared/announce-error.ts';
import { ViewAsDialog } from '../../shared/view-as-dialog.tsx';
import { clientAgentsQuery, clientPeopleQuery, type PartnerClient, partnerClientQuery } from './queries.ts';
import { refreshAfter } from '../../queries/refresh.ts';
import '../../ui/layout/panel.css';

/** One client next to the list: business, agents and users. */
export function ClientDrawer({ partnerId, clientId, onClose }: { partnerId: string; clientId: string; onClose: () => void }) {
  const client = useQuery(partnerClientQuery(clientId));
  const { data } = client;
  return (
    <Drawer
      open
      onClose={onClose}
      title={data?.name ?? 'Client'}
      meta={data ? [data.industry, data.timezone].filter(Boolean).join(', ') : undefined}
      actions={
        data && data.status !== 'active' ? <Badge mark="pause">{data.status === 'suspended' ? 'Suspended' : 'Archived'}</Badge> : undefined
      }
    >
      <Loaded query={client} skeleton={<SkeletonRows rows={5} label="Loading the client" />}>
        {(found) => (
          <div className="grid grid-cols-1 gap-6">
            <Business client={found} />
            <Agents partnerId={partnerId} clientId={clientId} />
            <People clientId={clientId} />
            <ViewAs client={found} />
            <AccountActions client={found} />
          </div>
        )}
      </Loaded>
    </Drawer>
  );
}

function ViewAs({ client }: { client: PartnerClient }) {
  const [isAsking, setAsking] = useState(false);
  return (
    <div>
      <Button onClick={() => setAsking(true)}>View as client</Button>
      <ViewAsDialog open={isAsking} onClose={() => setAsking(false)} name={client.name} scope={{ clientId: client.id }} />
    </div>
  );
}

function Business({ client }: { client: PartnerClient }) {
  const { hours, bookingUrl, reviewUrl, address } = client.businessProfile;
  return (
    <KeyValues
      rows={[
        ['Contact', client.contactName ?? '–'],
        ['E-mail', client.contactEmail ?? '–'],
        ['Phone', client.phone ? formatPhone(client.phone) : '–'],
        ['Hours', hours || '–'],
        ['Booking link', bookingUrl || '–'],
        ['Review link', reviewUrl || '–'],
        ['Address', address || '–'],
        ['Their reference', client.externalRef ? <code key="r">{client.externalRef}</code> : '–'],
      ]}
    />
  );
}

function Agents({ partnerId, clientId }: { partnerId: string; clientId: string }) {
  const agents = useQuery(clientAgentsQuery(partnerId, clientId));
  return (
    <section>
      <h3 className="mb-2 text-sm">Agents</h3>
      {agents.error ? <ErrorBlock error={agents.error} onRetry={() => void agents.refetch()} /> : null}
      {agents.data?.length === 0 ? <p className="text-ink-2">No agents yet. Provision one on the Automation page.</p> : null}
      {agents.data && agents.data.length > 0 ? (
        <ul className="panel divide-y divide-line-soft">
          {agents.data.map((agent) => (
            <li key={agent.id} className="flex items-center gap-3 px-3 py-2">
              <span className="min-w-0 flex-1">
                <span className="block truncate font-medium">{agent.name}</span>
                <span className="text-xs text-ink-3">{plural(agent.runs30d, 'run')} in 30 days</span>
              </span>
              <AgentStatus agent={agent} />
            </li>
          ))}
        </ul>
      ) : null}
    </section>
  );
}

function People({ clientId }: { clientId: string }) {
  const people = useQuery(clientPeopleQuery(clientId));
  return (
    <section>
      <h3 className="mb-2 text-sm">People</h3>
      {people.error ? <ErrorBlock error={people.error} onRetry={() => void people.refetch()} /> : null}
      {people.data?.length === 0 ? <p className="text-ink-2">No one at this client can log in yet.</p> : null}
      {people.data && people.data.length > 0 ? (
        <ul className="panel divide-y divide-line-soft">
          {people.data.map((person) => (
            <li key={person.id} className="flex items-center gap-3 px-3 py-2">
              <span className="min-w-0 flex-1">
                <span className="block truncate font-medium">{person.fullName || person.email}</span>
                {person.fullName ? <span className="block truncate text-xs text-ink-3">{person.email}</span> : null}
              </span>
              <span className="text-xs text-ink-3">
                last login <Time iso={person.lastLoginAt} />
              </span>
            </li>
          ))}
        </ul>
      ) : null}
    </section>
  );
}

/** Suspends or resumes a client immediately, with Undo. */
function AccountActions({ client }: { client: PartnerClient }) {
  const refusal = useRefusal('clients.manage');
  const isActive = client.status === 'active';
  const set = useMutation({
    mutationFn: (active: boolean) =>
      active ? api.resumeClient({ params: { id: client.id } }) : api.suspendClient({ params: { id: client.id }, body: {} }),
    onSuccess: (_, active) =>
      announce(active ? `${client.name} is active again.` : `${client.name} is suspended. Its agents refuse events.`, {
        undo: () => set.mutate(!active),
      }),
    onError: (error) => announceError(error),
    onSettled: () => void refreshAfter('partnersChanged'),
  });
  if (client.status !== 'active' && client.status !== 'suspended') return null;
  return (
    <div className="flex items-center gap-3 border-t border-line-soft pt-4">
      <p className="flex-1 text-ink-2">
        {isActive
          ? 'While suspended, its agents refuse events, and its users can only export its data and request reactivation.'
          : 'Its agents refuse events, and its users can only export its data and request reactivation.'}
      </p>
      <Button
        kind={isActive ? 'danger-text' : 'default'}
        disabledReason={refusal}
        busy={set.isPending && (isActive ? 'Suspending' : 'Resuming')}
        onClick={() => set.mutate(!isActive)}
      >
        {isActive ? 'Suspend client' : 'Resume client'}
      </Button>
    </div>
  );
}
