import { useMessages } from '../../app/messages.ts';
import type { ReactNode } from 'react';
import { useIsViewing } from '../../app/current-user.ts';
import { Note } from '../../ui/feedback/note.tsx';

/** The user's own account pages; replaced by a note in a view-as session, which has no user of its own. */
export function OwnAccount({
  isWide = false,
  children,
}: {
  /** Whether the sections stand in two columns. */ isWide?: boolean;
  children: ReactNode;
}) {
  const { t } = useMessages();
  const isViewing = useIsViewing();
  return (
    <div className={isWide ? 'grid items-start gap-10 lg:grid-cols-2' : 'grid max-w-form gap-12'}>
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
