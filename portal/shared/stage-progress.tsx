import { shownSetupError } from '@partner-portal/core/provisioning/missing-credential.ts';
import { formatDuration } from '../ui/text/format.ts';
import { Mark, type MarkKind } from '../ui/feedback/mark.tsx';
import './stage-progress.css';

export type Stage = {
  key: string;
  label: string;
  status: 'pending' | 'running' | 'succeeded' | 'failed' | 'skipped';
  durationMs: number | null;
};

const MARKS: Record<Stage['status'], MarkKind> = { pending: 'wait', running: 'run', succeeded: 'ok', failed: 'bad', skipped: 'skip' };
const WORDS: Record<Stage['status'], string> = {
  pending: 'waiting',
  running: 'running',
  succeeded: 'done',
  failed: 'failed',
  skipped: 'not needed',
};

/** The four provisioning stages in a row (a column on phones). The failed one shows the public error text. */
export function StageProgress({ stages, errorPublic }: { stages: readonly Stage[]; errorPublic: string | null }) {
  return (
    <ol className="stage-progress">
      {stages.map((stage, at) => (
        <li key={stage.key} data-state={stage.status}>
          <Mark kind={MARKS[stage.status]} size={18} label={wordOf(stages, at)} />
          <b>{stage.label}</b>
          <span className="stage-duration">{stage.durationMs === null ? wordOf(stages, at) : formatDuration(stage.durationMs)}</span>
          {stage.status === 'failed' && errorPublic ? (
            <p className="stage-error mt-1 pr-2 text-bad text-pretty">{shownSetupError(errorPublic)}</p>
          ) : null}
        </li>
      ))}
    </ol>
  );
}

/** The same four stages as a short list, for a side column. */
export function StageList({ stages }: { stages: readonly Stage[] }) {
  return (
    <ol className="stage-list">
      {stages.map((stage, at) => (
        <li key={stage.key}>
          <Mark kind={MARKS[stage.status]} label={wordOf(stages, at)} />
          <span className={stage.status === 'running' ? 'font-figure' : stage.status === 'pending' ? 'text-ink-3' : undefined}>
            {stage.label}
          </span>
          <span className="stage-duration">{stage.durationMs === null ? wordOf(stages, at) : formatDuration(stage.durationMs)}</span>
        </li>
      ))}
    </ol>
  );
}

/** What follows a failed stage was not reached; before one, it was not needed. */
function wordOf(stages: readonly Stage[], at: number): string {
  const status = stages[at]?.status ?? 'pending';
  const isAfterFailure = stages.slice(0, at).some((stage) => stage.status === 'failed');
  return isAfterFailure && (status === 'skipped' || status === 'pending') ? 'not reached' : WORDS[status];
}
