import { Link } from '@tanstack/react-router';
import { formatDuration, formatNumber } from '../../ui/text/format.ts';
import { RUN_SOURCE, runState } from '../../shared/labels.ts';
import { Status } from '../../ui/feedback/badge.tsx';
import { Mark } from '../../ui/feedback/mark.tsx';
import { type Column, DurationBar } from '../../ui/table/table.tsx';
import { Time } from '../../ui/text/time.tsx';
import type { Run } from './queries.ts';
import '../../ui/forms/checkbox.css';
import '../../ui/table/table.css';

export const OPTIONAL_COLUMNS = [
  { key: 'agent', word: 'Agent' },
  { key: 'client', word: 'Client' },
  { key: 'source', word: 'Source' },
  { key: 'duration', word: 'Duration' },
  { key: 'credits', word: 'Credits' },
] as const;

/** The newest first is the order without a choice. */
const BY_START: Pick<Column<Run>, 'sort'> = {
  sort: [
    { name: 'oldest', direction: 'ascending' },
    { name: undefined, direction: 'descending' },
  ],
};

type Options = { choice?: { chosen: ReadonlySet<string>; onToggle: (id: string) => void }; canSort?: boolean };

/** Columns for executions. `except` omits the subject of the page. */
export function runColumns(except: readonly ('agent' | 'client')[] = [], { choice, canSort = false }: Options = {}): Column<Run>[] {
  const columns: Column<Run>[] = [
    { key: 'status', head: <span className="max-md:sr-only">Status</span>, cell: (run) => <RunStatus run={run} /> },
    {
      key: 'what',
      head: 'What happened',
      lead: true,
      cell: (run) => (
        <>
          <Link to="/dashboard/runs/$id" params={{ id: run.id }} title={run.summary}>
            {run.summary}
          </Link>
          <span className="table-second-line table-phone-line">
            {[except.includes('agent') ? null : run.agentName, except.includes('client') ? null : run.clientName]
              .filter(Boolean)
              .join(', ') || RUN_SOURCE[run.source]}
          </span>
        </>
      ),
    },
    {
      key: 'agent',
      head: 'Agent',
      hide: 'phone',
      cell: (run) => (
        <Link to="/dashboard/agents/$id" params={{ id: run.workflowId }} className="text-ink-2 hover:text-ink">
          {run.agentName}
        </Link>
      ),
    },
    { key: 'client', head: 'Client', hide: 'phone', cell: (run) => <span className="text-ink-2">{run.clientName ?? '–'}</span> },
    { key: 'source', head: 'Source', hide: 'phone', cell: (run) => <RunSource run={run} /> },
    {
      key: 'started',
      head: 'Started',
      align: 'end',
      ...(canSort ? BY_START : {}),
      cell: (run) => <Time iso={run.startedAt} className="text-ink-2" />,
    },
    { key: 'duration', head: 'Duration', align: 'end', hide: 'phone', cell: (run) => <RunDuration run={run} /> },
    {
      key: 'credits',
      head: 'Credits',
      align: 'end',
      hide: 'phone',
      cell: (run) =>
        run.status === 'RUNNING' ? (
          <span className="text-ink-3">–</span>
        ) : run.creditsCharged === 0 ? (
          <span className="text-ink-3">0</span>
        ) : (
          formatNumber(run.creditsCharged)
        ),
    },
  ];
  const shown = columns.filter((column) => !except.some((key) => key === column.key));
  return choice ? [choiceColumn(choice), ...shown] : shown;
}

function choiceColumn({ chosen, onToggle }: { chosen: ReadonlySet<string>; onToggle: (id: string) => void }): Column<Run> {
  return {
    key: 'choose',
    head: <span className="sr-only">Select</span>,
    hide: 'phone',
    cell: (run) => (
      <input
        type="checkbox"
        className="checkbox -mr-1 align-middle"
        aria-label={`Select: ${run.summary}`}
        checked={chosen.has(run.id)}
        onChange={() => onToggle(run.id)}
      />
    ),
  };
}

/** Status of an execution; on phones the mark alone, labelled for screen readers. */
function RunStatus({ run }: { run: Run }) {
  const { mark, word } = runState(run);
  const tone = run.status === 'FAILED' ? 'bad' : run.status === 'RUNNING' ? 'live' : run.tone === 'attention' ? 'warn' : undefined;
  return (
    <>
      {/* What it waits for takes two lines: on one it would push the last column out of sight. */}
      <span className={run.waitsFor ? 'hidden max-w-28 whitespace-normal md:inline-block' : 'hidden md:inline'}>
        <Status mark={mark} {...(tone ? { tone } : {})}>
          {word}
        </Status>
      </span>
      <span className="md:hidden">
        <Mark kind={mark} label={word} />
      </span>
    </>
  );
}

function RunDuration({ run }: { run: Run }) {
  if (run.durationMs === null) return <span className="text-ink-3">–</span>;
  return <DurationBar ms={run.durationMs} text={formatDuration(run.durationMs)} tone={run.status === 'FAILED' ? 'bad' : undefined} />;
}

/** What started a run; of a chatbot's, a link to the conversation while it is kept. */
function RunSource({ run }: { run: Run }) {
  if (run.conversationId === null) return <span className="text-ink-3">{RUN_SOURCE[run.source]}</span>;
  return (
    <Link to="/dashboard/inbox/$conversationId" params={{ conversationId: run.conversationId }} search={{}} title="Open the conversation">
      {RUN_SOURCE[run.source]}
    </Link>
  );
}
