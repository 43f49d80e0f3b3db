import './sparkline.css';

type Point = { value: number; bad?: number };

/** Small bars without axes: how much, and the failed part. `label` says the same in words. */
export function Sparkline({
  points,
  label,
  most: given,
  height = 22,
}: {
  points: readonly Point[];
  label: string;
  most?: number;
  height?: number;
}) {
  const most = Math.max(1, given ?? 0, ...points.map((point) => point.value));
  return (
    <span className="sparkline" role="img" aria-label={label} style={{ height }}>
      {points.map((point, at) => (
        <i key={at} data-empty={point.value === 0 ? '' : undefined} style={{ height: `${Math.max(8, (point.value / most) * 100)}%` }}>
          {point.bad ? <b style={{ height: `${Math.min(100, (point.bad / point.value) * 100)}%` }} /> : null}
        </i>
      ))}
    </span>
  );
}
