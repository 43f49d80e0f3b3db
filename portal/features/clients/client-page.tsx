import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { api } from '../../app/api.ts';
import { useBreadcrumb } from '../../app/breadcrumb.ts';
import { formatDay, formatNumber, plural } from '../../ui/text/format.ts';
import { useIsViewing, useRefusal } from '../../app/current-user.ts';
import { useUser } from '../../app/session.ts';
import { useTitle } from '../../ui/hooks/use-title.ts';
import { HEALTH } from '../../shared/labels.ts';
import { Badge } from '../../ui/feedback/badge.tsx';
import { Button, buttonClass } from '../../ui/controls/button.tsx';
import { ConfirmDialog } from '../../ui/overlays/dialog.tsx';
import { PageHeader, TabCount, Tabs } from '../../ui/layout/layout.tsx';
import { MoreMenu } from '../../ui/overlays/menu.tsx';
import { announce } from '../../ui/feedback/toast.tsx';
import { announceError } from '../../shared/announce-error.ts';
import { ViewAsDialog } from '../../shared/view-as-dialog.tsx';
import { deletionsQuery } from '../../queries/account.ts';
import { rowsOf } from '../../shared/paged-table.tsx';
import { type Client, clientQuery, type ClientTab, storeClient } from '../../queries/clients.ts';
import { useLoaded } from '../../app/route-data.ts';

const CLIENT_STATUS: Record<Client['status'], string> = {
  active: 'Active',
  suspended: 'Suspended',
  archived: 'Archived',
  deleted: 'Deleted',
};

type Props = { id: string; children: (client: Client) => ReactNode };

/** Header and tabs of one client; the route renders the selected tab below. */
export function ClientPage(props: Props) {
  return <ClientView {...props} client={useLoaded(clientQuery(props.id))} />;
}

const TABS: readonly { tab: ClientTab; word: string }[] = [
  { tab: 'overview', word: 'Overview' },
  { tab: 'agents', word: 'Agents' },
  { tab: 'integrations', word: 'Integrations' },
  { tab: 'runs', word: 'Runs' },
  { tab: 'people', word: 'People' },
  { tab: 'chatbot', word: 'Chatbot' },
  { tab: 'stop-list', word: 'Stop list' },
  { tab: 'report', word: 'Report' },
  { tab: 'settings', word: 'Settings' },
];

function ClientView({ client, children }: Props & { client: Client }) {
  const user = useUser();
  useTitle(client.name, user.partner.name);
  useBreadcrumb(client.name);
  const { mark, word } = HEALTH[client.health];
  return (
    <>
      <PageHeader
        title={client.name}
        badge={
          client.status === 'active' ? (
            client.counts.agents > 0 ? (
              <Badge mark={mark}>{word}</Badge>
            ) : null
          ) : (
            <Badge mark="pause">{CLIENT_STATUS[client.status]}</Badge>
          )
        }
        meta={`${plural(client.counts.agents, 'agent')}, ${plural(client.counts.runs30d, 'run')} in 30 days, client since ${formatDay(client.createdAt)}`}
        actions={
          <>
            <Link to="/dashboard/catalog" search={{ client: client.id }} className={buttonClass()}>
              Catalog for this client
            </Link>
            <ViewAs client={client} />
            <ClientMenu client={client} />
          </>
        }
      />
      <Tabs label="Client">
        {TABS.map((one) => (
          <Link
            key={one.tab}
            to="/dashboard/clients/$id"
            params={{ id: client.id }}
            search={{ tab: one.tab === 'overview' ? undefined : one.tab }}
            activeOptions={{ explicitUndefined: true }}
          >
            {one.word}
            {one.tab === 'agents' ? (
              <TabCount>{client.counts.agents}</TabCount>
            ) : one.tab === 'runs' ? (
              <TabCount>{formatNumber(client.counts.runs30d)}</TabCount>
            ) : null}
          </Link>
        ))}
      </Tabs>
      {children(client)}
    </>
  );
}

/** Starts a view-as session for the client. */
function ViewAs({ client }: { client: Client }) {
  const [isAsking, setAsking] = useState(false);
  if (useIsViewing()) return null;
  return (
    <>
      <Button onClick={() => setAsking(true)}>View as client</Button>
      <ViewAsDialog open={isAsking} onClose={() => setAsking(false)} name={client.name} scope={{ clientId: client.id }} />
    </>
  );
}

/** Suspends or archives the client after confirming the effect. */
function ClientMenu({ client }: { client: Client }) {
  const isSuspended = client.status === 'suspended';
  // Only a reactivation brings back a client whose deletion was approved.
  const deletions = useInfiniteQuery({
    ...deletionsQuery({ scope: 'client', clientId: client.id, status: 'approved' }),
    enabled: isSuspended,
  });
  const canResume = isSuspended && deletions.data !== undefined && rowsOf(deletions).length === 0;
  const [confirming, setConfirming] = useState<'suspend' | 'archive'>();
  const refusal = useRefusal('clients.manage');
  const change = useMutation({
    mutationFn: (act: 'suspend' | 'archive' | 'resume') => {
      const params = { id: client.id };
      return act === 'suspend'
        ? api.suspendClient({ params, body: {} })
        : act === 'archive'
          ? api.archiveClient({ params })
          : api.resumeClient({ params });
    },
    onSuccess: (record, act) => {
      setConfirming(undefined);
      storeClient(record);
      announce(`${client.name} is ${act === 'suspend' ? 'suspended' : act === 'archive' ? 'archived' : 'active again'}.`);
    },
    onError: (error) => {
      setConfirming(undefined);
      announceError(error);
    },
  });
  return (
    <>
      {canResume ? (
        <Button disabledReason={refusal} busy={change.isPending && 'Resuming'} onClick={() => change.mutate('resume')}>
          Resume
        </Button>
      ) : null}
      {client.status === 'archived' ? null : (
        <MoreMenu
          items={[
            ...(client.status === 'active'
              ? [{ label: 'Suspend', onPick: () => setConfirming('suspend' as const), disabledReason: refusal }]
              : []),
            { label: 'Archive', danger: true, onPick: () => setConfirming('archive'), disabledReason: refusal },
          ]}
        />
      )}
      <ConfirmDialog
        open={confirming === 'suspend'}
        onClose={() => setConfirming(undefined)}
        title={`Suspend ${client.name}?`}
        action="Suspend"
        keep="Keep it active"
        busy={change.isPending && 'Suspending'}
        onConfirm={() => change.mutate('suspend')}
      >
        <b>{plural(client.counts.agents, 'agent')}</b> {client.counts.agents === 1 ? 'stops' : 'stop'} taking events, and its users can only
        log in. Nothing is deleted; you can resume at any time.
      </ConfirmDialog>
      <ConfirmDialog
        open={confirming === 'archive'}
        onClose={() => setConfirming(undefined)}
        title={`Archive ${client.name}?`}
        typed={client.name}
        action="Archive"
        busy={change.isPending && 'Archiving'}
        onConfirm={() => change.mutate('archive')}
      >
        <b>{plural(client.counts.agents, 'agent')}</b> {client.counts.agents === 1 ? 'stops' : 'stop'} permanently, and the client is
        removed from your lists. Its users can only log in and export its data. Its runs and figures stay. This cannot be undone.
      </ConfirmDialog>
    </>
  );
}
