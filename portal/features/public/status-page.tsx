import { PRODUCT_NAME } from '@partner-portal/contract/product.ts';
import { useQuery } from '@tanstack/react-query';
import { formatClock } from '../../ui/text/format.ts';
import { Mark, type MarkKind } from '../../ui/feedback/mark.tsx';
import { SkeletonRows } from '../../ui/feedback/skeleton.tsx';
import { SimplePage } from './simple-page.tsx';
import { type ServiceReadiness, serviceReadinessQuery } from '../../queries/service-readiness.ts';

type Check = ServiceReadiness['status'];

const MARKS: Record<Check, MarkKind> = { ok: 'ok', degraded: 'warn', down: 'bad', disabled: 'pause' };
const HEADLINES: Record<Check, string> = {
  ok: 'All systems operational',
  degraded: 'Degraded performance',
  down: 'The service is down',
  disabled: 'The service is disabled',
};

/** What each component's state means for users. */
const PARTS: { key: Exclude<keyof ServiceReadiness['checks'], 'scanner'>; name: string; says: Record<Check, string> }[] = [
  {
    key: 'database',
    name: PRODUCT_NAME,
    says: {
      ok: 'Pages load and changes are saved.',
      degraded: 'Pages load slowly.',
      down: 'Pages do not load. Saved data is safe.',
      disabled: 'Disabled.',
    },
  },
  {
    key: 'queue',
    name: 'Events',
    says: {
      ok: 'Events are processed immediately.',
      degraded: 'Events are accepted but take longer than usual.',
      down: 'Events wait until this is resolved.',
      disabled: 'Disabled.',
    },
  },
  {
    key: 'engine',
    name: 'Agents',
    says: {
      ok: 'Agents run as events arrive.',
      degraded: 'Agents may run slowly or fail.',
      down: 'Events are stored and run once this is resolved.',
      disabled: 'Agents are disabled.',
    },
  },
  {
    key: 'mail',
    name: 'E-mail',
    says: {
      ok: 'Invitations and notifications are sent.',
      degraded: 'E-mails are delayed.',
      down: 'E-mails wait. Links are shown in the portal instead.',
      disabled: 'E-mail is disabled. Links are shown in the portal instead.',
    },
  },
];

/** Public status page, refreshed every fifteen seconds. */
export function StatusPage() {
  const readiness = useQuery({ ...serviceReadinessQuery, refetchInterval: 15_000 });
  const { data, dataUpdatedAt, error } = readiness;
  return (
    <SimplePage
      title="Status"
      foot={
        data ? (
          <span className="tabular-nums">
            Checked at {formatClock(new Date(dataUpdatedAt).toISOString())}. This page refreshes automatically.
          </span>
        ) : (
          ' '
        )
      }
    >
      <div aria-live="polite">
        {error ? (
          <>
            <h1 className="flex items-center gap-3 text-2xl tracking-figure md:text-3xl">
              <Mark kind="bad" size={18} />
              The service cannot be reached
            </h1>
            <p className="mt-3 text-ink-2">It may be starting, or you may be offline. This page retries automatically.</p>
          </>
        ) : null}
        {!data && !error ? <SkeletonRows rows={4} height={64} label="Checking" /> : null}
        {data && !error ? (
          <h1 className="flex items-center gap-3 text-2xl tracking-figure md:text-3xl">
            <Mark kind={MARKS[data.status]} size={18} />
            {HEADLINES[data.status]}
          </h1>
        ) : null}
      </div>
      {data && !error ? (
        <ul className="mt-8 border-t border-line">
          {PARTS.map(({ key, name, says }) => {
            const state = data.checks[key];
            return (
              <li key={key} className="flex gap-3.5 border-b border-line-soft py-4">
                <Mark kind={MARKS[state]} className="mt-1" label={state === 'ok' ? 'operational' : state === 'disabled' ? 'off' : state} />
                <div>
                  <h2 className="text-base">{name}</h2>
                  <p className="text-ink-2">{says[state]}</p>
                </div>
              </li>
            );
          })}
        </ul>
      ) : null}
    </SimplePage>
  );
}
