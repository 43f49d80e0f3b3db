import type { ReactNode } from 'react';
import { plural } from '../../ui/text/format.ts';
import { Mark } from '../../ui/feedback/mark.tsx';
import './cause-strip.css';
import '../../ui/layout/panel.css';

export type Cause = { key: string; count: number; cause: string; who: string; isChosen: boolean };

/** Failures grouped by cause; a click filters the list by it. */
export function CauseStrip({ causes, onPick, action }: { causes: readonly Cause[]; onPick: (key: string) => void; action?: ReactNode }) {
  const failed = causes.reduce((sum, cause) => sum + cause.count, 0);
  if (failed === 0) return null;
  return (
    <section className="panel cause-strip" aria-label="Failures by cause">
      <p className="flex items-center gap-2 pr-4.5 pl-4 whitespace-nowrap">
        <Mark kind="bad" />
        <b>{failed} failed</b>
        <span className="text-ink-3">{plural(causes.length, 'cause')}</span>
      </p>
      {causes.slice(0, 3).map((cause) => (
        <button key={cause.key} type="button" className="cause-strip-item" aria-pressed={cause.isChosen} onClick={() => onPick(cause.key)}>
          <b>{cause.count}</b>
          <span className="min-w-0">
            <span className="font-medium">{cause.cause}</span>
            <span className="text-ink-3">{cause.who}</span>
          </span>
        </button>
      ))}
      {action ? <div className="flex items-center px-3">{action}</div> : null}
    </section>
  );
}
