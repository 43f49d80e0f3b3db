import './meter.css';

/** A share of a limit. `pace` is the share at an even pace, drawn as a tick. Above the limit the fill changes colour. */
export function Meter({ used, limit, pace, small, label }: { used: number; limit: number; pace?: number; small?: boolean; label: string }) {
  const share = limit > 0 ? Math.min(1, used / limit) : 0;
  return (
    <div
      className="meter"
      data-small={small ? '' : undefined}
      data-full={limit > 0 && used >= limit ? '' : undefined}
      role="meter"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={limit}
      aria-valuenow={Math.min(used, limit)}
    >
      <i style={{ width: `${share * 100}%` }} />
      {pace === undefined ? null : <u style={{ left: `${Math.min(1, Math.max(0, pace)) * 100}%` }} />}
    </div>
  );
}

/** Numbers as bars next to their names, for short lists such as credits per client. */
export function BarList({ rows }: { rows: readonly { name: string; value: number; text: string; rest?: boolean }[] }) {
  const most = Math.max(1, ...rows.filter((row) => !row.rest).map((row) => row.value));
  return (
    <ul className="num text-xs">
      {rows.map((row) => (
        <li key={row.name} className="grid h-6 grid-cols-[124px_1fr_auto] items-center gap-2.5">
          <span className="truncate" title={row.name}>
            {row.name}
          </span>
          {row.rest ? (
            <span />
          ) : (
            <span className="h-1 rounded-2xs bg-line-soft">
              <span className="block h-1 rounded-2xs bg-data-2" style={{ width: `${(row.value / most) * 100}%` }} />
            </span>
          )}
          <span className="min-w-10 text-right">{row.text}</span>
        </li>
      ))}
    </ul>
  );
}
