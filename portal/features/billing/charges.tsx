import type { ReactNode } from 'react';
import '../../ui/layout/key-values.css';

/** What a purchase costs: one line each, the amount of the order in bold. */
export function Charges({ rows, note }: { rows: readonly { name: ReactNode; value: ReactNode; isMain?: boolean }[]; note?: ReactNode }) {
  return (
    <div className="rounded-md border border-line bg-sunken px-3 py-1.5" role="group" aria-label="What it costs" aria-live="polite">
      <dl className="key-values">
        {rows.map(({ name, value, isMain }, at) => (
          <div key={at} className="contents">
            <dt className={isMain ? '!font-semibold !text-ink' : undefined}>{name}</dt>
            <dd className={isMain ? 'font-semibold' : undefined}>{value}</dd>
          </div>
        ))}
      </dl>
      {note ? <p className="border-t border-line py-1.5 text-xs text-ink-3">{note}</p> : null}
    </div>
  );
}
