import type { ReactNode } from 'react';
import { Mark, type MarkKind } from './mark.tsx';
import './note.css';

const MARKS: Record<'bad' | 'warn' | 'live' | 'ok', MarkKind> = { bad: 'bad', warn: 'warn', live: 'live', ok: 'ok' };

/** A coloured note with its mark and at most one action. */
export function Note({
  tone,
  children,
  action,
  alert,
  isRunning,
}: {
  tone: 'bad' | 'warn' | 'live' | 'ok';
  children: ReactNode;
  action?: ReactNode;
  alert?: boolean;
  /** Something is in progress. */
  isRunning?: boolean;
}) {
  return (
    <div className="note" data-tone={tone} role={alert ? 'alert' : undefined}>
      <Mark kind={isRunning ? 'run' : MARKS[tone]} />
      {/* The action has a line of its own where the text would get too narrow. */}
      <div className="note-body">
        <div>{children}</div>
        {action}
      </div>
    </div>
  );
}
