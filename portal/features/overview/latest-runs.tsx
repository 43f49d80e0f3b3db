import { Link } from '@tanstack/react-router';
import type { Summary } from '../../queries/agency.ts';
import { runState } from '../../shared/labels.ts';
import { RunList } from './run-list.tsx';

type Run = Summary['latestRuns'][number];

/** Links to the newest executions; `who` names the subject the page does not show. */
export function LatestRuns({ runs, who }: { runs: readonly Run[]; who: (run: Run) => string | null }) {
  return (
    <RunList
      label="Latest runs"
      rows={runs.map((run) => ({
        key: run.id,
        mark: runState(run).mark,
        markLabel: runState(run).word,
        sentence: (
          <Link to="/dashboard/runs/$id" params={{ id: run.id }} className="hover:underline max-md:py-1">
            {run.summary}
          </Link>
        ),
        who: who(run),
        startedAt: run.startedAt,
        durationMs: run.durationMs,
      }))}
    />
  );
}
