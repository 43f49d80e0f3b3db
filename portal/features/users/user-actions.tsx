import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../app/api.ts';
import { useRefusal } from '../../app/current-user.ts';
import { MoreMenu } from '../../ui/overlays/menu.tsx';
import { ReasonDialog } from '../../shared/reason-dialog.tsx';
import { announce } from '../../ui/feedback/toast.tsx';
import type { User } from './queries.ts';
import { refreshAfter } from '../../queries/refresh.ts';

type Act = 'mfa' | 'sign-out';

/** Staff actions for a lost phone or a compromised session. Both require a reason for the audit log. */
export function UserActions({ user, isSelf }: { user: User; isSelf: boolean }) {
  const refusal = useRefusal('users.manage');
  const [act, setAct] = useState<Act>();
  const mfaReason =
    refusal ??
    (isSelf ? 'Turn off two-step sign-in in your own account settings.' : user.mfaEnabled ? undefined : 'Two-step sign-in is off.');
  return (
    <>
      <MoreMenu
        label={`More for ${user.fullName || user.email}`}
        items={[
          { label: 'Reset MFA', disabledReason: mfaReason, onPick: () => setAct('mfa') },
          { label: 'Sign out everywhere', disabledReason: refusal, onPick: () => setAct('sign-out') },
        ]}
      />
      {act === 'mfa' ? <ResetMfa user={user} onClose={() => setAct(undefined)} /> : null}
      {act === 'sign-out' ? <SignOut user={user} onClose={() => setAct(undefined)} /> : null}
    </>
  );
}

type ActProps = { user: User; onClose: () => void };

function ResetMfa({ user, onClose }: ActProps) {
  const reset = useMutation({
    mutationFn: (reason: string) => api.resetUserMfa({ params: { id: user.id }, body: { reason } }),
    onSuccess: () => {
      announce(`MFA reset for ${user.fullName || user.email}. They were notified by e-mail.`);
      onClose();
    },
    onSettled: () => refreshAfter('usersChanged'),
  });
  return (
    <ReasonDialog
      title={`Reset MFA of ${user.fullName || user.email}?`}
      action="Reset MFA"
      keep="Leave it on"
      busy={reset.isPending && 'Resetting'}
      error={reset.error}
      placeholder="Lost phone, identity verified by phone"
      onClose={onClose}
      onConfirm={(reason) => reset.mutate(reason)}
    >
      <b>{user.email}</b> can log in with a password alone until they set up two-step sign-in again. They are signed out everywhere and
      notified by e-mail. Verify the request came from them.
    </ReasonDialog>
  );
}

function SignOut({ user, onClose }: ActProps) {
  const signOut = useMutation({
    mutationFn: (reason: string) => api.signOutUser({ params: { id: user.id }, body: { reason } }),
    onSuccess: () => {
      announce(`${user.fullName || user.email} is signed out everywhere.`);
      onClose();
    },
  });
  return (
    <ReasonDialog
      title={`Sign out ${user.fullName || user.email}?`}
      action="Sign out everywhere"
      keep="Leave them signed in"
      busy={signOut.isPending && 'Signing out'}
      error={signOut.error}
      placeholder="Left a session open on a shared computer"
      onClose={onClose}
      onConfirm={(reason) => signOut.mutate(reason)}
    >
      Every session of <b>{user.email}</b> ends now. They can log in again.
    </ReasonDialog>
  );
}
