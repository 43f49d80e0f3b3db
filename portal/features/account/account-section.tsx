import type { ReactNode } from 'react';

/** A part of the own account: a ruled head and what belongs to it. */
export function AccountSection({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <div className="section-head">
        <h2>{title}</h2>
      </div>
      <div className="pt-3">{children}</div>
    </section>
  );
}
