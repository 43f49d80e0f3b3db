import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../app/api.ts';
import { useIsViewing, useRefusal } from '../../app/current-user.ts';
import { useMessages } from '../../app/messages.ts';
import { useUser } from '../../app/session.ts';
import { type AccountRef, type DeletionRequest, deletionPreviewQuery, deletionsQuery } from '../../queries/account.ts';
import { refreshAfter } from '../../queries/refresh.ts';
import { announceError } from '../../shared/announce-error.ts';
import { ErrorBlock } from '../../shared/error-block.tsx';
import { useMailed } from '../../shared/mailed.ts';
import { rowsOf } from '../../shared/paged-table.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import { SkeletonBlock } from '../../ui/feedback/skeleton.tsx';
import { announce } from '../../ui/feedback/toast.tsx';
import { Section } from '../../ui/layout/layout.tsx';
import { formatLongDay } from '../../ui/text/format.ts';
import { DecideDeletion } from './decide-deletion.tsx';
import { DeletionEffect } from './deletion-effect.tsx';
import { Quote } from './quote.tsx';
import { RequestDeletionDialog } from './request-deletion.tsx';
import { RestoreClient } from './restore-client.tsx';
import { nameOf } from './words.ts';

type Props = {
  account: AccountRef;
  /** Who decides a request of this page. */
  decider: 'staff' | 'agency' | 'self';
  title: string;
  size?: 'md' | 'lg';
};

/** The deletion of an account: what it means, the request, and its decision. */
export function DeletionPanel({ account, decider, title, size = 'md' }: Props) {
  const list = useInfiniteQuery(deletionsQuery(account));
  const latest = rowsOf(list)[0];
  return (
    <Section title={title}>
      {/* After a decision the other state takes its place: said once, without moving the focus. */}
      <div aria-live="polite" className="[[data-interface=client]_&]:pt-4">
        {list.error && !list.data ? <ErrorBlock error={list.error} onRetry={() => void list.refetch()} /> : null}
        {!list.data && !list.error ? <SkeletonBlock height={88} /> : null}
        {list.data ? <State account={account} decider={decider} size={size} latest={latest} /> : null}
      </div>
    </Section>
  );
}

type StateProps = Required<Pick<Props, 'account' | 'decider' | 'size'>> & { latest: DeletionRequest | undefined };

function State({ latest, ...rest }: StateProps) {
  switch (latest?.status) {
    case 'pending':
      return <Pending request={latest} decider={rest.decider} size={rest.size} />;
    case 'approved':
      return <Approved request={latest} canRestore={rest.decider === 'self'} />;
    case 'rejected':
      return (
        <>
          <Rejected request={latest} />
          <Offer {...rest} />
        </>
      );
    case 'cancelled':
    case 'completed':
    case undefined:
      return <Offer {...rest} />;
  }
}

function Offer({ account, decider, size }: Omit<StateProps, 'latest'>) {
  const { t } = useMessages();
  const [isAsking, setAsking] = useState(false);
  const refusal = useRefusal('account.manage');
  const preview = useQuery(deletionPreviewQuery(account));
  return (
    <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
      <div className="max-w-[62ch] flex-1 basis-80">
        {preview.data ? (
          <DeletionEffect preview={preview.data} when={decider === 'self' ? 'now' : 'on_approval'} />
        ) : preview.error ? (
          <ErrorBlock error={preview.error} onRetry={() => void preview.refetch()} />
        ) : (
          <SkeletonBlock height={88} />
        )}
      </div>
      <Button size={size} kind="danger-text" disabledReason={refusal} onClick={() => setAsking(true)}>
        {t(decider === 'self' ? 'lifecycle.delete-client' : 'lifecycle.request-deletion')}
      </Button>
      {isAsking ? (
        <RequestDeletionDialog
          account={account}
          decider={decider}
          size={size}
          onClose={() => setAsking(false)}
          onDone={() => {
            setAsking(false);
            announce(t(decider === 'self' ? 'lifecycle.client-deleted' : 'lifecycle.deletion-requested'));
          }}
        />
      ) : null}
    </div>
  );
}

const UNTIL = { staff: 'lifecycle.until-team', agency: 'lifecycle.until-agency', self: 'lifecycle.until-you' } as const;

/** A request that waits: the own one can be withdrawn; the side that decides approves or rejects it. */
function Pending({ request, decider, size }: { request: DeletionRequest; decider: Props['decider']; size: 'md' | 'lg' }) {
  const { t } = useMessages();
  const mailed = useMailed();
  const user = useUser();
  const isViewing = useIsViewing();
  const isMailed = useRefusal('account.manage') === undefined;
  const isOwn = request.requestedBy?.id === user.id;
  const day = formatLongDay(request.createdAt);
  const name = nameOf(request.requestedBy, t('lifecycle.someone'));
  return (
    <div className="grid gap-3">
      <Note tone="warn">
        <p>
          <b>{isOwn ? t('lifecycle.you-requested', { day }) : t('lifecycle.someone-requested', { name, day })}</b>{' '}
          {t(UNTIL[decider], { agency: user.partner.name })} {decider === 'self' || !isMailed ? null : mailed(t('lifecycle.mailed-then'))}
        </p>
        <Quote text={request.reason} />
      </Note>
      {isViewing ? null : (
        <div className="flex flex-wrap gap-2">
          {decider === 'self' ? <DecideDeletion request={request} /> : null}
          {decider !== 'self' || isOwn ? <Withdraw request={request} size={size} /> : null}
        </div>
      )}
    </div>
  );
}

function Withdraw({ request, size }: { request: DeletionRequest; size: 'md' | 'lg' }) {
  const { t } = useMessages();
  const refusal = useRefusal('account.manage');
  const withdraw = useMutation({
    mutationFn: () => api.cancelDeletion({ params: { id: request.id } }),
    onSuccess: () => announce(t('lifecycle.withdrawn')),
    onError: (error) => announceError(error),
    onSettled: () => void refreshAfter('accountRequestChanged'),
  });
  return (
    <Button size={size} disabledReason={refusal} busy={withdraw.isPending && t('lifecycle.withdrawing')} onClick={() => withdraw.mutate()}>
      {t('lifecycle.withdraw')}
    </Button>
  );
}

function Approved({ request, canRestore }: { request: DeletionRequest; canRestore: boolean }) {
  const { purgeAfter, decidedBy, decidedAt, accountName, decisionNote, scope } = request;
  const { t } = useMessages();
  const isViewing = useIsViewing();
  const name = nameOf(decidedBy, t('lifecycle.our-team'));
  return (
    <div className="grid gap-3">
      <Note tone="warn">
        <p>
          <b>
            {t('lifecycle.account-suspended', { account: accountName })}{' '}
            {purgeAfter ? t('lifecycle.removed-on', { day: formatLongDay(purgeAfter) }) : ''}
          </b>{' '}
          {decidedAt ? `${t('lifecycle.approved-by', { name, day: formatLongDay(decidedAt) })} ` : ''}
          {scope === 'client' ? t('lifecycle.users-can-return') : ''}
        </p>
        {decisionNote ? <Quote text={decisionNote} /> : null}
      </Note>
      {canRestore && !isViewing ? <RestoreClient request={request} /> : null}
    </div>
  );
}

function Rejected({ request }: { request: DeletionRequest }) {
  const { t } = useMessages();
  const day = formatLongDay(request.createdAt);
  const name = nameOf(request.decidedBy, t('lifecycle.removed-user'));
  return (
    <div className="mb-4">
      <Note tone="warn">
        <p>
          <b>{request.decidedBy ? t('lifecycle.deletion-rejected-by', { day, name }) : t('lifecycle.deletion-rejected', { day })}</b>
        </p>
        {request.decisionNote ? <Quote text={request.decisionNote} /> : null}
      </Note>
    </div>
  );
}
