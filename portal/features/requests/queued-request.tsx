import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { AgentRequest } from '../../queries/agent-requests.ts';
import { api } from '../../app/api.ts';
import { joinWords } from '../../ui/text/format.ts';
import { PROVIDERS } from '../../shared/labels.ts';
import { Loaded } from '../../shared/loaded.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import { SkeletonRows } from '../../ui/feedback/skeleton.tsx';
import { RequestPreflight } from './request-preflight.tsx';
import { RequestDetails } from './request-details.tsx';
import { StaffActions } from './staff-actions.tsx';
import { keys } from '../../queries/keys.ts';

/** An agent request in the work queue; A approves, R rejects. */
export function QueuedRequest({ id, owner }: { id: string; owner: ReactNode }) {
  const request = useQuery({
    queryKey: keys.agentRequests.one(id),
    queryFn: ({ signal }) => api.getAgentRequest({ params: { id }, signal }),
  });
  return (
    <Loaded query={request} skeleton={<SkeletonRows rows={5} height={34} label="Loading the request" />}>
      {(data) => <Request request={data} owner={owner} />}
    </Loaded>
  );
}

const BEFORE_INSTALL: readonly AgentRequest['status'][] = ['submitted', 'approved', 'provisioning_failed'];

function Request({ request, owner }: { request: AgentRequest; owner: ReactNode }) {
  return (
    <RequestDetails request={request} staff="Staff">
      <StaffActions request={request} withKeys aside={owner} />
      {request.missingConnections.length > 0 ? (
        <Note tone="warn">
          The agency has not saved a key for {joinWords(request.missingConnections.map((one) => PROVIDERS[one].name))}. If you approve it
          now, the installation stops and resumes once the key is saved.
        </Note>
      ) : null}
      {request.kind === 'template' && BEFORE_INSTALL.includes(request.status) ? <RequestPreflight request={request} /> : null}
      <Link to="/admin/requests" search={{ request: request.id }} className="link justify-self-start">
        Open on board
      </Link>
    </RequestDetails>
  );
}
