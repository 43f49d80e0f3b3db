import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api, formApi } from '../../app/api.ts';
import { useIsViewing, useRefusal } from '../../app/current-user.ts';
import { type AccountRef, type ReactivationRequest, reactivationsQuery } from '../../queries/account.ts';
import { refreshAfter } from '../../queries/refresh.ts';
import { rejectedText, rejectionText } from '../../shared/rejection-words.ts';
import { announceError } from '../../shared/announce-error.ts';
import { useMailed } from '../../shared/mailed.ts';
import { NoteDialog } from '../../shared/note-dialog.tsx';
import { rowsOf } from '../../shared/paged-table.tsx';
import { ResumeDialog } from '../../shared/resume-dialog.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import { announce } from '../../ui/feedback/toast.tsx';
import { formatLongDay } from '../../ui/text/format.ts';
import { Quote } from './quote.tsx';
import { ARCHIVED_AGAIN, broughtBack } from './restored-words.ts';
import { notedOf } from './noted.ts';
import { nameOf } from './words.ts';

/** The waiting request to reactivate an account, with its decision. Nothing without one. */
export function PendingReactivation({ account }: { account: AccountRef }) {
  const list = useInfiniteQuery(reactivationsQuery({ ...account, status: 'pending' }));
  const [request] = rowsOf(list);
  return request ? <Waiting request={request} /> : null;
}

function Waiting({ request }: { request: ReactivationRequest }) {
  const isViewing = useIsViewing();
  return (
    <div className="mb-4 grid gap-3">
      <Note tone="warn">
        <p>
          <b>
            {nameOf(request.requestedBy, request.accountName)} asked on {formatLongDay(request.createdAt)} to have {request.accountName}{' '}
            back.
          </b>
          {request.purgeAfter ? ` Its removal, due on ${formatLongDay(request.purgeAfter)}, waits for your decision.` : ''}
          {request.restores === 'archived' ? ` ${ARCHIVED_AGAIN}` : ''}
        </p>
        <Quote text={request.message} />
      </Note>
      {isViewing ? null : (
        <div className="flex flex-wrap gap-2">
          <DecideReactivation request={request} />
        </div>
      )}
    </div>
  );
}

/** Reactivates with everything the account had, or rejects with a note. */
export function DecideReactivation({ request }: { request: ReactivationRequest }) {
  const [isRejecting, setRejecting] = useState(false);
  const [isApproving, setApproving] = useState(false);
  const refusal = useRefusal('account.manage');
  const who = notedOf(request.requestedBy);
  const mailed = useMailed();
  const approve = useMutation({
    mutationFn: () => api.approveReactivation({ params: { id: request.id }, body: {} }),
    onSuccess: () => {
      setApproving(false);
      announce(broughtBack(request.accountName, request.restores));
    },
    onError: (error) => announceError(error),
    onSettled: refresh,
  });
  return (
    <>
      <Button
        kind="primary"
        disabledReason={refusal}
        busy={approve.isPending && 'Reactivating'}
        onClick={() => (request.clientId === null ? setApproving(true) : approve.mutate())}
      >
        Reactivate
      </Button>
      {isApproving ? (
        <ResumeDialog
          partnerId={request.partnerId}
          title={`Reactivate ${request.accountName}?`}
          action="Reactivate"
          busy={approve.isPending && 'Reactivating'}
          onConfirm={() => approve.mutate()}
          onClose={() => setApproving(false)}
        />
      ) : null}
      <Button disabledReason={refusal} onClick={() => setRejecting(true)}>
        Reject with a note
      </Button>
      <NoteDialog
        open={isRejecting}
        title={`Reject the reactivation of ${request.accountName}?`}
        action="Reject reactivation"
        busy="Rejecting"
        required
        send={(note) => formApi.rejectReactivation({ params: { id: request.id }, body: { note } }).finally(refresh)}
        onSaved={() => {
          setRejecting(false);
          announce(rejectedText(request.accountName, request.purgeAfter));
        }}
        onClose={() => setRejecting(false)}
      >
        {rejectionText(request.purgeAfter)} {mailed(`${who} get your note by e-mail.`, `${who} read your note in the portal.`)} Explain why.
      </NoteDialog>
    </>
  );
}

function refresh(): void {
  void refreshAfter('accountRequestChanged');
}
