import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../app/api.ts';
import { refreshAfter } from '../../queries/refresh.ts';
import { useRefusal } from '../../app/current-user.ts';
import { useUser } from '../../app/session.ts';
import { Button } from '../../ui/controls/button.tsx';
import { ConfirmDialog } from '../../ui/overlays/dialog.tsx';
import { MoreMenu } from '../../ui/overlays/menu.tsx';
import { announce } from '../../ui/feedback/toast.tsx';
import { announceError } from '../../shared/announce-error.ts';
import type { Member } from './team-queries.ts';

type Ask = 'role' | 'remove';

/** Actions on a team member. Users cannot change their own role. */
export function MemberActions({ member }: { member: Member }) {
  const own = useUser();
  const refusal = useRefusal('team.manage');
  const [ask, setAsk] = useState<Ask>();
  const close = (): void => setAsk(undefined);
  if (member.id === own.id) return <span className="hidden text-xs text-ink-3 md:inline">You cannot change your own role</span>;
  const isAdmin = member.partnerRole === 'admin';
  const name = member.fullName || member.email;
  return (
    <>
      <span className="hidden gap-1.5 md:inline-flex">
        <Button size="sm" disabledReason={refusal} onClick={() => setAsk('role')} aria-label={`${roleAct(isAdmin)}: ${name}`}>
          {roleAct(isAdmin)}
        </Button>
        <Button size="sm" kind="danger-text" disabledReason={refusal} onClick={() => setAsk('remove')} aria-label={`Remove ${name}`}>
          Remove
        </Button>
      </span>
      <span className="md:hidden">
        <MoreMenu
          label={`Change ${name}`}
          items={[
            { label: roleAct(isAdmin), disabledReason: refusal, onPick: () => setAsk('role') },
            { label: 'Remove', danger: true, disabledReason: refusal, onPick: () => setAsk('remove') },
          ]}
        />
      </span>
      <RoleDialog member={member} name={name} open={ask === 'role'} onClose={close} />
      <RemoveDialog member={member} name={name} open={ask === 'remove'} onClose={close} />
    </>
  );
}

const roleAct = (isAdmin: boolean): string => (isAdmin ? 'Make moderator' : 'Make admin');

type DialogProps = { member: Member; name: string; open: boolean; onClose: () => void };

function RoleDialog({ member, name, open, onClose }: DialogProps) {
  const isAdmin = member.partnerRole === 'admin';
  const change = useAct(
    () => api.changeMember({ params: { userId: member.id }, body: { partnerRole: isAdmin ? 'moderator' : 'admin' } }),
    `${name} is ${isAdmin ? 'a moderator' : 'an admin'} now.`,
    onClose,
  );
  return (
    <ConfirmDialog
      open={open}
      onClose={onClose}
      title={isAdmin ? `Make ${name} a moderator?` : `Make ${name} an admin?`}
      action={roleAct(isAdmin)}
      keep="Cancel"
      busy={change.isPending && 'Changing'}
      onConfirm={() => change.mutate()}
    >
      <p>
        {isAdmin ? (
          <>
            <b>{name}</b> can still see everything but can no longer make changes.
          </>
        ) : (
          <>
            <b>{name}</b> can change everything: clients, keys, agents and the team, including your role.
          </>
        )}{' '}
        They will have to log in again.
      </p>
    </ConfirmDialog>
  );
}

function RemoveDialog({ member, name, open, onClose }: DialogProps) {
  const remove = useAct(() => api.removeMember({ params: { userId: member.id } }), `${name} removed. Their seat is free.`, onClose);
  return (
    <ConfirmDialog
      open={open}
      onClose={onClose}
      title={`Remove ${name}?`}
      action="Remove member"
      busy={remove.isPending && 'Removing'}
      onConfirm={() => remove.mutate()}
    >
      <p>
        <b>{member.email}</b> is logged out immediately and can no longer log in. Their seat becomes free, and their actions stay in the
        audit log. To return, they need a new invitation. Chatbots that mail hand-overs to this address notify everyone of the inbox
        instead.
      </p>
    </ConfirmDialog>
  );
}

/** Runs an action, announces it, closes the dialog and refetches the team in any case. */
function useAct(act: () => Promise<unknown>, done: string, onClose: () => void) {
  return useMutation({
    mutationFn: act,
    onSuccess: () => announce(done),
    onError: (error) => announceError(error),
    onSettled: () => {
      onClose();
      void refreshAfter('teamChanged');
    },
  });
}
