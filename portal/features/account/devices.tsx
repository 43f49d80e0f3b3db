import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../app/api.ts';
import { endSessionAndLeave } from '../../app/log-out.ts';
import { leaveWithSession } from '../../app/session.ts';
import { Button } from '../../ui/controls/button.tsx';
import { ConfirmDialog } from '../../ui/overlays/dialog.tsx';
import { announceError } from '../../shared/announce-error.ts';
import { AccountSection } from './account-section.tsx';

/** Signs the user out on every device. */
export function Devices({ size = 'md' }: { size?: 'md' | 'lg' }) {
  const [isAsking, setAsking] = useState(false);
  const leave = useMutation({
    mutationFn: () =>
      endSessionAndLeave(
        () => api.logoutAll(),
        () => leaveWithSession('/login', undefined),
      ),
    onError: (error) => announceError(error),
  });
  return (
    <AccountSection title="Devices">
      <div className="flex flex-wrap items-center gap-4">
        <p className="min-w-0 flex-1 basis-[260px] text-ink-2">
          Lost a phone, or used someone else’s computer? End all your sessions, including this one.
        </p>
        <Button size={size} kind="danger-text" onClick={() => setAsking(true)}>
          Sign out everywhere
        </Button>
      </div>
      <ConfirmDialog
        open={isAsking}
        onClose={() => setAsking(false)}
        title="Sign out everywhere?"
        action="Sign out everywhere"
        keep="Stay signed in"
        busy={leave.isPending && 'Signing out'}
        onConfirm={() => leave.mutate()}
      >
        <p>You will have to log in again on every device, including this one. Your agents keep working.</p>
      </ConfirmDialog>
    </AccountSection>
  );
}
