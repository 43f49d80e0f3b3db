import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, formApi } from '../../app/api.ts';
import { codeOf } from '../../app/errors.ts';
import { useRefusal } from '../../app/current-user.ts';
import { type DeletionRequest, deletionPreviewQuery } from '../../queries/account.ts';
import { refreshAfter } from '../../queries/refresh.ts';
import { announceError } from '../../shared/announce-error.ts';
import { Loaded } from '../../shared/loaded.tsx';
import { useMailed } from '../../shared/mailed.ts';
import { NoteDialog } from '../../shared/note-dialog.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { SkeletonBlock } from '../../ui/feedback/skeleton.tsx';
import { announce } from '../../ui/feedback/toast.tsx';
import { ConfirmDialog } from '../../ui/overlays/dialog.tsx';
import { DeletionEffect } from './deletion-effect.tsx';
import { notedOf } from './noted.ts';

type Props = { request: DeletionRequest };

/** Approves or rejects a deletion. Approving shows what stops, and needs the name typed. */
export function DecideDeletion({ request }: Props) {
  const [asking, setAsking] = useState<'approve' | 'reject'>();
  const refusal = useRefusal('account.manage');
  const close = (): void => setAsking(undefined);
  const who = notedOf(request.requestedBy);
  const mailed = useMailed();
  return (
    <>
      <Button kind="danger-text" disabledReason={refusal} onClick={() => setAsking('approve')}>
        Approve deletion
      </Button>
      <Button disabledReason={refusal} onClick={() => setAsking('reject')}>
        Reject with a note
      </Button>
      {asking === 'approve' ? <ApproveDialog request={request} onClose={close} /> : null}
      <NoteDialog
        open={asking === 'reject'}
        title={`Keep ${request.accountName}?`}
        action="Reject deletion"
        busy="Rejecting"
        required
        send={(note) => formApi.rejectDeletion({ params: { id: request.id }, body: { note } }).finally(refresh)}
        onSaved={() => {
          close();
          announce(`Rejected. ${request.accountName} stays as it is.`);
        }}
        onClose={close}
      >
        {mailed(`${who} get your note by e-mail.`, `${who} read your note in the portal.`)} Explain why.
      </NoteDialog>
    </>
  );
}

function ApproveDialog({ request, onClose }: Props & { onClose: () => void }) {
  const { id, scope, partnerId, clientId, accountName } = request;
  const isStaff = useRefusal('partners.manage') === undefined;
  const preview = useQuery({
    ...deletionPreviewQuery({ scope, ...(isStaff ? { partnerId } : {}), ...(clientId ? { clientId } : {}) }),
    staleTime: 0,
  });
  const approve = useMutation({
    mutationFn: () => api.approveDeletion({ params: { id }, body: {} }),
    onSuccess: () => {
      onClose();
      announce(`${accountName} is suspended and will be deleted.`);
    },
    onError: (error) => {
      if (codeOf(error) === 'invalid_state') onClose();
      announceError(error);
    },
    onSettled: refresh,
  });
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`Delete ${accountName}?`}
      typed={accountName}
      action="Approve deletion"
      keep="Back"
      busy={approve.isPending && 'Approving'}
      onConfirm={() => approve.mutate()}
    >
      <Loaded query={preview} skeleton={<SkeletonBlock height={88} />}>
        {(found) => <DeletionEffect preview={found} when="now" />}
      </Loaded>
    </ConfirmDialog>
  );
}

function refresh(): void {
  void refreshAfter('accountRequestChanged');
}
