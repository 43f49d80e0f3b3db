/** Room around a plot: the numbers of the value axis are left, the names of the buckets below. */
export const LEFT = 38;
export const TOP = 10;
export const AXIS_HEIGHT = 24;

const TEXT = { fontSize: 11, fill: 'var(--color-ink-3)' };

type Ends = { left: number; right: number; bottom: number };

/** Three lines with their values, at the bottom, the half and the top. `yOf` gives the height of a value. */
export function ValueLines({
  from = 0,
  top,
  left,
  right,
  bottom,
  yOf,
  format,
}: Ends & { from?: number; top: number; yOf: (value: number) => number; format: (value: number) => string }) {
  return (
    <g aria-hidden>
      {[from, (from + top) / 2, top].map((value) => (
        <g key={value}>
          <line
            x1={left}
            x2={right}
            y1={yOf(value)}
            y2={yOf(value)}
            stroke={value === from ? 'var(--color-line)' : 'var(--color-line-soft)'}
          />
          <text x={left - 8} y={Math.min(bottom, yOf(value)) + 4} textAnchor="end" {...TEXT}>
            {format(value)}
          </text>
        </g>
      ))}
    </g>
  );
}

/** The names of buckets below the plot, each under its middle. */
export function BucketLabels({ labels, bottom, xOf }: { labels: readonly string[]; bottom: number; xOf: (at: number) => number }) {
  return (
    <g aria-hidden>
      {labels.map((text, at) =>
        text === '' ? null : (
          // The place is what a label is for: several may be equal.
          <text key={at} x={xOf(at)} y={bottom + 17} textAnchor="middle" {...TEXT}>
            {text}
          </text>
        ),
      )}
    </g>
  );
}

/** The same for bars that lie: lines with their values below, names at the left. */
export function LyingAxes({
  top,
  labels,
  left,
  right,
  bottom,
  xOf,
  yOf,
  format,
}: Ends & {
  top: number;
  labels: readonly string[];
  xOf: (value: number) => number;
  yOf: (at: number) => number;
  format: (value: number) => string;
}) {
  return (
    <g aria-hidden>
      {[0, top / 2, top].map((value) => (
        <g key={value}>
          <line
            x1={xOf(value)}
            x2={xOf(value)}
            y1={TOP}
            y2={bottom}
            stroke={value === 0 ? 'var(--color-line)' : 'var(--color-line-soft)'}
          />
          <text x={Math.min(right, xOf(value))} y={bottom + 17} textAnchor="middle" {...TEXT}>
            {format(value)}
          </text>
        </g>
      ))}
      {labels.map((text, at) => (
        <text key={at} x={left - 8} y={yOf(at) + 4} textAnchor="end" {...TEXT}>
          {text}
        </text>
      ))}
    </g>
  );
}
