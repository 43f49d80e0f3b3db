import type { ReactNode } from 'react';

type Props = { title: string; lead?: ReactNode; /** A name by which the page moves the focus to it. */ part?: string; children: ReactNode };

/** A part of the settings form, with its heading and what it is for. */
export function FormSection({ title, lead, part, children }: Props) {
  return (
    <section data-part={part} className="grid gap-4 border-t border-line pt-5 first:border-t-0 first:pt-0">
      <div>
        <h2 className="text-[13px]">{title}</h2>
        {lead ? <p className="max-w-[65ch] text-ink-3">{lead}</p> : null}
      </div>
      {children}
    </section>
  );
}
