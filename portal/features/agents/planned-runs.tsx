import { Link } from '@tanstack/react-router';
import type { Agent, Schedule } from '../../queries/agents.ts';
import { formatToMinute, formatUtc, plural } from '../../ui/text/format.ts';
import { Panel } from '../../ui/layout/layout.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import { Time } from '../../ui/text/time.tsx';
import { whyOff } from '../../shared/agent-state.tsx';
import { plannedOutcomeText, skipText } from './schedule-text.ts';

type Planned = Schedule['planned'];

/** Planned executions: those that are waiting, and the outcome of recent ones. */
export function PlannedRuns({ agent, planned }: { agent: Agent; planned: Planned }) {
  const { waiting, waitingTotal, recent } = planned;
  const one = (waiting[0] ?? recent[0])?.kind ?? 'reminder';
  const word = `${one}s`;
  const off = whyOff(agent);
  return (
    <Panel title={waitingTotal > 0 ? `${plural(waitingTotal, one)} waiting` : `No ${word} waiting`}>
      <div className="grid gap-3">
        {waitingTotal > 0 && off ? (
          <Note tone="warn">
            {off}. Any {word} due meanwhile are cancelled; later ones still start.
          </Note>
        ) : null}
        {waiting.length > 0 ? (
          <ul className="grid gap-1.5">
            {waiting.map((run) => (
              <li key={run.id} className="flex flex-wrap items-baseline justify-between gap-x-3">
                <span className="min-w-0 truncate">{run.label || 'Unnamed'}</span>
                <span className="tabular-nums text-ink-2">
                  <time dateTime={run.dueAt} title={formatUtc(run.dueAt)}>
                    {formatToMinute(run.dueAt)}
                  </time>
                </span>
                {run.reason ? <span className="basis-full text-xs text-ink-3">Postponed: {skipText(run.reason)}.</span> : null}
              </li>
            ))}
          </ul>
        ) : (
          <p className="text-ink-2">The next {word} appear here with their times.</p>
        )}
        {waitingTotal > waiting.length ? <p className="text-xs text-ink-3">Showing the next {waiting.length}.</p> : null}
        {recent.length > 0 ? (
          <ul className="grid gap-1.5 border-t border-line-soft pt-3 text-ink-2" aria-label="Recent">
            {recent.map((run) => (
              <li key={run.id} className="flex flex-wrap items-baseline justify-between gap-x-3 text-xs">
                <span className="min-w-0">
                  {run.label || 'Unnamed'}{' '}
                  {run.executionId ? (
                    <Link className="link" to="/dashboard/runs/$id" params={{ id: run.executionId }}>
                      {plannedOutcomeText(run)}
                    </Link>
                  ) : (
                    plannedOutcomeText(run)
                  )}
                </span>
                <span className="tabular-nums text-ink-3">
                  <Time iso={run.dueAt} style="long" />
                </span>
              </li>
            ))}
          </ul>
        ) : null}
      </div>
    </Panel>
  );
}
