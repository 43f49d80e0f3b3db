import { ChevronDown } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { formatDuration } from '../../ui/text/format.ts';
import { Mark, type MarkKind } from '../../ui/feedback/mark.tsx';
import './run-timeline.css';

export type TimelineStep = {
  key: string;
  name: string;
  kind: string;
  status: 'succeeded' | 'failed' | 'running' | 'pending' | 'skipped';
  /** Milliseconds after the start of the run; undefined while not reached. */
  offsetMs: number | undefined;
  durationMs: number | undefined;
  sentence: ReactNode;
  body?: ReactNode;
};

const MARKS: Record<TimelineStep['status'], MarkKind> = {
  succeeded: 'ok',
  failed: 'bad',
  running: 'run',
  pending: 'wait',
  skipped: 'skip',
};
const WORDS: Record<TimelineStep['status'], string> = {
  succeeded: 'succeeded',
  failed: 'failed',
  running: 'running',
  pending: 'not reached',
  skipped: 'skipped',
};

/** The steps of one run on one ruler. The failed step is open from the start. */
export function RunTimeline({ steps, totalMs }: { steps: readonly TimelineStep[]; totalMs: number }) {
  const ticks = makeTicks(totalMs);
  return (
    <div>
      <div className="run-timeline-ruler" aria-hidden>
        <span />
        <div>
          {ticks.map((ms) => (
            <i key={ms} style={{ left: `${(ms / totalMs) * 100}%` }}>
              {ms === 0 ? '0' : formatDuration(ms)}
            </i>
          ))}
        </div>
        <span />
      </div>
      <ol className="run-timeline-steps">
        {steps.map((step) => (
          <StepRow key={step.key} step={step} totalMs={totalMs} ticks={ticks} />
        ))}
      </ol>
    </div>
  );
}

function StepRow({ step, totalMs, ticks }: { step: TimelineStep; totalMs: number; ticks: readonly number[] }) {
  const [choice, setChoice] = useState<boolean>();
  const id = useId();
  const isFailed = step.status === 'failed';
  const isOpen = choice ?? isFailed;
  const tone = isFailed ? 'bad' : step.status === 'running' ? 'run' : undefined;
  return (
    <li>
      <button
        type="button"
        className="run-timeline-header"
        aria-expanded={step.body ? isOpen : undefined}
        aria-controls={step.body ? id : undefined}
        onClick={() => setChoice(!isOpen)}
      >
        <span className="run-timeline-mark">
          <Mark kind={MARKS[step.status]} size={18} label={WORDS[step.status]} />
        </span>
        <span className="run-timeline-name">
          {step.name}
          <span>{step.kind}</span>
        </span>
        <span className="run-timeline-track" aria-hidden>
          {ticks.slice(0, -1).map((ms) => (
            <u key={ms} style={{ left: `${(ms / totalMs) * 100}%` }} />
          ))}
          {step.offsetMs === undefined ? null : (
            <i
              data-tone={tone}
              style={{
                left: `${Math.min(99, (step.offsetMs / totalMs) * 100)}%`,
                width: `${Math.min(100 - (step.offsetMs / totalMs) * 100, ((step.durationMs ?? totalMs - step.offsetMs) / totalMs) * 100)}%`,
              }}
            />
          )}
        </span>
        <span className={`tabular-nums text-right ${isFailed ? 'text-bad' : 'text-ink-2'}`}>
          {step.durationMs === undefined ? '–' : formatDuration(step.durationMs)}
        </span>
        {step.body ? <ChevronDown className="run-timeline-chevron" aria-hidden /> : <span />}
      </button>
      <div className="run-timeline-body text-ink-2">{step.sentence}</div>
      {step.body && isOpen ? (
        <div id={id} className="run-timeline-body pt-2.5">
          {step.body}
        </div>
      ) : null}
    </li>
  );
}

/** Round marks on the ruler: at most five, the last one the end of the run. */
function makeTicks(totalMs: number): number[] {
  const rough = totalMs / 3;
  const power = 10 ** Math.floor(Math.log10(Math.max(rough, 1)));
  const step = [1, 2, 5, 10].map((n) => n * power).find((size) => size >= rough) ?? power * 10;
  const ticks: number[] = [];
  for (let ms = 0; ms < totalMs * 0.88; ms += step) ticks.push(ms);
  return [...ticks, totalMs];
}
