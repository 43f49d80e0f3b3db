import type { ReactNode } from 'react';

/** Explains what the page will show, why it is empty, and the next step. */
export function EmptyState({ title, children, actions }: { title: string; children: ReactNode; actions?: ReactNode }) {
  return (
    <div className="flex gap-5 rounded-lg border border-dashed border-line p-5">
      <div aria-hidden className="relative grid w-18 flex-none content-start gap-1.75 border-l-[1.5px] border-line pt-1 pl-3">
        <span className="absolute top-0.75 -left-[4.75px] size-2 rounded-full bg-accent-mark" />
        <i className="h-1.75 rounded-xs bg-line" />
        <i className="h-1.75 w-[70%] rounded-xs bg-line opacity-75" />
        <i className="h-1.75 w-[46%] rounded-xs bg-line opacity-50" />
      </div>
      <div className="min-w-0 max-w-prose [overflow-wrap:anywhere]">
        <p className="font-semibold">{title}</p>
        <div className="text-ink-2">{children}</div>
        {actions ? <div className="mt-2.5 flex flex-wrap gap-2">{actions}</div> : null}
      </div>
    </div>
  );
}
