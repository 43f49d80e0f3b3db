import { Link } from '@tanstack/react-router';
import { useCallback } from 'react';
import { REQUEST_STATUS, requestsQuery, useLiveRequests } from '../../queries/agent-requests.ts';
import { plural } from '../../ui/text/format.ts';
import { useTitle } from '../../ui/hooks/use-title.ts';
import { Drawer } from '../../ui/overlays/drawer.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { PageHeader } from '../../ui/layout/layout.tsx';
import { MissingKeysNote } from './missing-keys-note.tsx';
import { type ColumnTitles, RequestBoard } from './request-board.tsx';
import { useOpenedRequest } from './queries.ts';
import { RequestDetails } from './request-details.tsx';
import { StaffActions } from './staff-actions.tsx';
import { useLoaded } from '../../app/route-data.ts';

const TITLES: ColumnTitles = {
  submitted: 'To decide',
  approved: 'Approved',
  provisioning: 'Installing',
  provisioning_failed: 'Stopped',
  suggested: 'Suggested by clients',
  done: 'Done',
};

/** Agent requests of all partners. */
export function StaffRequestsPage({ requestId, onOpen }: { requestId: string | undefined; onOpen: (id: string | undefined) => void }) {
  useTitle('Requests');
  const { requests, hasMore, hasMoreDone } = useLoaded(requestsQuery(undefined));
  useLiveRequests(undefined);
  const close = useCallback(() => onOpen(undefined), [onOpen]);
  const opened = useOpenedRequest(requests, requestId);
  const toDecide = requests.filter((request) => request.status === 'submitted').length;
  return (
    <>
      <PageHeader
        title="Requests"
        meta={
          toDecide > 0
            ? `${hasMore ? `${toDecide}+ requests` : plural(toDecide, 'request')} to decide`
            : hasMore
              ? 'None of the newest 100 to decide'
              : 'Nothing to decide'
        }
      />
      {requests.length === 0 ? (
        <EmptyState title="No requests yet">Agents that agencies request appear here, with any missing keys.</EmptyState>
      ) : null}
      {requests.length > 0 ? (
        <RequestBoard titles={TITLES} requests={requests} hasMoreDone={hasMoreDone} openId={requestId} onOpen={onOpen} showAgency />
      ) : null}
      {hasMore ? <p className="pt-3 text-ink-3">Showing the 100 newest open requests.</p> : null}
      <Drawer
        open={opened !== undefined}
        onClose={close}
        title={opened?.title ?? ''}
        meta={opened ? `${REQUEST_STATUS[opened.status].word}, for ${opened.clientName} of ${opened.partnerName}` : undefined}
      >
        {opened ? (
          <RequestDetails key={opened.id} request={opened} staff="Staff">
            <StaffActions request={opened} />
            <MissingKeysNote request={opened} />
            {opened.lastAttemptId ? (
              <Link to="/admin/partners/$partnerId/automation" params={{ partnerId: opened.partnerId }} className="link justify-self-start">
                View attempt
              </Link>
            ) : null}
          </RequestDetails>
        ) : null}
      </Drawer>
    </>
  );
}
