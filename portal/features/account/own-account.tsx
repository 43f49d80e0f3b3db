import type { ReactNode } from 'react';
import { useIsViewing } from '../../app/current-user.ts';
import { Note } from '../../ui/feedback/note.tsx';

/** What belongs to the reader alone. In a view there is nobody it could belong to. */
export function OwnAccount({ children }: { children: ReactNode }) {
  const isViewing = useIsViewing();
  return (
    <div className="grid max-w-[620px] gap-12">
      {isViewing ? (
        <Note tone="live">
          <p>Profile and security belong to each person alone. They are not shown in a view.</p>
        </Note>
      ) : (
        children
      )}
    </div>
  );
}
