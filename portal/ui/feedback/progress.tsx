import './progress.css';

type Props = {
  label: string;
  /** Whole percent; undefined while that is not known. */
  percent: number | undefined;
  /** What is said below the bar. */
  children: string;
};

/** How far something is that the page waits for. The sentence is a status; the bar alone is not read at each step. */
export function Progress({ label, percent, children }: Props) {
  return (
    <div className="grid gap-1.5">
      <div
        className="progress"
        role="progressbar"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
        data-unknown={percent === undefined ? '' : undefined}
      >
        <i style={percent === undefined ? undefined : { width: `${percent}%` }} />
      </div>
      <p className="tabular-nums text-ink-2">{children}</p>
    </div>
  );
}
