import { type AgentRequestTrigger, nextAgentRequestStatus } from '@partner-portal/core/provisioning/agent-request.ts';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useCallback, useDeferredValue, useState } from 'react';
import { type AgentRequest, isOpen, REQUEST_STATUS, requestsQuery, useLiveRequests } from '../../queries/agent-requests.ts';
import { api, formApi } from '../../app/api.ts';
import { plural } from '../../ui/text/format.ts';
import { useRefusal } from '../../app/current-user.ts';
import { useUser } from '../../app/session.ts';
import { useTitle } from '../../ui/hooks/use-title.ts';
import { Button, buttonClass } from '../../ui/controls/button.tsx';
import { Drawer } from '../../ui/overlays/drawer.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { PageHeader } from '../../ui/layout/layout.tsx';
import { announce } from '../../ui/feedback/toast.tsx';
import { announceError } from '../../shared/announce-error.ts';
import { SavedFilters } from '../../shared/saved-filters.tsx';
import { type KeyFormOf, MissingKeys } from './missing-keys.tsx';
import { NoteDialog } from '../../shared/note-dialog.tsx';
import { type ColumnTitles, RequestBoard } from './request-board.tsx';
import { RequestButton } from './request-button.tsx';
import { RequestDetails } from './request-details.tsx';
import { TextSuggestions } from './text-suggestions.tsx';
import { useOpenedRequest } from './queries.ts';
import { refreshAfter } from '../../queries/refresh.ts';
import { useLoaded } from '../../app/route-data.ts';

const TITLES: ColumnTitles = {
  suggested: 'Suggested by clients',
  submitted: 'Submitted',
  approved: 'Approved',
  provisioning: 'Installing',
  provisioning_failed: 'Needs action',
  done: 'Done',
};
const STAFF = 'Platform team';

type Props = { clientId: string | undefined; requestId: string | undefined; onOpen: (id: string | undefined) => void; keyForm: KeyFormOf };

/** All agent requests of the partner, from suggestion to installed agent. */
export function AgencyRequestsPage({ clientId, requestId, onOpen, keyForm }: Props) {
  const user = useUser();
  useTitle('Requests', user.partner.name);
  const { requests, hasMore, hasMoreDone } = useLoaded(requestsQuery(useDeferredValue(clientId)));
  useLiveRequests(clientId);
  const close = useCallback(() => onOpen(undefined), [onOpen]);
  const opened = useOpenedRequest(requests, requestId);
  const open = requests.filter(({ status }) => isOpen(status)).length;
  return (
    <>
      <PageHeader
        title="Requests"
        meta={open > 0 ? (hasMore ? `${open}+ open requests` : plural(open, 'open request')) : 'No open requests'}
        actions={
          <>
            <SavedFilters table="requests" keys={['client']} />
            <RequestButton kind="primary" clientId={clientId} />
          </>
        }
      />
      <TextSuggestions clientId={clientId} />
      {requests.length === 0 ? (
        <EmptyState
          title="No requests yet"
          actions={
            <Link to="/dashboard/catalog" className={buttonClass()}>
              Browse the catalog
            </Link>
          }
        >
          Agents you request appear here and move from column to column until they are installed. Suggestions from your clients arrive here
          too.
        </EmptyState>
      ) : null}
      {requests.length > 0 ? (
        <RequestBoard titles={TITLES} requests={requests} hasMoreDone={hasMoreDone} openId={requestId} onOpen={onOpen} />
      ) : null}
      {hasMore ? <p className="pt-3 text-ink-3">Showing the 100 newest open requests. Choose a client to see the rest.</p> : null}
      <Drawer
        open={opened !== undefined}
        onClose={close}
        title={opened?.title ?? ''}
        meta={opened ? `${REQUEST_STATUS[opened.status].word}, for ${opened.clientName}` : undefined}
      >
        {opened ? (
          <RequestDetails key={opened.id} request={opened} staff={STAFF}>
            <Acts request={opened} />
            <MissingKeys request={opened} keyForm={keyForm} />
          </RequestDetails>
        ) : null}
      </Drawer>
    </>
  );
}

/** The partner's actions for the request's state, if any. */
function Acts({ request }: { request: AgentRequest }): ReactNode {
  const [isDeclining, setDeclining] = useState(false);
  const refusal = useRefusal('requests.create');
  const params = { id: request.id };
  const act = useMutation({
    mutationFn: (verb: 'submit' | 'cancel') =>
      verb === 'submit' ? api.submitAgentRequest({ params }) : api.cancelAgentRequest({ params }),
    onSuccess: (_record, verb) => announce(verb === 'submit' ? 'Request submitted.' : 'Request cancelled.'),
    onError: (error) => announceError(error),
    onSettled: () => void refreshAfter('agentRequestChanged'),
  });
  const may = (trigger: AgentRequestTrigger): boolean => nextAgentRequestStatus(request.kind, request.status, trigger) !== null;
  if (request.status === 'fulfilled' && request.workflowId)
    return (
      <Link to="/dashboard/agents/$id" params={{ id: request.workflowId }} className={buttonClass('default', 'md', 'justify-self-start')}>
        Open agent
      </Link>
    );
  if (may('cancel'))
    return (
      <div>
        <Button disabledReason={refusal} busy={act.isPending && 'Cancelling'} onClick={() => act.mutate('cancel')}>
          Cancel request
        </Button>
      </div>
    );
  if (!may('submit')) return null;
  return (
    <div className="flex flex-wrap gap-2">
      <Button kind="primary" disabledReason={refusal} busy={act.isPending && 'Submitting'} onClick={() => act.mutate('submit')}>
        Submit request
      </Button>
      <Button disabledReason={refusal} onClick={() => setDeclining(true)}>
        Decline
      </Button>
      <NoteDialog
        open={isDeclining}
        title={`Decline “${request.title}”?`}
        action="Decline"
        busy="Declining"
        send={(note) =>
          formApi.declineAgentRequest({ params, body: note ? { note } : {} }).finally(() => void refreshAfter('agentRequestChanged'))
        }
        onSaved={() => {
          setDeclining(false);
          announce('Suggestion declined.');
        }}
        onClose={() => setDeclining(false)}
      >
        {request.clientName} sees your note.
      </NoteDialog>
    </div>
  );
}
