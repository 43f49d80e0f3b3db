import './progress.css';

type Props = {
  label: string;
  /** Whole percent; undefined while that is not known. */
  percent: number | undefined;
  /** Text below the bar. */
  children: string;
};

/** Progress of an operation that the page waits for. The sentence has the role `status`; screen readers do not read each step of the bar. */
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
