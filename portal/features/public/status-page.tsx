import { useQuery } from '@tanstack/react-query';
import type { Reply } from '../../app/api.ts';
import { formatClock } from '../../ui/text/format.ts';
import { Mark, type MarkKind } from '../../ui/feedback/mark.tsx';
import { SkeletonRows } from '../../ui/feedback/skeleton.tsx';
import { SimplePage } from './simple-page.tsx';
import { keys } from '../../queries/keys.ts';

type Readiness = Reply<'getReadiness'>;
type Check = Readiness['status'];

const MARKS: Record<Check, MarkKind> = { ok: 'ok', degraded: 'warn', down: 'bad', disabled: 'pause' };
const HEADLINES: Record<Check, string> = {
  ok: 'Everything works',
  degraded: 'Most things work',
  down: 'The service cannot work right now',
  disabled: 'The service is switched off',
};

/** What each part means for somebody who uses the service, in each of its states. */
const PARTS: { key: keyof Readiness['checks']; name: string; says: Record<Check, string> }[] = [
  {
    key: 'database',
    name: 'Records',
    says: {
      ok: 'Pages load and changes are saved.',
      degraded: 'Pages load slowly.',
      down: 'Pages cannot be loaded. Nothing that was saved is lost.',
      disabled: 'Switched off.',
    },
  },
  {
    key: 'queue',
    name: 'Events',
    says: {
      ok: 'Events are taken at once.',
      degraded: 'Events are taken and wait longer than usual.',
      down: 'Events wait until this works again.',
      disabled: 'Switched off.',
    },
  },
  {
    key: 'engine',
    name: 'Agents',
    says: {
      ok: 'Agents run as events come in.',
      degraded: 'Agents run, but slowly.',
      down: 'Events are kept and run when this works again.',
      disabled: 'Agents are switched off here.',
    },
  },
  {
    key: 'mail',
    name: 'Mail',
    says: {
      ok: 'Invitations go out by mail.',
      degraded: 'Mail goes out late.',
      down: 'Mail waits. Links are shown on the page instead.',
      disabled: 'No mail is sent from here. Links are shown on the page instead.',
    },
  },
];

/** Readiness in words, looked up again every fifteen seconds. */
export function StatusPage() {
  const readiness = useQuery({
    queryKey: keys.serviceReadiness,
    queryFn: ({ signal }) => readReadiness(signal),
    refetchInterval: 15_000,
    retry: false,
  });
  const { data, dataUpdatedAt, error } = readiness;
  return (
    <SimplePage
      title="Status"
      foot={
        data ? (
          <span className="num">Looked at {formatClock(new Date(dataUpdatedAt).toISOString())}. The page looks again by itself.</span>
        ) : (
          ' '
        )
      }
    >
      <div aria-live="polite">
        {error ? (
          <>
            <h1 className="flex items-center gap-3 text-2xl tracking-[-0.02em] md:text-3xl">
              <Mark kind="bad" size={18} />
              The service cannot be reached
            </h1>
            <p className="mt-3 text-ink-2">It may be starting, or your connection is lost. The page looks again by itself.</p>
          </>
        ) : null}
        {!data && !error ? <SkeletonRows rows={4} height={64} label="Looking" /> : null}
        {data && !error ? (
          <h1 className="flex items-center gap-3 text-2xl tracking-[-0.02em] md:text-3xl">
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
                <Mark kind={MARKS[state]} className="mt-1" label={state === 'ok' ? 'works' : state === 'disabled' ? 'off' : state} />
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

/** Asked by hand: a service that is down answers 503 with the same body, which here is an answer and no error. */
async function readReadiness(signal: AbortSignal): Promise<Readiness> {
  const response = await fetch('/health/ready', { headers: { accept: 'application/json' }, signal });
  if (response.status !== 200 && response.status !== 503) throw new Error('The service gave no answer about itself.');
  return (await response.json()) as Readiness; // the contract's body for both statuses
}
