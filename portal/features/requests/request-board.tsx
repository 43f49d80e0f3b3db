import type { OpenRequestStatus } from '@partner-portal/contract/vocabulary.ts';
import { type AgentRequest, isOpen } from '../../queries/agent-requests.ts';
import { formatAgo, joinWords } from '../../ui/text/format.ts';
import { PROVIDERS } from '../../shared/labels.ts';
import { Status } from '../../ui/feedback/badge.tsx';
import { TemplateIcon } from '../../ui/identity/icons.tsx';
import '../../ui/layout/panel.css';

/** The titles of the columns, in their order: one for each open status, and one for all that is done. */
export type ColumnTitles = Readonly<Record<OpenRequestStatus | 'done', string>>;

type Props = {
  titles: ColumnTitles;
  requests: readonly AgentRequest[];
  openId: string | undefined;
  onOpen: (id: string) => void;
  /** The column of closed requests holds the newest only. */
  hasMoreDone: boolean;
  /** Shows the partner, on a board of several partners. */
  showAgency?: boolean;
};

/** One column per state, stacked on phones. Empty columns stay, narrow. */
export function RequestBoard({ titles, requests, openId, onOpen, hasMoreDone, showAgency = false }: Props) {
  const filled = Object.entries(titles).map(([key, title]) => ({
    key,
    title,
    cards: requests.filter(({ status }) => key === (isOpen(status) ? status : 'done')),
  }));
  const widths = filled.map(({ cards }) => (cards.length > 0 ? 'minmax(158px, 1fr)' : 'minmax(80px, 0.4fr)')).join(' ');
  return (
    <div className="-mx-1 overflow-x-auto px-1 pb-2">
      <div
        className="grid gap-x-3 gap-y-5 md:[grid-template-columns:var(--columns)]"
        style={{ '--columns': widths } as React.CSSProperties}
      >
        {filled.map(({ key, title, cards }) => (
          <section key={key} aria-label={title} className={cards.length === 0 ? 'hidden md:block' : 'min-w-0'}>
            <h2 className="flex items-baseline gap-2 border-b border-line pb-2 text-sm font-medium">
              {title}
              <span className="tabular-nums font-normal text-ink-3">
                {cards.length > 0 ? `${cards.length}${key === 'done' && hasMoreDone ? '+' : ''}` : ''}
              </span>
            </h2>
            <ul className="grid grid-cols-1 gap-2 pt-2.5">
              {cards.map((request) => (
                <Card key={request.id} request={request} isOpen={request.id === openId} onOpen={onOpen} showAgency={showAgency} />
              ))}
            </ul>
          </section>
        ))}
      </div>
    </div>
  );
}

function Card({
  request,
  isOpen,
  onOpen,
  showAgency,
}: {
  request: AgentRequest;
  isOpen: boolean;
  onOpen: (id: string) => void;
  showAgency: boolean;
}) {
  const hint = hintOf(request);
  return (
    <li>
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => onOpen(request.id)}
        className={`panel w-full p-3 text-left ${isOpen ? 'border-accent-line bg-accent-wash' : 'hover:bg-hover'}`}
      >
        <span className="flex items-start gap-2.5">
          <TemplateIcon name={request.icon} />
          <span className="min-w-0 flex-1">
            <span className="block font-medium text-pretty">{request.title}</span>
            <span className="block truncate text-ink-2">{request.clientName}</span>
            {showAgency ? <span className="block truncate text-xs text-ink-3">{request.partnerName}</span> : null}
          </span>
        </span>
        <span className="mt-2 flex flex-wrap items-center justify-between gap-x-3 gap-y-1 text-xs">
          {hint}
          <span className="tabular-nums text-ink-3">{formatAgo(request.timeline.at(-1)?.at ?? request.createdAt)}</span>
        </span>
      </button>
    </li>
  );
}

/** The most important fact about a request. */
function hintOf(request: AgentRequest) {
  const { status, missingConnections, missingSettings, workflowId } = request;
  if (request.waiting && status !== 'provisioning') return <Status mark="run">Queued</Status>;
  const needs =
    missingConnections.length > 0 ? (
      <Status mark="warn" tone="warn">
        Needs {joinWords(missingConnections.map((one) => PROVIDERS[one].name))}
      </Status>
    ) : null;
  switch (status) {
    case 'provisioning':
      return (
        <Status mark="run" tone="live">
          Installing
        </Status>
      );
    case 'rejected':
    case 'cancelled':
    case 'declined':
      return <Status mark="skip">{DONE[status]}</Status>;
    case 'fulfilled':
      if (workflowId === null) return <Status mark="skip">Removed since</Status>;
      return missingSettings.length > 0 ? (
        <Status mark="warn" tone="warn">
          Installed, needs {joinWords(missingSettings.map(({ label }) => label.toLowerCase()))}
        </Status>
      ) : (
        <Status mark="ok">Installed</Status>
      );
    case 'provisioning_failed':
      return (
        needs ?? (
          <Status mark="bad" tone="bad">
            Stopped
          </Status>
        )
      );
    case 'suggested':
    case 'submitted':
    case 'approved':
      return needs ?? (request.kind === 'custom' ? <Status mark="wait">Custom agent</Status> : <Status mark="ok">Keys ready</Status>);
  }
}

const DONE = { rejected: 'Rejected', cancelled: 'Cancelled', declined: 'Declined' } as const;
