import { shownSetupError } from '@partner-portal/core/provisioning/missing-credential.ts';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useDeferredValue, useMemo } from 'react';
import type { Reply } from '../../app/api.ts';
import { formatDay, formatToMinute, formatNumber, plural } from '../../ui/text/format.ts';
import { useLive } from '../../app/use-live.ts';
import { useUser } from '../../app/session.ts';
import { throttle } from '../../ui/hooks/throttle.ts';
import { useTitle } from '../../ui/hooks/use-title.ts';
import { INSTANCE, PROVIDERS } from '../../shared/labels.ts';
import { Badge, Status } from '../../ui/feedback/badge.tsx';
import { buttonClass } from '../../ui/controls/button.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { PageHeader, Panel, Section } from '../../ui/layout/layout.tsx';
import { LiveDot } from '../../ui/feedback/live-dot.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import { StageProgress } from '../../shared/stage-progress.tsx';
import { type Column, Table } from '../../ui/table/table.tsx';
import { VersionBadge } from '../../shared/agent-figures.tsx';
import { requirementCountsQuery, requirementsQuery } from '../../queries/credentials.ts';
import { refreshAfter } from '../../queries/refresh.ts';
import { setupQuery } from '../../queries/setup.ts';
import { useLoaded } from '../../app/route-data.ts';
import '../../ui/table/table.css';

type Automation = Reply<'getMyAutomation'>;
type Installed = Automation['workflows'][number];

/** Provisioning stages as they happen, the public error, and the installed agents. */
export function SetupPage({ client }: { client: string | undefined }) {
  const user = useUser();
  useTitle('Setup', user.partner.name);
  const shown = useDeferredValue(client);
  const data = useLoaded(setupQuery(shown));
  const refresh = useMemo(() => throttle(() => void refreshAfter('setupChanged'), 500), []);
  const live = useLive({ path: '/partners/me/automation/stream', onEvent: refresh, onCatchUp: refresh, beginsWhole: true });
  const { mark, word } = INSTANCE[data.status];
  // The agents are installed: only the change of them failed.
  const isRepairFailed = data.status === 'failed' && data.attempt?.mode === 'repair';
  return (
    <>
      <PageHeader
        title="Setup"
        badge={<Badge mark={mark}>{isRepairFailed ? 'Repair failed' : word}</Badge>}
        meta={metaOf(data)}
        actions={<LiveDot state={live} />}
      />
      {data.status === 'unprovisioned' ? (
        <div className="mb-7">
          <EmptyState title="Your automation is not set up yet">
            Your platform team sets it up for you, and you can follow each stage here. To save time, add your keys under Integrations now.
          </EmptyState>
        </div>
      ) : (
        <Panel className="mb-7">
          <StageProgress stages={data.stages} errorPublic={data.errorPublic} />
        </Panel>
      )}
      <p className="sr-only" role="status">
        {data.stages
          .filter((stage) => stage.status === 'running')
          .map((stage) => `${stage.label}, running`)
          .join('. ')}
      </p>
      {data.status === 'failed' && data.errorPublic && data.stages.every((stage) => stage.status !== 'failed') ? (
        <div className="mb-7">
          <Note tone="bad" alert>
            {shownSetupError(data.errorPublic)}
          </Note>
        </div>
      ) : null}
      {data.status === 'failed' ? <NextSetup data={data} /> : null}
      <MissingKeys client={client} />
      <Section title="Agents" note={data.workflowCount > 0 ? formatNumber(data.workflowCount) : undefined}>
        <InstalledTable rows={data.workflows} />
        {data.workflowCount > data.workflows.length ? (
          <p className="mt-3 text-ink-2">
            These are the newest {formatNumber(data.workflows.length)}.{' '}
            <Link to="/dashboard/agents" className="link">
              See all agents
            </Link>
          </p>
        ) : null}
      </Section>
    </>
  );
}

function metaOf({ status, attempt, provisionedAt }: Automation): string {
  if (status === 'ready' && provisionedAt) return `Ready since ${formatDay(provisionedAt)}`;
  if (!attempt) return 'Preparing, connecting, access and agents';
  return attempt.finishedAt ? `Ended ${formatToMinute(attempt.finishedAt)}` : `Started ${formatToMinute(attempt.startedAt)}`;
}

/** What happens after a setup that failed: the agency adds what it lacks, and the platform team starts the next one from its queue. */
function NextSetup({ data }: { data: Automation }) {
  const { data: counts } = useQuery(requirementCountsQuery(undefined));
  const isMissing = counts?.providers.some(({ missing, failing }) => missing + failing > 0);
  if (isMissing === undefined) return null;
  if (data.attempt?.mode === 'deprovision')
    return <NextNote tone="live">Our team sees in its queue that the removal of your agents did not finish.{stoppedBy(data)}</NextNote>;
  return isMissing ? (
    <NextNote tone="warn">
      <b>Add the missing keys first.</b> Then our team runs the setup again.{stoppedBy(data)}
    </NextNote>
  ) : (
    <NextNote tone="live">
      <b>All keys are saved.</b> Our team sees the failed setup in its queue and runs it again.{stoppedBy(data)}
    </NextNote>
  );
}

function NextNote({ tone, children }: { tone: 'warn' | 'live'; children: ReactNode }) {
  return (
    <div className="mb-7">
      <Note tone={tone}>{children}</Note>
    </div>
  );
}

/** What a failed attempt stopped: a repair stops nothing, another one may have removed agents. */
function stoppedBy({ attempt, workflows }: Automation): string {
  if (attempt?.mode === 'repair') return ' Nothing that worked before was stopped.';
  return workflows.some(({ installed }) => !installed) ? ' Agents listed as not installed accept no events.' : '';
}

/** Keys that are missing or refused, of each owner that needs them. */
function MissingKeys({ client }: { client: string | undefined }) {
  const { data } = useQuery(requirementsQuery(client));
  const { data: counts } = useQuery(requirementCountsQuery(client));
  const missing = (data ?? []).filter((need) => need.state === 'missing' || need.state === 'failing');
  if (missing.length === 0) return null;
  const all = counts?.providers.reduce((sum, one) => sum + one.missing + one.failing, 0) ?? missing.length;
  return (
    <Section title="Missing and refused keys" note={formatNumber(Math.max(all, missing.length))}>
      <ul className="border-t border-line">
        {missing.slice(0, 20).map((need) => (
          <li key={`${need.clientId} ${need.provider}`} className="flex items-center gap-3 border-b border-line-soft py-2.5">
            <Status mark={need.state === 'failing' ? 'bad' : 'warn'} tone={need.state === 'failing' ? 'bad' : 'warn'}>
              {need.state === 'failing' ? 'Refused' : 'Missing'}
            </Status>
            <span className="min-w-0 flex-1">
              <b className="font-figure">{PROVIDERS[need.provider].name}</b>{' '}
              <span className="text-ink-2">
                for {need.clientName ?? 'your agency'}, needed by {plural(need.agentCount, 'agent')}
              </span>
            </span>
            <Link
              to="/dashboard/integrations"
              search={{ service: need.provider, client: need.clientId ?? undefined }}
              className={buttonClass('default', 'sm')}
            >
              {need.state === 'failing' ? 'Replace key' : 'Add key'}
            </Link>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function InstalledTable({ rows }: { rows: readonly Installed[] }) {
  const navigate = useNavigate();
  if (rows.length === 0) return <EmptyState title="No agents yet">Agents appear here once they are installed.</EmptyState>;
  return (
    <Table
      label="Agents"
      columns={COLUMNS}
      rows={rows}
      rowKey={(row) => row.workflowId}
      dense
      onOpen={(row) => void navigate({ to: '/dashboard/agents/$id', params: { id: row.workflowId } })}
    />
  );
}

const COLUMNS: Column<Installed>[] = [
  {
    key: 'name',
    head: 'Agent',
    lead: true,
    cell: (row) => (
      <>
        <Link to="/dashboard/agents/$id" params={{ id: row.workflowId }}>
          {row.name}
        </Link>
        <span className="table-second-line table-phone-line">{row.clientName ?? 'Agency'}</span>
      </>
    ),
  },
  { key: 'client', head: 'Client', hide: 'phone', cell: (row) => <span className="text-ink-2">{row.clientName ?? 'Agency'}</span> },
  { key: 'version', head: 'Version', hide: 'phone', cell: (row) => <VersionBadge agent={row} /> },
  {
    key: 'state',
    head: 'State',
    cell: (row) =>
      row.installed ? (
        <Status mark={row.isActive ? 'ok' : 'pause'}>{row.isActive ? 'Installed' : 'Installed, paused'}</Status>
      ) : (
        <Status mark="none">Not installed</Status>
      ),
  },
];
