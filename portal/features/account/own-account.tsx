import { useMessages } from '../../app/messages.ts';
import type { ReactNode } from 'react';
import { useIsViewing } from '../../app/current-user.ts';
import { Note } from '../../ui/feedback/note.tsx';

/** The user's own account pages; replaced by a note in a view-as session, which has no user of its own. */
export function OwnAccount({ children }: { children: ReactNode }) {
  const { t } = useMessages();
  const isViewing = useIsViewing();
  return (
    <div className="grid max-w-[620px] gap-12">
      {isViewing ? (
        <Note tone="live">
          <p>{t('account.private')}</p>
        </Note>
      ) : (
        children
      )}
    </div>
  );
}
