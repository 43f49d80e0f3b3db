import type { Reply } from '../../app/api.ts';
import { formatDuration, formatNumber, joinWords, plural, shortId } from '../../ui/text/format.ts';
import { INSTANCE } from '../../shared/labels.ts';
import { Badge, Status } from '../../ui/feedback/badge.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { KeyValues, Panel, Section } from '../../ui/layout/layout.tsx';
import { Mark, type MarkKind } from '../../ui/feedback/mark.tsx';
import { type Column, Table } from '../../ui/table/table.tsx';
import { Time } from '../../ui/text/time.tsx';
import { DriftBadge, VerifyButton } from './drift.tsx';
import '../../ui/table/table.css';

type Instance = Reply<'getAutomation'>;
type Attempt = Reply<'listAttempts'>[number];
type Preflight = Reply<'preflight'>;
type InstalledWorkflow = Instance['workflows'][number];

const TONES = {
  failed: 'text-bad font-medium',
  ready: 'text-ok font-medium',
  provisioning: 'text-accent font-medium',
  deprovisioning: 'text-accent font-medium',
  unprovisioned: 'text-ink-2',
};

export function InstancePanel({ instance, attempts }: { instance: Instance; attempts: readonly Attempt[] }) {
  return (
    <Panel title="Instance" aside={<VerifyButton instance={instance} />}>
      <KeyValues
        rows={[
          [
            'Status',
            <span key="s" className={TONES[instance.status]} title={INSTANCE[instance.status].word}>
              {instance.status}
            </span>,
          ],
          ['Tenancy', instance.tenancyMode],
          ['Provider', instance.provider],
          [
            'Project ID',
            instance.projectId ? (
              <code key="p" title={instance.projectId}>
                {shortId(instance.projectId)}
              </code>
            ) : (
              '–'
            ),
          ],
          [
            'Base URL',
            instance.baseUrl ? (
              <code key="b" title={instance.baseUrl}>
                {instance.baseUrl}
              </code>
            ) : (
              '–'
            ),
          ],
          ['Last set up', <Time key="t" iso={lastSetUp(instance, attempts)} />],
          [
            'API key',
            <span key="k" className="text-ink-3">
              none stored
            </span>,
          ],
        ]}
      />
    </Panel>
  );
}

/** When the newest attempt that succeeded ended: a repair leaves the time of the first setup as it is. */
function lastSetUp({ provisionedAt }: Instance, attempts: readonly Attempt[]): string | null {
  if (provisionedAt === null) return null;
  const ends = attempts.flatMap(({ status, mode, finishedAt }) =>
    status === 'succeeded' && mode !== 'deprovision' && finishedAt !== null ? [finishedAt] : [],
  );
  return [provisionedAt, ...ends].toSorted().at(-1) ?? null;
}

const ATTEMPT_MARKS: Record<Attempt['status'], MarkKind> = { running: 'run', succeeded: 'ok', failed: 'bad', timed_out: 'silent' };

export function AttemptsPanel({
  attempts,
  current,
  onPick,
}: {
  attempts: readonly Attempt[];
  current: string | undefined;
  onPick: (attemptId: string) => void;
}) {
  if (attempts.length === 0) return null;
  return (
    <Panel title="Attempts" aside={attempts.length} flush>
      <ul className="max-h-85 overflow-y-auto">
        {attempts.map((attempt) => (
          <li key={attempt.id} className="border-b border-line-soft last:border-0">
            <button
              type="button"
              aria-current={attempt.id === current ? 'true' : undefined}
              onClick={() => onPick(attempt.id)}
              className="tabular-nums grid h-8.5 w-full grid-cols-[14px_28px_1fr_auto_56px] items-center gap-2.5 px-4 text-left hover:bg-hover focus-visible:-outline-offset-2 aria-[current]:bg-accent-wash aria-[current]:shadow-[inset_2px_0_0_var(--color-accent-mark)]"
            >
              <Mark kind={ATTEMPT_MARKS[attempt.status]} label={attempt.status.replace('_', ' ')} />
              <span className="text-ink-3">{attempt.number}</span>
              <span className="font-medium">{attempt.mode}</span>
              <Time iso={attempt.startedAt} className="text-ink-3" />
              <span className="text-right text-ink-2">
                {attempt.finishedAt ? formatDuration(Date.parse(attempt.finishedAt) - Date.parse(attempt.startedAt)) : '–'}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

export function PreflightPanel({
  preflight,
  isChecking,
  onCheck,
}: {
  preflight: Preflight | undefined;
  isChecking: boolean;
  onCheck: () => void;
}) {
  return (
    <Panel
      title="Preflight now"
      aside={
        <>
          {preflight ? `${preflight.ready} of ${preflight.total} ready` : ''}
          <Button size="sm" busy={isChecking && 'Checking'} onClick={onCheck}>
            Check
          </Button>
        </>
      }
      flush
    >
      <ul>
        {preflight?.templates.map((row) => (
          <li key={row.templateName + row.clientId} className="flex gap-2.5 border-b border-line-soft px-4 py-2 last:border-0">
            <Mark
              kind={!row.ready ? 'bad' : row.missingSettings.length > 0 ? 'warn' : 'ok'}
              label={row.ready ? 'ready' : 'not ready'}
              className="mt-0.75"
            />
            <div className="min-w-0">
              <p className="font-medium">{row.title}</p>
              <p className="text-xs text-ink-3">
                {row.clientName ?? 'agency-wide'}
                {row.ready ? '' : `. ${row.message ?? 'Not ready'}`}
                {row.missingSettings.length > 0
                  ? `. Needs ${joinWords(row.missingSettings.map(({ label }) => label.toLowerCase()))}: runs fail without ${row.missingSettings.length === 1 ? 'it' : 'them'}`
                  : ''}
              </p>
            </div>
          </li>
        ))}
        {preflight?.templates.length === 0 ? <li className="px-4 py-3 text-ink-3">No agent to install yet.</li> : null}
      </ul>
    </Panel>
  );
}

const WORKFLOW_COLUMNS: Column<InstalledWorkflow>[] = [
  {
    key: 'name',
    head: 'Workflow',
    lead: true,
    cell: (row) => (
      <>
        <span className="font-medium">{row.name}</span>
        <span className="table-second-line table-phone-line">{row.clientName ?? 'agency-wide'}</span>
      </>
    ),
  },
  { key: 'client', head: 'Client', hide: 'phone', cell: (row) => <span className="text-ink-2">{row.clientName ?? 'agency-wide'}</span> },
  {
    key: 'version',
    head: 'Version',
    cell: (row) =>
      row.templateVersion === null ? (
        <span className="text-ink-3">–</span>
      ) : (
        <span className="inline-flex gap-1.5">
          <Badge>v{row.templateVersion}</Badge>
          {row.latestTemplateVersion > row.templateVersion ? <Badge mark="warn">v{row.latestTemplateVersion} available</Badge> : null}
        </span>
      ),
  },
  {
    key: 'flow',
    head: 'Flow',
    hide: 'phone',
    cell: (row) =>
      row.providerFlowId ? (
        <code title={row.providerFlowId}>{shortId(row.providerFlowId)}</code>
      ) : (
        <span className="text-ink-3">not imported</span>
      ),
  },
  {
    key: 'on',
    head: 'State',
    cell: (row) => (
      <span className="inline-flex gap-1.5">
        <Status mark={row.providerFlowId ? (row.isActive ? 'ok' : 'pause') : 'none'}>
          {row.providerFlowId ? (row.isActive ? 'On' : 'Off') : 'Not installed'}
        </Status>
        <DriftBadge drift={row.drift} />
      </span>
    ),
  },
];

export function WorkflowsPanel({ workflows, total }: { workflows: readonly InstalledWorkflow[]; total: number }) {
  if (workflows.length === 0) return null;
  return (
    <Section title="Workflows" note={formatNumber(total)} className="mt-6">
      <Table label="Workflows" columns={WORKFLOW_COLUMNS} rows={workflows} rowKey={(row) => row.workflowId} dense />
      {total > workflows.length ? (
        <p className="mt-3 text-ink-2">
          Showing {formatNumber(workflows.length)} of {plural(total, 'workflow')}, by client: those that differ from their template or could
          not be compared, and the newest of the others.
        </p>
      ) : null}
    </Section>
  );
}
