import { useMutation } from '@tanstack/react-query';
import { api } from '../../app/api.ts';
import { useRefusal } from '../../app/current-user.ts';
import { Button } from '../../ui/controls/button.tsx';
import { ConfirmDialog } from '../../ui/overlays/dialog.tsx';
import { announce } from '../../ui/feedback/toast.tsx';
import { announceError } from '../../shared/announce-error.ts';
import type { User } from './queries.ts';
import { refreshAfter } from '../../queries/refresh.ts';

/** Disabling asks first, because it ends the user's sessions; enabling acts immediately. */
export function StatusButton({ user, isSelf, onDisable }: { user: User; isSelf: boolean; onDisable: () => void }) {
  const refusal = useRefusal('users.manage');
  const enable = useSetStatus(user, 'active');
  const reason = refusal ?? (isSelf ? 'You cannot disable yourself.' : undefined);
  if (user.status === 'active')
    return (
      <Button size="sm" disabledReason={reason} onClick={onDisable} aria-label={`Disable ${user.fullName || user.email}`}>
        Disable
      </Button>
    );
  return (
    <Button
      size="sm"
      disabledReason={reason}
      busy={enable.isPending && 'Enabling'}
      onClick={() => enable.mutate()}
      aria-label={`Enable ${user.fullName || user.email}`}
    >
      Enable
    </Button>
  );
}

export function DisableDialog({ user, onClose }: { user: User | undefined; onClose: () => void }) {
  return user ? <OpenDialog user={user} onClose={onClose} /> : null;
}

function OpenDialog({ user, onClose }: { user: User; onClose: () => void }) {
  const disable = useSetStatus(user, 'disabled', onClose);
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`Disable ${user.fullName || user.email}?`}
      action="Disable user"
      keep="Keep active"
      busy={disable.isPending && 'Disabling'}
      onConfirm={() => disable.mutate()}
    >
      <p>
        <b>{user.email}</b> is logged out everywhere and can no longer log in to {user.partnerName}. You can enable the user again at any
        time. Chatbots that mail hand-overs to this address notify everyone of the inbox instead from then on.
      </p>
      {user.partnerRole === 'admin' ? <p>If no other admin of {user.partnerName} can log in, make another member an admin first.</p> : null}
    </ConfirmDialog>
  );
}

function useSetStatus(user: User, status: User['status'], onDone?: () => void) {
  return useMutation({
    mutationFn: () => api.updateUser({ params: { id: user.id }, body: { status } }),
    onSuccess: () => {
      announce(
        status === 'active'
          ? `${user.fullName || user.email} can log in again.`
          : `${user.fullName || user.email} is disabled and logged out.`,
      );
      onDone?.();
    },
    onError: (error) => announceError(error),
    onSettled: () => {
      void refreshAfter('userDisabled');
    },
  });
}
