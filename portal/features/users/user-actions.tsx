import { useState } from 'react';
import { formApi } from '../../app/api.ts';
import { useRefusal } from '../../app/current-user.ts';
import { MoreMenu } from '../../ui/overlays/menu.tsx';
import { useMailed } from '../../shared/mailed.ts';
import { yourself } from '../../shared/without-mail.ts';
import { NoteDialog } from '../../shared/note-dialog.tsx';
import { announce } from '../../ui/feedback/toast.tsx';
import type { User } from './queries.ts';
import { refreshAfter } from '../../queries/refresh.ts';

type Act = 'mfa' | 'sign-out' | 'admin';

/** Staff actions for a lost phone, a compromised session or an agency whose admins are gone. Each requires a reason for the audit log. */
export function UserActions({ user, isSelf }: { user: User; isSelf: boolean }) {
  const refusal = useRefusal('users.manage');
  const [act, setAct] = useState<Act>();
  // Read with the page, so that it is known when a dialog says what follows.
  const mailed = useMailed();
  const mfaReason =
    refusal ?? (isSelf ? 'Turn off two-step login in your own account settings.' : user.mfaEnabled ? undefined : 'Two-step login is off.');
  const name = user.fullName || user.email;
  const adminReason =
    refusal ??
    (user.partnerRole === 'admin' ? `${name} is an admin already.` : user.status === 'active' ? undefined : `${name} is disabled.`);
  return (
    <>
      <MoreMenu
        label={`More for ${name}`}
        items={[
          { label: 'Reset MFA', disabledReason: mfaReason, onPick: () => setAct('mfa') },
          { label: 'Log out everywhere', disabledReason: refusal, onPick: () => setAct('sign-out') },
          ...(user.partnerRole ? [{ label: 'Make admin', disabledReason: adminReason, onPick: () => setAct('admin') }] : []),
        ]}
      />
      {act === 'mfa' ? <ResetMfa user={user} mailed={mailed} onClose={() => setAct(undefined)} /> : null}
      {act === 'sign-out' ? <SignOut user={user} onClose={() => setAct(undefined)} /> : null}
      {act === 'admin' ? <MakeAdmin user={user} mailed={mailed} onClose={() => setAct(undefined)} /> : null}
    </>
  );
}

const REASON = {
  label: 'Reason',
  hint: 'required, recorded in the audit log',
  required: true,
  danger: true,
  rows: 2,
  maxLength: 500,
} as const;

type ActProps = { user: User; onClose: () => void };
type NotifyingProps = ActProps & { mailed: ReturnType<typeof useMailed> };

function ResetMfa({ user, mailed, onClose }: NotifyingProps) {
  return (
    <NoteDialog
      {...REASON}
      title={`Reset MFA of ${user.fullName || user.email}?`}
      action="Reset MFA"
      keep="Leave it on"
      busy="Resetting"
      placeholder="Lost phone, identity verified by phone"
      send={(reason) =>
        formApi.resetUserMfa({ params: { id: user.id }, body: { reason } }).finally(() => void refreshAfter('usersChanged'))
      }
      onSaved={() => {
        announce(`MFA reset for ${user.fullName || user.email}. ${mailed('They were notified by e-mail.', yourself('notify them'))}`);
        onClose();
      }}
      onClose={onClose}
    >
      <b>{user.email}</b> can log in with a password alone until they set up two-step login again. They are logged out everywhere
      {mailed(' and notified by e-mail')}. Verify the request came from them.
    </NoteDialog>
  );
}

function SignOut({ user, onClose }: ActProps) {
  return (
    <NoteDialog
      {...REASON}
      title={`Log ${user.fullName || user.email} out?`}
      action="Log out everywhere"
      keep="Leave them logged in"
      busy="Logging out"
      placeholder="Left a session open on a shared computer"
      send={(reason) => formApi.signOutUser({ params: { id: user.id }, body: { reason } })}
      onSaved={() => {
        announce(`${user.fullName || user.email} is logged out everywhere.`);
        onClose();
      }}
      onClose={onClose}
    >
      Every session of <b>{user.email}</b> ends now. They can log in again.
    </NoteDialog>
  );
}

function MakeAdmin({ user, mailed, onClose }: NotifyingProps) {
  const name = user.fullName || user.email;
  return (
    <NoteDialog
      {...REASON}
      title={`Make ${name} an admin?`}
      action="Make admin"
      keep="Leave as moderator"
      busy="Changing"
      placeholder="The only admin left, confirmed by phone with the owner"
      send={(reason) => formApi.makeAdmin({ params: { id: user.id }, body: { reason } }).finally(() => void refreshAfter('userDisabled'))}
      onSaved={() => {
        announce(
          `${name} is an admin of ${user.partnerName}. ${mailed('Its admins were notified by e-mail.', yourself('notify its admins'))}`,
        );
        onClose();
      }}
      onClose={onClose}
    >
      <b>{user.email}</b> can then change everything in {user.partnerName}, and is logged out. For an agency whose admins are gone: verify
      that the request came from it.
    </NoteDialog>
  );
}
