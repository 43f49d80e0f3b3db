import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { formApi } from '../../app/api.ts';
import { useRefusal } from '../../app/current-user.ts';
import { type DeletionRequest, reactivationsQuery } from '../../queries/account.ts';
import { refreshAfter } from '../../queries/refresh.ts';
import { NoteDialog } from '../../shared/note-dialog.tsx';
import { rowsOf } from '../../shared/paged-table.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { announce } from '../../ui/feedback/toast.tsx';
import { ARCHIVED_AGAIN, broughtBack } from './restored-words.ts';

/** Brings back a client whose deletion the agency approved: both sides of the decision are the agency's, so one dialog is enough. */
export function RestoreClient({ request }: { request: DeletionRequest }) {
  const { accountName, previousStatus } = request;
  const clientId = request.clientId ?? undefined;
  const [isAsking, setAsking] = useState(false);
  const refusal = useRefusal('account.manage');
  const pending = rowsOf(useInfiniteQuery(reactivationsQuery({ scope: 'client', clientId, status: 'pending' })));
  // A request of the client waits above, with its own buttons.
  if (pending.length > 0) return null;
  const restore = async (message: string): Promise<void> => {
    const { id } = await formApi.requestReactivation({ body: { message, clientId } });
    await formApi.approveReactivation({ params: { id }, body: {} });
  };
  return (
    <div>
      <Button disabledReason={refusal} onClick={() => setAsking(true)}>
        Keep this client
      </Button>
      <NoteDialog
        open={isAsking}
        title={`Keep ${accountName}?`}
        label="Reason"
        hint="required, kept with the request"
        required
        action="Reactivate"
        busy="Reactivating"
        send={(message) => restore(message).finally(() => void refreshAfter('accountRequestChanged'))}
        onSaved={() => {
          setAsking(false);
          announce(broughtBack(accountName, previousStatus));
        }}
        onClose={() => setAsking(false)}
      >
        The deletion is withdrawn.{' '}
        {previousStatus === 'archived' ? ARCHIVED_AGAIN : 'Agents, schedules and webhooks continue as they were.'}
      </NoteDialog>
    </div>
  );
}
