import type { ReactNode } from 'react';

/** Header of a client page, in larger type than the agency's. */
export function PageHead({ title, lead, back, aside }: { title: ReactNode; lead?: ReactNode; back?: ReactNode; aside?: ReactNode }) {
  return (
    <header className="mb-7">
      {back}
      <div className="flex flex-wrap items-start gap-x-6 gap-y-3">
        <div className="min-w-0 flex-1 basis-65">
          <h1 className="text-2xl tracking-figure text-balance">{title}</h1>
          {lead ? <div className="mt-1 max-w-prose text-ink-2 text-pretty">{lead}</div> : null}
        </div>
        {aside}
      </div>
    </header>
  );
}
