import { shownSetupError } from '@partner-portal/core/provisioning/missing-credential.ts';
import type { ReactNode } from 'react';
import type { AgentRequest } from '../../queries/agent-requests.ts';
import { KeyValues } from '../../ui/layout/layout.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import { RequestTimeline } from './request-timeline.tsx';
import '../../ui/layout/section-header.css';

/** A request's error, decision note, message, settings and history. */
export function RequestDetails({ request, staff, children }: { request: AgentRequest; staff: string; children?: ReactNode }) {
  const settings = Object.entries(request.config);
  return (
    <div className="grid grid-cols-1 gap-6">
      {/* Keys that are missing are the cause, which is said by itself. */}
      {request.status === 'provisioning_failed' && request.failureMessage && request.missingConnections.length === 0 ? (
        <Note tone="warn">{shownSetupError(request.failureMessage)}</Note>
      ) : null}
      {request.decisionNote ? (
        <Note tone={request.status === 'rejected' || request.status === 'declined' ? 'bad' : 'ok'}>
          <b>{request.status === 'declined' ? 'Response' : staff}:</b> <span className="whitespace-pre-wrap">{request.decisionNote}</span>
        </Note>
      ) : null}
      {children}
      {request.description ? (
        <section>
          <h3 className="mb-2 text-sm">From {request.requestedByName ?? request.clientName}</h3>
          <blockquote className="max-w-140 border-l-2 border-line py-0.5 pl-3.5 text-base whitespace-pre-wrap text-ink-2 text-pretty">
            {request.description}
          </blockquote>
        </section>
      ) : null}
      <KeyValues
        rows={[
          ['Requested by', request.requestedByName ?? (request.origin === 'client' ? request.clientName : '–')],
          ['For', request.clientName],
          ['Kind', request.kind === 'custom' ? 'custom agent' : 'from the catalog'],
          ...settings.map(([key, value]) => [key, typeof value === 'string' ? value : JSON.stringify(value)] as const),
        ]}
      />
      <section>
        <div className="section-header">
          <h3>History</h3>
        </div>
        <RequestTimeline entries={request.timeline} staff={staff} />
      </section>
    </div>
  );
}
