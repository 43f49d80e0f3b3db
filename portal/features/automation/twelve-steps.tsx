import type { ReactNode } from 'react';
import { formatDuration, formatOffset } from '../../ui/text/format.ts';
import { Mark, type MarkKind } from '../../ui/feedback/mark.tsx';
import './twelve-steps.css';
import '../../ui/layout/panel.css';

export type StepState = 'pending' | 'running' | 'succeeded' | 'failed' | 'skipped';
export type InternalStep = {
  name: string;
  state: StepState;
  what: ReactNode;
  offsetMs: number | undefined;
  durationMs: number | undefined;
  warnings: readonly string[];
  tags: readonly { mark: MarkKind; name: string; note: string }[];
  extra?: ReactNode;
};
export type StageGroup = { key: string; label: string; state: StepState; steps: readonly InternalStep[] };

const MARKS: Record<StepState, MarkKind> = { pending: 'wait', running: 'run', succeeded: 'ok', failed: 'bad', skipped: 'skip' };
const WORDS: Record<StepState, string> = {
  pending: 'Not reached',
  running: 'Running',
  succeeded: 'Done',
  failed: 'Failed',
  skipped: 'Skipped',
};

/** Every internal step, grouped by the four stages. The state of a group is announced, not each row. */
export function TwelveSteps({ groups }: { groups: readonly StageGroup[] }) {
  return (
    <div className="panel twelve-steps">
      {groups.map((group, at) => (
        <section key={group.key} aria-label={group.label}>
          <header data-state={group.state}>
            <span className="tabular-nums text-ink-3">{at + 1}</span>
            <h3>{group.label}</h3>
            <p role="status">{WORDS[group.state]}</p>
          </header>
          <ol>
            {group.steps.map((step) => (
              <StepRow key={step.name} step={step} />
            ))}
          </ol>
        </section>
      ))}
    </div>
  );
}

function StepRow({ step }: { step: InternalStep }) {
  const hasWarning = step.warnings.length > 0 && step.state === 'succeeded';
  const isFailed = step.state === 'failed';
  return (
    <li data-state={step.state}>
      <Mark kind={hasWarning ? 'warn' : MARKS[step.state]} label={hasWarning ? 'Done with a warning' : WORDS[step.state]} />
      <code>{step.name}</code>
      <span className={`twelve-steps-description truncate ${isFailed ? 'text-bad' : 'text-ink-2'}`}>{step.what}</span>
      <span className="twelve-steps-offset tabular-nums text-right text-ink-3">
        {step.offsetMs === undefined ? '' : formatOffset(step.offsetMs)}
      </span>
      <span className={`tabular-nums text-right ${isFailed ? 'text-bad' : 'text-ink-2'}`}>
        {step.durationMs === undefined ? '–' : formatDuration(step.durationMs)}
      </span>
      {step.warnings.map((warning) => (
        <p key={warning} className="twelve-steps-detail text-warn">
          <b>Warning.</b> {warning}
        </p>
      ))}
      {step.tags.length > 0 ? (
        <div className="twelve-steps-detail twelve-steps-tags">
          {step.tags.map((tag) => (
            <span key={tag.name + tag.note} className="twelve-steps-tag">
              <Mark kind={tag.mark} size={12} />
              <code>{tag.name}</code>
              <span className="text-ink-3">{tag.note}</span>
            </span>
          ))}
        </div>
      ) : null}
      {step.extra ? <div className="twelve-steps-detail">{step.extra}</div> : null}
    </li>
  );
}
