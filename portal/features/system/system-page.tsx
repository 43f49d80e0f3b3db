import { LIMITS } from '@partner-portal/contract/vocabulary.ts';
import { useQuery } from '@tanstack/react-query';
import { RefreshCw } from 'lucide-react';
import { formatNumber, plural } from '../../ui/text/format.ts';
import { useTitle } from '../../ui/hooks/use-title.ts';
import { Badge } from '../../ui/feedback/badge.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Figures, PageHeader, Panel } from '../../ui/layout/layout.tsx';
import { Mark, type MarkKind } from '../../ui/feedback/mark.tsx';
import { WorkerNote } from '../../shared/worker-note.tsx';
import { Time } from '../../ui/text/time.tsx';
import { MailOutbox, type SystemSearch } from './mail-outbox.tsx';
import { type System, systemQuery } from './queries.ts';
import { useLoaded } from '../../app/route-data.ts';

type Props = { search: SystemSearch; onSearch: (change: SystemSearch) => void };

/** System health: dependencies, queues, e-mail and configuration warnings. */
export function SystemPage({ search, onSearch }: Props) {
  useTitle('System');
  const data = useLoaded(systemQuery);
  const system = useQuery(systemQuery);
  const { mark, word } = OVERALL[data.status];
  return (
    <>
      <PageHeader
        title="System"
        badge={<Badge mark={mark}>{word}</Badge>}
        meta="Dependencies, queues and outgoing e-mail"
        actions={
          <Button icon={<RefreshCw aria-hidden />} busy={system.isFetching && 'Checking'} onClick={() => void system.refetch()}>
            Check now
          </Button>
        }
      />
      <WorkerNote workers={data.workers} />
      <Figures items={figuresOf(data)} />
      <div className="mb-6 grid items-start gap-6 rail:grid-cols-[340px_minmax(0,1fr)]">
        <div className="grid gap-6">
          <ReadinessPanel checks={data.checks} />
          <StaffPanel staff={data.staff} />
        </div>
        <ConfigurationPanel checks={data.configuration} />
      </div>
      <MailOutbox isConfigured={data.mail.configured} search={search} onSearch={onSearch} />
    </>
  );
}

type State = System['status'];
const OVERALL: Record<State, { mark: MarkKind; word: string }> = {
  ok: { mark: 'ok', word: 'Ready' },
  degraded: { mark: 'warn', word: 'Degraded' },
  down: { mark: 'bad', word: 'Down' },
  disabled: { mark: 'pause', word: 'Off' },
};
const PART: Record<State, { mark: MarkKind; word: string }> = {
  ok: { mark: 'ok', word: 'Works' },
  degraded: { mark: 'warn', word: 'Degraded' },
  down: { mark: 'bad', word: 'Down' },
  disabled: { mark: 'pause', word: 'Not configured' },
};

function figuresOf({ queueDepth, mail }: System) {
  return [
    { label: 'Jobs waiting', value: queueDepth === null ? '–' : formatNumber(queueDepth), note: 'due, not started' },
    {
      label: 'Mail waiting',
      value: formatNumber(mail.queued),
      note: mail.oldestQueuedAt ? (
        <>
          oldest <Time iso={mail.oldestQueuedAt} />
        </>
      ) : (
        'none'
      ),
    },
    {
      label: 'Sent in 24 h',
      value: formatNumber(mail.sent24h),
      note: mail.configured ? 'accepted by the mail server' : 'no mail server configured',
    },
    {
      label: 'Failed',
      value: formatNumber(mail.failed),
      note: mail.failed ? <span className="text-bad">in {LIMITS.mailDays} days</span> : `none in ${LIMITS.mailDays} days`,
    },
    { label: 'Not sent', value: formatNumber(mail.notConfigured), note: 'no mail server configured' },
  ];
}

const PARTS = [
  ['database', 'Database', 'stores all data'],
  ['queue', 'Job queue', 'runs background jobs'],
  ['engine', 'Engine', 'runs the agents'],
  ['mail', 'Mail server', 'checked every 30 s at most'],
  ['scanner', 'Malware scanner', 'checks uploaded files'],
] as const;

function ReadinessPanel({ checks }: { checks: System['checks'] }) {
  return (
    <Panel title="Readiness" flush>
      <ul className="divide-y divide-line-soft">
        {PARTS.map(([key, name, what]) => {
          const { mark, word } = PART[checks[key] ?? 'disabled'];
          return (
            <li key={key} className="flex items-center gap-2.5 px-4 py-2.5">
              <Mark kind={mark} />
              <span className="min-w-0 flex-1">
                <b className="block font-medium">{name}</b>
                <span className="block text-xs text-ink-3">{what}</span>
              </span>
              <span className="text-ink-2">
                {(key === 'engine' || key === 'scanner') && (checks[key] ?? 'disabled') === 'disabled' ? 'Off' : word}
              </span>
            </li>
          );
        })}
      </ul>
    </Panel>
  );
}

/** Whether a stolen password of staff is enough to log in. */
function StaffPanel({ staff: { active, withoutSecondStep, secondStepRequired } }: { staff: System['staff'] }) {
  const isFine = withoutSecondStep === 0;
  return (
    <Panel title="Two-step login of staff" aside={secondStepRequired ? 'required' : 'not required'}>
      <p className="flex items-start gap-2.5">
        <Mark kind={isFine ? 'ok' : 'warn'} label={isFine ? 'OK' : 'Warning'} className="mt-0.75 shrink-0" />
        <span className="text-ink-2">
          {isFine
            ? 'All staff log in with a second step.'
            : `${formatNumber(withoutSecondStep)} of ${formatNumber(active)} staff can log in with a password alone.`}
          {secondStepRequired ? null : (
            <>
              {' '}
              Set <code>STAFF_MFA_REQUIRED</code> to require it.
            </>
          )}
        </span>
      </p>
    </Panel>
  );
}

const CONFIGURATION: Record<System['configuration'][number]['state'], { mark: MarkKind; label: string }> = {
  ok: { mark: 'ok', label: 'OK' },
  note: { mark: 'wait', label: 'Note' },
  warn: { mark: 'warn', label: 'Warning' },
};

/** Settings by name, never by value. Settings without findings are collapsed. */
function ConfigurationPanel({ checks }: { checks: System['configuration'] }) {
  const warnings = checks.filter(({ state }) => state === 'warn').length;
  const well = checks.filter(({ state }) => state === 'ok');
  return (
    <Panel title="Configuration" aside={warnings === 0 ? 'no warnings' : plural(warnings, 'warning')} flush>
      <ConfigurationList checks={checks.filter(({ state }) => state !== 'ok')} />
      {well.length === 0 ? null : (
        <details className="border-t border-line-soft">
          <summary className="cursor-pointer px-4 py-2.5 text-ink-2">{plural(well.length, 'check')} passed</summary>
          <ConfigurationList checks={well} />
        </details>
      )}
    </Panel>
  );
}

function ConfigurationList({ checks }: { checks: System['configuration'] }) {
  return (
    <ul className="divide-y divide-line-soft">
      {checks.map(({ settings, state, message }) => {
        const { mark, label } = CONFIGURATION[state];
        return (
          <li key={message} className="flex items-start gap-2.5 px-4 py-2.5">
            <Mark kind={mark} label={label} className="mt-0.75 shrink-0" />
            <span className="flex min-w-0 flex-1 flex-wrap gap-x-4">
              <span className="min-w-50 flex-1">{message}</span>
              <span className="flex basis-full flex-col text-xs leading-5 text-ink-2 md:basis-auto md:items-end">
                {settings.map((name) => (
                  <code key={name} className="break-all">
                    {name}
                  </code>
                ))}
              </span>
            </span>
          </li>
        );
      })}
    </ul>
  );
}
