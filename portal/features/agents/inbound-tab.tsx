import { KEPT_DAYS } from '@partner-portal/core/trust/retention.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useCallback } from 'react';
import { formatMoment, joinWords, plural } from '../../ui/text/format.ts';
import type { Reply } from '../../app/api.ts';
import { useChangeSearch } from '../../app/search-state.ts';
import { Status } from '../../ui/feedback/badge.tsx';
import { buttonClass } from '../../ui/controls/button.tsx';
import { CodeBlock } from '../../ui/text/code-block.tsx';
import { Drawer } from '../../ui/overlays/drawer.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { KeyValues } from '../../ui/layout/layout.tsx';
import { Segmented } from '../../ui/controls/segmented.tsx';
import { PagedTable, rowsOf } from '../../shared/paged-table.tsx';
import { understoodLine, UnderstoodTable } from '../../shared/understood.tsx';
import type { Column } from '../../ui/table/table.tsx';
import { Time } from '../../ui/text/time.tsx';
import { type Agent, inboundQuery, type Workflow } from '../../queries/agents.ts';
import { readRefused } from './refused-event.ts';
import { SendTest } from './send-test.tsx';
import '../../ui/table/table.css';

type Inbound = Reply<'listInboundEvents'>['data'][number];
type Outcome = 'accepted' | 'refused';

type Props = { agent: Agent; workflow: Workflow; outcome: Outcome | undefined; openId: string | undefined };

/** Every call to the ingest URL, accepted or refused, with the reason. */
export function InboundTab({ agent, workflow, outcome, openId }: Props) {
  const list = useInfiniteQuery(inboundQuery(agent.id, outcome));
  const onSearch = useChangeSearch<{ outcome?: Outcome; event?: string }>('/dashboard/agents/$id');
  const close = useCallback(() => onSearch({ event: undefined }), [onSearch]);
  const shown = rowsOf(list).find((row) => row.id === openId);
  return (
    <>
      <div className="mb-3 flex flex-wrap items-center gap-3">
        <Segmented
          label="Outcome"
          value={outcome ?? 'all'}
          onChange={(value) => onSearch({ outcome: value === 'all' ? undefined : value, event: undefined })}
          options={[
            { value: 'all', label: 'All' },
            { value: 'accepted', label: 'Accepted' },
            { value: 'refused', label: 'Refused' },
          ]}
        />
        <p className="text-ink-3">Kept for {KEPT_DAYS.incoming_calls} days.</p>
      </div>
      <PagedTable
        list={list}
        empty={
          <EmptyState
            title={outcome ? `No ${outcome} events` : 'No events yet'}
            actions={
              <Link
                to="/dashboard/agents/$id"
                params={{ id: agent.id }}
                search={{ tab: 'connect' }}
                className={buttonClass('default', 'sm')}
              >
                How to connect
              </Link>
            }
          >
            Each call with the token of this agent’s ingest URL appears here, with the reason if it was refused. A sender that gets 401 has
            an old or incomplete URL: copy it again. Send an event to try it.
          </EmptyState>
        }
        label="Inbound events"
        columns={COLUMNS}
        rowKey={(row) => row.id}
        openKey={openId}
        onOpen={(row) => onSearch({ event: row.id })}
        dense
      />
      <Drawer
        open={shown !== undefined}
        onClose={close}
        title={shown?.outcome === 'refused' ? 'Refused event' : 'Accepted event'}
        meta={shown ? formatMoment(shown.receivedAt) : undefined}
      >
        {shown ? <EventBody event={shown} agent={agent} workflow={workflow} /> : null}
      </Drawer>
    </>
  );
}

const COLUMNS: Column<Inbound>[] = [
  { key: 'outcome', head: 'Outcome', cell: (row) => <OutcomeCell row={row} /> },
  {
    key: 'what',
    head: 'Body',
    lead: true,
    cell: (row) => (
      <>
        <code title={row.bodyPreview ?? ''}>{row.bodyPreview ?? '–'}</code>
        <span className="table-second-line table-phone-line">{understoodOf(row) ?? reasonOf(row)}</span>
      </>
    ),
  },
  {
    key: 'reason',
    head: 'Reason',
    hide: 'phone',
    cell: (row) => (
      <>
        <span className={row.outcome === 'refused' ? 'text-bad' : 'text-ink-3'}>{reasonOf(row)}</span>
        {understoodOf(row) ? <span className="table-second-line">{understoodOf(row)}</span> : null}
      </>
    ),
  },
  { key: 'sender', head: 'Sender', hide: 'phone', cell: (row) => <code className="text-ink-2">{row.senderAddress ?? '–'}</code> },
  {
    key: 'run',
    head: 'Run',
    hide: 'phone',
    cell: (row) =>
      row.executionId ? (
        <Link className="link" to="/dashboard/runs/$id" params={{ id: row.executionId }}>
          Open the run
        </Link>
      ) : (
        <span className="text-ink-3">–</span>
      ),
  },
  { key: 'at', head: 'Received', align: 'end', cell: (row) => <Time iso={row.receivedAt} className="text-ink-2" /> },
];

function OutcomeCell({ row }: { row: Inbound }) {
  return row.outcome === 'accepted' ? (
    <Status mark="ok">{row.status}</Status>
  ) : (
    <Status mark="bad" tone="bad">
      {row.status}
    </Status>
  );
}

const REASONS: Record<string, string> = {
  workflow_inactive: 'Agent was off',
  quota_exceeded: 'No credits left',
  missing_input: 'Missing value',
  invalid_input: 'A value cannot be understood',
  rate_limited: 'Too many requests',
  failures_exceeded: 'Too many failed runs today',
  account_suspended: 'Account suspended',
  malformed_json: 'Invalid JSON',
  too_large: 'Too large',
  unsupported_media_type: 'Unsupported media type',
  validation_failed: 'Invalid value',
};

function reasonOf(row: Inbound): string {
  if (row.outcome === 'accepted') return row.reason ?? 'Accepted';
  return row.reason ? (REASONS[row.reason] ?? row.reason.replaceAll('_', ' ')) : 'Refused';
}

/** "Start time: 9:30 in Chicago", and how much more was understood as another value than came. */
function understoodOf({ understood, remarks }: Inbound): string | undefined {
  const [first, ...others] = [...understood.map(understoodLine), ...remarks];
  if (first === undefined) return undefined;
  return others.length === 0 ? first : `${first}, and ${plural(others.length, 'more remark')}`;
}

/** Refused for its values or for a state that has passed: with good values it can run now. */
const CAN_RUN_NOW = ['missing_input', 'invalid_input', 'workflow_inactive', 'quota_exceeded', 'rate_limited', 'failures_exceeded'];

function EventBody({ event, agent, workflow }: { event: Inbound; agent: Agent; workflow: Workflow }) {
  const refused = event.outcome === 'refused' ? readRefused(event.bodyPreview, workflow.inputs ?? []) : undefined;
  const missing = event.reason === 'missing_input' ? (refused?.missing ?? []) : [];
  return (
    <div className="grid gap-4">
      <KeyValues
        rows={[
          ['Answered', `${event.status}`],
          ['Reason', missing.length > 0 ? `Missing: ${joinWords(missing)}` : reasonOf(event)],
          ['Sender', event.senderAddress ?? '–'],
          event.executionId
            ? [
                'Run',
                <Link key="r" className="link" to="/dashboard/runs/$id" params={{ id: event.executionId }}>
                  Open the run
                </Link>,
              ]
            : undefined,
        ]}
      />
      {event.bodyPreview ? (
        <CodeBlock name="Body, personal data masked" code={event.bodyPreview} />
      ) : (
        <p className="text-ink-3">The body was empty.</p>
      )}
      {event.understood.length > 0 ? (
        <section aria-label="What was understood">
          <h3 className="mb-1 font-semibold">What was understood</h3>
          <UnderstoodTable readings={event.understood} isMasked />
        </section>
      ) : null}
      {event.remarks.length > 0 ? (
        <ul className="list-disc pl-5 text-ink-2" aria-label="Remarks on the body">
          {event.remarks.map((remark) => (
            <li key={remark}>{remark}</li>
          ))}
        </ul>
      ) : null}
      {refused && CAN_RUN_NOW.includes(event.reason ?? '') ? (
        <div>
          <SendTest agent={agent} workflow={workflow} given={refused.input} word="Run it now" />
          <p className="mt-1.5 text-xs text-ink-3">Personal data is masked here, so you enter it again.</p>
        </div>
      ) : null}
    </div>
  );
}
