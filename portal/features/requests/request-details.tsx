import type { ReactNode } from 'react';
import type { AgentRequest } from '../../queries/agent-requests.ts';
import { KeyValues } from '../../ui/layout/layout.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import { RequestTimeline } from './request-timeline.tsx';

/** What a request says: the reason when it stopped, the decision's note, the wish, its settings and its way so far. */
export function RequestDetails({ request, staff, children }: { request: AgentRequest; staff: string; children?: ReactNode }) {
  const settings = Object.entries(request.config);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
      {request.status === 'provisioning_failed' && request.failureMessage ? <Note tone="warn">{request.failureMessage}</Note> : null}
      {request.decisionNote ? (
        <Note tone={request.status === 'rejected' || request.status === 'declined' ? 'bad' : 'ok'}>
          <b>{request.status === 'declined' ? 'The answer' : staff}:</b> <span className="whitespace-pre-wrap">{request.decisionNote}</span>
        </Note>
      ) : null}
      {children}
      {request.description ? <p className="break-words whitespace-pre-wrap text-ink-2">{request.description}</p> : null}
      <KeyValues
        rows={[
          ['Asked by', request.requestedByName ?? (request.origin === 'client' ? request.clientName : '–')],
          ['For', request.clientName],
          ['Kind', request.kind === 'custom' ? 'made to order' : 'from the catalog'],
          ...settings.map(([key, value]) => [key, typeof value === 'string' ? value : JSON.stringify(value)] as const),
        ]}
      />
      <section>
        <div className="section-head">
          <h3>How it went</h3>
        </div>
        <RequestTimeline entries={request.timeline} staff={staff} />
      </section>
    </div>
  );
}
