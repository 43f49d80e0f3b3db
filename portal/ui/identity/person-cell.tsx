import type { ReactNode } from 'react';
import { Avatar } from './marks.tsx';

/** A person in a table: the picture or initials next to name and address. */
export function PersonCell({ name, url, children }: { name: string; url: string | null | undefined; children: ReactNode }) {
  return (
    <span className="flex min-w-0 items-center gap-2.5">
      <Avatar name={name} url={url} />
      <span className="min-w-0 flex-1 md:truncate">{children}</span>
    </span>
  );
}
