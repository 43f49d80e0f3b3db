import type { ReactNode } from 'react';
import { Mark, type MarkKind } from './mark.tsx';
import './badge.css';

const TONES: Partial<Record<MarkKind, string>> = { ok: 'ok', bad: 'bad', warn: 'warn', silent: 'warn', run: 'live', live: 'live' };

/** A label with a status mark and colour; plain without a mark (a version, a mode). */
export function Badge({ mark, children }: { mark?: MarkKind; children: ReactNode }) {
  if (!mark)
    return (
      <span className="badge" data-plain>
        {children}
      </span>
    );
  return (
    <span className="badge" data-tone={TONES[mark]}>
      <Mark kind={mark} size={12} />
      {children}
    </span>
  );
}

/** A mark with its label, as in a table's status column. */
export function Status({ mark, children, tone }: { mark: MarkKind; children: ReactNode; tone?: 'bad' | 'live' | 'warn' }) {
  const colour = { bad: 'text-bad', live: 'text-accent', warn: 'text-warn' };
  return (
    <span className="inline-flex items-center gap-2 align-middle">
      <Mark kind={mark} />
      <span className={tone ? colour[tone] : 'text-ink-2'}>{children}</span>
    </span>
  );
}
