import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { formApi, type Reply } from '../../app/api.ts';
import { refreshAfter } from '../../queries/refresh.ts';
import type { WorkItem } from '../../queries/work-queue.ts';
import { Loaded } from '../../shared/loaded.tsx';
import { NoteDialog } from '../../shared/note-dialog.tsx';
import { SkeletonRows } from '../../ui/feedback/skeleton.tsx';
import { announce } from '../../ui/feedback/toast.tsx';
import { formatToMinute, plural } from '../../ui/text/format.ts';
import { DecisionActions, Fact, FactList, useDecision } from './decision.tsx';
import { nameReviewQuery } from './queries.ts';

type NameReview = Reply<'getNameReview'>;

function wordsOf({ name, mailsSent, waitingMails }: Reply<'approveNameReview'>): string {
  const sent = mailsSent === 0 ? '' : ` ${plural(mailsSent, 'mail')} sent.`;
  return `“${name}” is approved.${sent}${waitingMails === 0 ? '' : ` ${plural(waitingMails, 'mail waits', 'mails wait')} for another name of the agency.`}`;
}

/** A name that resembles a protected one: A approves, R rejects. */
export function NameReviewPane({ item }: { item: WorkItem }) {
  const query = useQuery(nameReviewQuery(item.itemId));
  return (
    <Loaded query={query} skeleton={<SkeletonRows rows={5} height={34} label="Loading the name" />}>
      {(review) => <Decide item={item} review={review} />}
    </Loaded>
  );
}

function Decide({ item, review }: { item: WorkItem; review: NameReview }) {
  const isPending = review.status === 'pending';
  const decision = useDecision(isPending);
  const { confirming, close, saved } = decision;
  const params = { id: review.id };
  const decided = (words: string): void => {
    saved();
    announce(words);
    void refreshAfter('nameReviewDecided');
  };
  const waiting = review.waitingMails === 0 ? 'none' : plural(review.waitingMails, 'mail');
  return (
    <>
      <DecisionActions item={item} isPending={isPending} decision={decision} outcome={`It is ${review.status}.`} />
      <FactList heading={review.clientId === null ? 'Name of an agency' : 'Name of a client'}>
        <Fact label="Name">{review.name}</Fact>
        <Fact label="Resembles">{review.resembles}</Fact>
        <Fact label="Agency">
          <Link to="/admin/partners/$partnerId" params={{ partnerId: review.partnerId }} className="link">
            {review.partnerName}
          </Link>
        </Fact>
        <Fact label="Waiting">{waiting}</Fact>
        <Fact label="Saved">{formatToMinute(review.createdAt)}</Fact>
      </FactList>
      <p className="max-w-140 text-ink-2 text-pretty">
        Mail to addresses without an account waits until you approve the name. Everything else goes on: runs, and mail to people with an
        account.
      </p>
      <NoteDialog
        open={confirming === 'approve'}
        title={`Approve the name “${review.name}”?`}
        action="Approve"
        busy="Approving"
        send={(note) => formApi.approveNameReview({ params, body: note ? { note } : {} })}
        onSaved={(approved) => decided(wordsOf(approved))}
        onClose={close}
      >
        The mail that waits for no other name is sent, and this name is not asked about again. The note is kept in the audit log.
      </NoteDialog>
      <NoteDialog
        open={confirming === 'reject'}
        title={`Reject the name “${review.name}”?`}
        action="Reject"
        busy="Rejecting"
        required
        danger
        send={(note) => formApi.rejectNameReview({ params, body: { note } })}
        onSaved={() => decided(`“${review.name}” is rejected. Mail to new addresses stays where it is.`)}
        onClose={close}
      >
        Mail to addresses without an account stays unsent. The agency gets no message about it: write to it, and approve the name later if
        it is theirs. The note is kept in the audit log.
      </NoteDialog>
    </>
  );
}
