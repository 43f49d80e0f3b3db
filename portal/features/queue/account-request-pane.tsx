import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { formApi, type Reply } from '../../app/api.ts';
import { useMessages } from '../../app/messages.ts';
import { refreshAfter } from '../../queries/refresh.ts';
import type { WorkItem } from '../../queries/work-queue.ts';
import { stopsText } from '../../shared/account-words.ts';
import { rejectedText, rejectionText } from '../../shared/rejection-words.ts';
import { Loaded } from '../../shared/loaded.tsx';
import { useMailed } from '../../shared/mailed.ts';
import { NoteDialog } from '../../shared/note-dialog.tsx';
import { Resumption } from '../../shared/resume-dialog.tsx';
import { SkeletonRows } from '../../ui/feedback/skeleton.tsx';
import { announce } from '../../ui/feedback/toast.tsx';
import { formatLongDay, formatToMinute, formatNumber } from '../../ui/text/format.ts';
import { DecisionActions, Fact, FactList, QuotedText, useDecision } from './decision.tsx';
import { deletionRequestQuery, reactivationRequestQuery } from './queries.ts';

type Deletion = Reply<'getDeletionRequest'>;
type Reactivation = Reply<'listReactivationRequests'>['data'][number];
type Preview = Reply<'previewDeletion'>;

/** A request to delete an agency: A approves, R rejects. */
export function DeletionPane({ item }: { item: WorkItem }) {
  const { t } = useMessages();
  const query = useQuery(deletionRequestQuery(item.itemId));
  return (
    <Loaded query={query} skeleton={<SkeletonRows rows={5} height={34} label="Loading the request" />}>
      {({ request, preview }) => (
        <Decide
          item={item}
          isPending={request.status === 'pending'}
          noun="deletion"
          what={`the deletion of ${request.accountName}`}
          consequence={
            preview ? (
              <>
                <b className="text-ink">{stopsText(t, preview, 'now')}</b>{' '}
                <b className="text-ink">Everything is removed on {formatLongDay(preview.purgeAfter)}</b>, unless a reactivation is requested
                before that and then approved.
              </>
            ) : (
              'The account is suspended now and removed later.'
            )
          }
          danger
          typed={request.accountName}
          approve={(note) => formApi.approveDeletion({ params: { id: request.id }, body: note ? { note } : {} })}
          reject={(note) => formApi.rejectDeletion({ params: { id: request.id }, body: { note } })}
        >
          <Request request={request} text={request.reason} heading="Reason">
            {preview ? (
              <>
                <Fact label="Clients">{countText(preview.clients)}</Fact>
                <Fact label="Agents">{agentsText(preview)}</Fact>
                <Fact label="Users">{countText(preview.users)}</Fact>
                <Fact label="Files">{countText(preview.files)}</Fact>
                <Fact label="Removal">{formatLongDay(preview.purgeAfter)}, if approved today</Fact>
              </>
            ) : null}
          </Request>
        </Decide>
      )}
    </Loaded>
  );
}

/** A request to reactivate a suspended agency: A approves, R rejects. */
export function ReactivationPane({ item }: { item: WorkItem }) {
  const query = useQuery(reactivationRequestQuery(item.itemId, item.partnerId ?? ''));
  return (
    <Loaded query={query} skeleton={<SkeletonRows rows={5} height={34} label="Loading the request" />}>
      {({ request, deletion }) => (
        <Decide
          item={item}
          isPending={request !== null}
          noun="reactivation"
          what={`the reactivation of ${item.partnerName ?? 'this agency'}`}
          consequence={
            deletion
              ? 'Everything runs again as before, and the approved deletion is cancelled.'
              : 'Agents accept events and schedules run again as before.'
          }
          rejection={rejectionText(deletion?.purgeAfter ?? null)}
          rejected={rejectedText(item.partnerName ?? 'This agency', deletion?.purgeAfter ?? null)}
          more={item.partnerId === null ? undefined : <Resumption partnerId={item.partnerId} />}
          approve={(note) => formApi.approveReactivation({ params: { id: item.itemId }, body: note ? { note } : {} })}
          reject={(note) => formApi.rejectReactivation({ params: { id: item.itemId }, body: { note } })}
        >
          {request ? (
            <Request request={request} text={request.message} heading="Message">
              {deletion?.purgeAfter ? (
                <Fact label="Removal">due on {formatLongDay(deletion.purgeAfter)}; waits for this decision</Fact>
              ) : null}
            </Request>
          ) : null}
        </Decide>
      )}
    </Loaded>
  );
}

type DecideProps = {
  item: WorkItem;
  isPending: boolean;
  /** "the deletion of Acme". */
  what: string;
  consequence: ReactNode;
  /** What a rejection starts or leaves in place. */
  rejection?: string;
  /** Says instead of "… is rejected" what became of the account. */
  rejected?: string;
  /** What the approval begins and charges. */
  more?: ReactNode;
  /** Noun in the labels of the dialog's buttons. */
  noun: 'deletion' | 'reactivation';
  danger?: boolean;
  /** Deletions only: the name to type for approval. */
  typed?: string;
  approve: (note: string) => Promise<unknown>;
  reject: (note: string) => Promise<unknown>;
  children: ReactNode;
};

function Decide(props: DecideProps) {
  const { item, isPending, what, consequence, rejection, rejected, more, noun, danger = false, typed, approve, reject, children } = props;
  const decision = useDecision(isPending);
  const { confirming, close, saved } = decision;
  const mailed = useMailed();
  const subject = what.charAt(0).toUpperCase() + what.slice(1);
  const decided = (result: string) => (): void => {
    saved();
    announce(`${result} ${mailed('The agency gets an e-mail.', 'The agency sees it in the portal.')}`);
    void refreshAfter('accountRequestDecided');
  };
  return (
    <>
      <DecisionActions item={item} isPending={isPending} decision={decision} />
      {children}
      <NoteDialog
        open={confirming === 'approve'}
        title={`Approve ${what}?`}
        action={`Approve ${noun}`}
        busy="Approving"
        more={more}
        danger={danger}
        typed={typed}
        send={approve}
        onSaved={decided(`${subject} is approved.`)}
        onClose={close}
      >
        {consequence}
      </NoteDialog>
      <NoteDialog
        open={confirming === 'reject'}
        title={`Reject ${what}?`}
        action={`Reject ${noun}`}
        busy="Rejecting"
        required
        rows={4}
        send={reject}
        onSaved={decided(rejected ?? `${subject} is rejected.`)}
        onClose={close}
      >
        {rejection} {mailed('The admins of the agency get your note by e-mail.', 'The admins of the agency read your note in the portal.')}{' '}
        Explain why, and what would help.
      </NoteDialog>
    </>
  );
}

type RequestProps = { request: Deletion | Reactivation; text: string; heading: string; children: ReactNode };

function Request({ request, text, heading, children }: RequestProps) {
  const { partnerId, partnerName, requestedBy, createdAt } = request;
  return (
    <>
      <FactList heading="Request">
        <Fact label="Agency">
          <Link to="/admin/partners/$partnerId" params={{ partnerId }} className="link">
            {partnerName}
          </Link>
        </Fact>
        <Fact label="Requested by">{requestedBy?.name ?? 'Removed user'}</Fact>
        {requestedBy?.email ? <Fact label="E-mail">{requestedBy.email}</Fact> : null}
        <Fact label="Sent">{formatToMinute(createdAt)}</Fact>
        {children}
      </FactList>
      <QuotedText heading={heading}>{text}</QuotedText>
    </>
  );
}

/** "14, 12 running". */
function agentsText({ agents, runningAgents }: Preview): string {
  if (agents === 0 || runningAgents === 0) return agents === 0 ? 'None' : `${formatNumber(agents)}, none running`;
  return `${formatNumber(agents)}, ${formatNumber(runningAgents)} running`;
}

function countText(count: number): string {
  return count === 0 ? 'None' : formatNumber(count);
}
