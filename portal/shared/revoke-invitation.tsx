import { useMutation } from '@tanstack/react-query';
import { api, type Reply } from '../app/api.ts';
import { refreshAfter } from '../queries/refresh.ts';
import { Button } from '../ui/controls/button.tsx';
import { announce } from '../ui/feedback/toast.tsx';
import { announceError } from './announce-error.ts';

type Props = { invitation: Pick<Reply<'revokeInvitation'>, 'id' | 'email' | 'status'>; refusal: string | undefined };

/** Revokes an invitation that can still be accepted; nothing for any other. */
export function RevokeInvitation({ invitation: { id, email, status }, refusal }: Props) {
  const revoke = useMutation({
    mutationFn: () => api.revokeInvitation({ params: { id } }),
    onSuccess: () => {
      announce(`Invitation for ${email} revoked.`);
      void refreshAfter('invitationsChanged');
    },
    onError: (error) => announceError(error),
  });
  if (status !== 'pending') return null;
  return (
    <Button size="sm" kind="danger-text" disabledReason={refusal} busy={revoke.isPending && 'Revoking'} onClick={() => revoke.mutate()}>
      Revoke
    </Button>
  );
}
