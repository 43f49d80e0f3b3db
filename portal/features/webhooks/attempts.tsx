import { isAccepted } from '@partner-portal/contract/delivery-errors.ts';
import { formatClock, formatDuration, formatMoment } from '../../ui/text/format.ts';
import { DurationBar } from '../../ui/table/table.tsx';
import type { Attempt } from './queries.ts';
import { responseText, isInProgress } from './labels.ts';
import './attempts.css';

/** All attempts with time, response and duration. The selected attempt's response is shown below. */
export function Attempts({
  attempts,
  chosen,
  onChoose,
}: {
  attempts: readonly Attempt[];
  chosen: number | undefined;
  onChoose: (n: number) => void;
}) {
  return (
    <ol className="attempts" aria-label="Attempts">
      {attempts.map((attempt) => (
        <li key={attempt.n}>
          <button type="button" aria-pressed={attempt.n === chosen} onClick={() => onChoose(attempt.n)} title={formatMoment(attempt.at)}>
            <span className="text-ink-3">{attempt.n}</span>
            <span>{formatClock(attempt.at)}</span>
            <b className={toneOf(attempt)}>{responseText(attempt)}</b>
            {attempt.durationMs === null ? (
              <span className="text-ink-3">–</span>
            ) : (
              <DurationBar
                ms={attempt.durationMs}
                text={formatDuration(attempt.durationMs)}
                tone={hasFailed(attempt) ? 'bad' : undefined}
              />
            )}
            <span className="truncate text-ink-2" title={attempt.explanation?.message}>
              {wordsOf(attempt)}
            </span>
          </button>
        </li>
      ))}
    </ol>
  );
}

function toneOf(attempt: Attempt): string {
  if (isInProgress(attempt)) return 'font-medium text-accent';
  return hasFailed(attempt) ? 'font-medium text-bad' : 'font-medium text-ok';
}

/** An event that was accepted has arrived, also when the rest of the response broke. */
function hasFailed(attempt: Attempt): boolean {
  return attempt.error !== null && !isAccepted(attempt);
}

function wordsOf(attempt: Attempt): string {
  if (isInProgress(attempt)) return 'Sending';
  return attempt.explanation?.message ?? 'Accepted';
}
