import { useInfiniteQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { type AccountRef, type DeletionRequest, deletionsQuery } from '../../queries/account.ts';
import { PagedTable, rowsOf } from '../../shared/paged-table.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import { Section } from '../../ui/layout/layout.tsx';
import { formatLongDay } from '../../ui/text/format.ts';
import { DecideDeletion } from './decide-deletion.tsx';
import { PendingReactivation } from './decide-reactivation.tsx';
import { ExportsPanel } from './exports-panel.tsx';
import { PurgeSteps } from './purge-steps.tsx';
import { Quote } from './quote.tsx';
import { DELETION_COLUMNS } from './request-columns.tsx';
import { DeletionDrawer } from './request-drawer.tsx';
import { nameOf } from './words.ts';

type Props = {
  partnerId: string;
  name: string;
  isDeleted: boolean;
  /** The open request. */
  requestId: string | undefined;
  onOpen: (requestId: string | undefined) => void;
};

/** The account of an agency, for staff: what is asked, what is decided, the purge live, every request, and exports. */
export function PartnerAccount({ partnerId, name, isDeleted, requestId, onOpen }: Props) {
  const account: AccountRef = { scope: 'partner', partnerId };
  const own = useInfiniteQuery(deletionsQuery(account));
  const all = useInfiniteQuery(deletionsQuery({ partnerId }));
  const opened = rowsOf(all).find(({ id }) => id === requestId);
  const close = useCallback(() => onOpen(undefined), [onOpen]);
  return (
    <>
      <PendingReactivation account={account} />
      <Current request={rowsOf(own)[0]} />
      <Section title="Deletion requests" note="of the agency and its clients">
        <PagedTable
          list={all}
          label="Deletion requests"
          columns={DELETION_COLUMNS}
          rowKey={({ id }) => id}
          openKey={requestId}
          onOpen={({ id }) => onOpen(id)}
          expected={2}
          empty={<EmptyState title="No deletion requests">Requests to delete the agency or one of its clients appear here.</EmptyState>}
        />
      </Section>
      {isDeleted ? null : <ExportsPanel account={account} name={name} />}
      {opened ? <DeletionDrawer key={opened.id} request={opened} onClose={close} /> : null}
    </>
  );
}

/** The agency's own request while it matters: waiting, approved, or carried out. */
function Current({ request }: { request: DeletionRequest | undefined }) {
  if (!request) return null;
  const { status, purgeAfter } = request;
  if (status === 'pending')
    return (
      <div className="mb-6 grid grid-cols-1 gap-3">
        <Note tone="warn">
          <p>
            <b>
              {nameOf(request.requestedBy, 'A removed user')} requested the deletion on {formatLongDay(request.createdAt)}.
            </b>{' '}
            Nothing stops until you approve it.
          </p>
          <Quote text={request.reason} />
        </Note>
        <div className="flex flex-wrap gap-2">
          <DecideDeletion request={request} />
        </div>
      </div>
    );
  if (status === 'approved')
    return (
      <div className="mb-6 grid grid-cols-1 gap-4">
        <Note tone="warn">
          <p>
            <b>
              {request.accountName} is suspended{purgeAfter ? ` and is removed on ${formatLongDay(purgeAfter)}` : ''}.
            </b>{' '}
            Until the purge starts, an approved reactivation brings everything back.
          </p>
        </Note>
        {purgeAfter && Date.parse(purgeAfter) <= Date.now() ? <PurgeSteps requestId={request.id} /> : null}
      </div>
    );
  return status === 'completed' ? <PurgeSteps requestId={request.id} /> : null;
}
