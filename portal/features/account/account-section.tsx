import type { ReactNode } from 'react';
import '../../ui/layout/section-header.css';

/** One section of the user's account page. */
export function AccountSection({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <div className="section-header">
        <h2>{title}</h2>
      </div>
      <div className="pt-3">{children}</div>
    </section>
  );
}
