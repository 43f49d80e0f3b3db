import type { ReactNode } from 'react';

type Props = { title?: string; lead?: ReactNode; children: ReactNode };

/** A part of a step of the settings, with its heading and what it is for. */
export function FormSection({ title, lead, children }: Props) {
  return (
    <section className="grid gap-4 border-t border-line pt-5 first:border-t-0 first:pt-0">
      <div>
        {title === undefined ? null : <h3 className="text-sm">{title}</h3>}
        {lead ? <p className="max-w-prose text-ink-3">{lead}</p> : null}
      </div>
      {children}
    </section>
  );
}
