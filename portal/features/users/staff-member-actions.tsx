import { useState } from 'react';
import { useUser } from '../../app/session.ts';
import { DisableDialog, StatusButton } from './disable-user.tsx';
import type { User } from './queries.ts';
import { UserActions } from './user-actions.tsx';

/** What staff can do with a user, in a row of any list. */
export function StaffMemberActions({ user }: { user: User }) {
  const isSelf = useUser().id === user.id;
  const [isAsking, setAsking] = useState(false);
  return (
    <span className="inline-flex items-center gap-1.5">
      <StatusButton user={user} isSelf={isSelf} onDisable={() => setAsking(true)} />
      <UserActions user={user} isSelf={isSelf} />
      <DisableDialog user={isAsking ? user : undefined} onClose={() => setAsking(false)} />
    </span>
  );
}
