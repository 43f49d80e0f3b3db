import { usePrefetchQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { AgentRequest } from '../../queries/agent-requests.ts';
import { askingPartnerQuery } from '../../queries/work-queue.ts';
import { Loaded } from '../../shared/loaded.tsx';
import { SkeletonRows } from '../../ui/feedback/skeleton.tsx';
import { MissingKeysNote } from './missing-keys-note.tsx';
import { RequestPreflight } from './request-preflight.tsx';
import { RequestDetails } from './request-details.tsx';
import { StaffActions } from './staff-actions.tsx';
import { quotaOfQuery, requestQuery } from './queries.ts';

/** `isSettled`: no longer in the queue. */
type InQueue = { owner: ReactNode; isSettled: boolean; onDecided: () => void };

/** An agent request in the work queue; A approves, R rejects. */
export function QueuedRequest({ id, partnerId, ...rest }: InQueue & { id: string; partnerId: string }) {
  // Its preflight needs the last two; begun in one render, all three come in one call, which reads that begin in an effect may miss.
  usePrefetchQuery(requestQuery(id));
  usePrefetchQuery(askingPartnerQuery(partnerId));
  usePrefetchQuery(quotaOfQuery(partnerId));
  const request = useQuery(requestQuery(id));
  return (
    <Loaded query={request} skeleton={<SkeletonRows rows={5} height={34} label="Loading the request" />}>
      {(data) => <Request request={data} {...rest} />}
    </Loaded>
  );
}

const BEFORE_INSTALL: readonly AgentRequest['status'][] = ['submitted', 'approved', 'provisioning_failed'];

function Request({ request, owner, isSettled, onDecided }: InQueue & { request: AgentRequest }) {
  return (
    <RequestDetails request={request} staff="Staff">
      <StaffActions request={request} withKeys={!isSettled} aside={owner} onDecided={onDecided} />
      <MissingKeysNote request={request} />
      {request.kind === 'template' && BEFORE_INSTALL.includes(request.status) ? <RequestPreflight request={request} /> : null}
      <Link to="/admin/requests" search={{ request: request.id }} className="link justify-self-start">
        Open on board
      </Link>
    </RequestDetails>
  );
}
