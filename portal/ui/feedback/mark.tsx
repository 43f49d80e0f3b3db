import type { ReactNode } from 'react';

export type MarkKind = 'ok' | 'bad' | 'warn' | 'run' | 'wait' | 'pause' | 'silent' | 'skip' | 'none' | 'live' | 'offline';

/** One shape per status. A text is next to it, or `label` gives one to screen readers. */
export function Mark({ kind, size = 14, label, className }: { kind: MarkKind; size?: 12 | 14 | 18; label?: string; className?: string }) {
  return (
    <svg
      viewBox="0 0 14 14"
      width={size}
      height={size}
      className={className}
      {...(label ? { role: 'img', 'aria-label': label } : { 'aria-hidden': true })}
    >
      {SHAPES[kind]}
    </svg>
  );
}

const cut = { fill: 'none', stroke: 'var(--color-surface)', strokeLinecap: 'round', strokeLinejoin: 'round' } as const;
const ring = { cx: 7, cy: 7, r: 5.4, fill: 'none' } as const;

const SHAPES: Record<MarkKind, ReactNode> = {
  ok: (
    <>
      <circle cx="7" cy="7" r="6.2" fill="var(--color-ok-mark)" />
      <path d="M4.3 7.2 6.3 9.2 9.8 5.2" strokeWidth="1.6" {...cut} />
    </>
  ),
  bad: (
    <>
      <path
        d="M7 .4 13.6 7 7 13.6 .4 7z"
        fill="var(--color-bad-mark)"
        stroke="var(--color-bad-mark)"
        strokeWidth=".8"
        strokeLinejoin="round"
      />
      <path d="M5.2 5.2l3.6 3.6M8.8 5.2 5.2 8.8" strokeWidth="1.5" {...cut} />
    </>
  ),
  warn: (
    <>
      <path d="M7 1.2 13.3 12.4H.7z" fill="var(--color-warn-mark)" stroke="var(--color-warn-mark)" strokeLinejoin="round" />
      <path d="M7 5v3.4M7 10.4v.1" strokeWidth="1.5" {...cut} />
    </>
  ),
  run: (
    <>
      <circle {...ring} stroke="var(--color-accent-line)" strokeWidth="1.7" />
      <path
        className="animate-turn origin-center"
        d="M7 1.6A5.4 5.4 0 0 1 12.4 7"
        fill="none"
        stroke="var(--color-accent-mark)"
        strokeWidth="1.7"
        strokeLinecap="round"
      />
      <circle cx="7" cy="7" r="1.9" fill="var(--color-accent-mark)" />
    </>
  ),
  wait: <circle {...ring} stroke="var(--color-control)" strokeWidth="1.5" />,
  pause: (
    <>
      <circle {...ring} stroke="var(--color-ink-3)" strokeWidth="1.4" />
      <path d="M5.5 5v4M8.5 5v4" stroke="var(--color-ink-3)" strokeWidth="1.5" strokeLinecap="round" />
    </>
  ),
  silent: <circle {...ring} stroke="var(--color-warn-mark)" strokeWidth="1.7" strokeDasharray="2.1 2.14" />,
  skip: (
    <>
      <circle {...ring} stroke="var(--color-control)" strokeWidth="1.3" />
      <path d="M4.6 7h4.8" stroke="var(--color-control)" strokeWidth="1.5" strokeLinecap="round" />
    </>
  ),
  none: <circle {...ring} stroke="var(--color-control)" strokeWidth="1.2" strokeDasharray="1.7 2.54" />,
  live: (
    <>
      <circle cx="7" cy="7" r="6" fill="var(--color-accent-line)" opacity=".6" />
      <circle cx="7" cy="7" r="3" fill="var(--color-accent-mark)" />
    </>
  ),
  offline: (
    <>
      <circle cx="7" cy="7" r="6" fill="var(--color-line)" />
      <circle cx="7" cy="7" r="3" fill="var(--color-ink-3)" />
    </>
  ),
};
