import type { ReactNode } from 'react';
import { formatDuration } from '../../ui/text/format.ts';
import { Mark, type MarkKind } from '../../ui/feedback/mark.tsx';
import { Time } from '../../ui/text/time.tsx';
import '../../ui/layout/panel.css';

export type RunLine = {
  key: string;
  mark: MarkKind;
  markLabel: string;
  sentence: ReactNode;
  who: string | null;
  startedAt: string;
  durationMs: number | null;
};

/** The newest runs as sentences: what happened, for whom, how long it took, when. */
export function RunList({ rows, label }: { rows: readonly RunLine[]; label: string }) {
  return (
    <ul className="panel overflow-hidden" aria-label={label}>
      {rows.map((row) => (
        <li
          key={row.key}
          className="tabular-nums grid min-h-8.5 grid-cols-[14px_minmax(0,1fr)_auto] items-center gap-x-3 border-b border-line-soft px-4 py-1.5 last:border-0 hover:bg-hover md:grid-cols-[14px_minmax(0,1fr)_minmax(0,0.4fr)_64px_64px]"
        >
          <Mark kind={row.mark} label={row.markLabel} />
          <span className={`max-md:-my-1 max-md:py-1 ${row.mark === 'bad' ? 'text-bad text-pretty' : 'truncate'}`}>{row.sentence}</span>
          <span className="hidden truncate text-ink-2 md:block">{row.who}</span>
          <span className="hidden text-right text-ink-2 md:block">{row.durationMs === null ? '–' : formatDuration(row.durationMs)}</span>
          <Time iso={row.startedAt} className="text-right text-ink-3" />
        </li>
      ))}
    </ul>
  );
}
