import type { PurgeStepName } from '@partner-portal/contract/vocabulary.ts';
import { useQuery } from '@tanstack/react-query';
import { codeOf } from '../../app/errors.ts';
import { queryClient } from '../../app/query-client.ts';
import { useLive } from '../../app/use-live.ts';
import { type Purge, purgeQuery } from '../../queries/account.ts';
import { refreshAfter } from '../../queries/refresh.ts';
import { ErrorBlock } from '../../shared/error-block.tsx';
import { LiveDot } from '../../ui/feedback/live-dot.tsx';
import { Mark, type MarkKind } from '../../ui/feedback/mark.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import { SkeletonRows } from '../../ui/feedback/skeleton.tsx';
import { Section } from '../../ui/layout/layout.tsx';
import { formatDuration, formatToMinute, plural } from '../../ui/text/format.ts';
import './purge-steps.css';
import '../../ui/layout/panel.css';

type Step = Purge['steps'][number];

const START_POLL_MS = 10_000;

const NAMES: Record<PurgeStepName, string> = {
  tear_down_engine: 'Remove agents from the engine',
  destroy_key: 'Destroy the data key',
  delete_rows: 'Delete rows',
  delete_files: 'Delete files',
  end_sessions: 'End sessions',
  leave_tombstone: 'Erase names',
};
const MARKS: Record<Step['status'], MarkKind> = { pending: 'wait', running: 'run', succeeded: 'ok', waiting: 'warn' };
const WORDS: Record<Step['status'], string> = { pending: 'Not started', running: 'Running', succeeded: 'Done', waiting: 'Waiting' };
const STATUS: Record<Purge['status'], string> = { running: 'Running', waiting: 'Waiting', completed: 'Completed' };

/** The purge of a deleted account, step by step and live. Before its day there is none. */
export function PurgeSteps({ requestId }: { requestId: string }) {
  // There is nothing to follow until it has started.
  const purge = useQuery({ ...purgeQuery(requestId), refetchInterval: ({ state }) => (state.data ? false : START_POLL_MS) });
  const { data } = purge;
  const { queryKey } = purgeQuery(requestId);
  const live = useLive({
    path: data && data.status !== 'completed' ? `/account-deletion/${requestId}/purge/stream` : undefined,
    onEvent: ({ data: text }) => {
      const changed = JSON.parse(text) as Purge; // the contract's record, from our own stream
      queryClient.setQueryData(queryKey, changed);
      if (changed.status === 'completed') void refreshAfter('accountRequestChanged');
    },
    onCatchUp: () => void refreshAfter('purgeChanged', requestId),
    beginsWhole: true,
  });
  if (!data) {
    if (codeOf(purge.error) === 'not_found')
      return (
        <p className="text-ink-3">
          The purge has not started yet. It starts within a minute of its scheduled time, or once a reactivation that waits is rejected.
        </p>
      );
    return purge.error ? (
      <ErrorBlock error={purge.error} onRetry={() => void purge.refetch()} />
    ) : (
      <SkeletonRows rows={6} label="Loading the purge" />
    );
  }
  return (
    <Section
      title="Purge"
      note={
        <>
          {STATUS[data.status]}, started {formatToMinute(data.startedAt)}
          {data.finishedAt ? `, ended ${formatToMinute(data.finishedAt)}` : ''}
        </>
      }
      aside={data.status === 'completed' ? undefined : <LiveDot state={live} />}
    >
      {data.waitingFor === 'engine' ? (
        <div className="mb-3">
          <Note tone="warn">
            <p>
              <b>Waiting for the engine.</b> The engine does not answer, so the agents cannot be removed yet. The purge tries again by
              itself, at least every five minutes. Nothing else is deleted before that.
            </p>
          </Note>
        </div>
      ) : null}
      <p role="status" className="sr-only">
        {spokenState(data)}
      </p>
      <ol className="panel purge-steps">
        {data.steps.map((step) => (
          <StepRow key={step.name} step={step} />
        ))}
      </ol>
    </Section>
  );
}

function StepRow({ step }: { step: Step }) {
  const tookMs = step.startedAt && step.finishedAt ? Date.parse(step.finishedAt) - Date.parse(step.startedAt) : undefined;
  return (
    <li data-state={step.status}>
      <Mark kind={MARKS[step.status]} label={WORDS[step.status]} />
      <span>
        {NAMES[step.name]}
        {step.tries > 1 ? <span className="text-ink-3">, {plural(step.tries, 'try', 'tries')}</span> : null}
      </span>
      <span className="purge-steps-rows tabular-nums text-ink-2 md:text-right">
        {step.rowsRemoved > 0 ? plural(step.rowsRemoved, 'row') : ''}
      </span>
      <span className="tabular-nums text-right text-ink-2">{tookMs === undefined ? '–' : formatDuration(tookMs)}</span>
      {step.problem && step.status !== 'succeeded' ? <p className="purge-steps-problem text-warn">{step.problem}</p> : null}
    </li>
  );
}

/** One sentence for screen readers: the state as a whole, not each row. */
function spokenState({ status, waitingFor, steps }: Purge): string {
  if (status === 'completed') return 'The purge is completed.';
  if (waitingFor === 'engine') return 'The purge is waiting for the engine.';
  const done = steps.filter((step) => step.status === 'succeeded').length;
  return `${done} of ${steps.length} steps of the purge are done.`;
}
