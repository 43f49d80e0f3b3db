import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { formatNumber, plural } from '../../ui/text/format.ts';
import { Meter } from '../../ui/charts/meter.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import { type BulkRerun, rerunsQuery } from './queries.ts';

/** Progress of each rerun of many that has runs waiting, and what became of those that ended while this page was open. */
export function RerunProgress() {
  const { data = [] } = useQuery(rerunsQuery);
  const [seen, setSeen] = useState<readonly string[]>([]);
  const running = data.filter((one) => one.finishedAt === null);
  const unseen = running.filter((one) => !seen.includes(one.id));
  if (unseen.length > 0) setSeen([...seen, ...unseen.map((one) => one.id)]);
  const ended = data.filter((one) => one.finishedAt !== null && one.refused > 0 && seen.includes(one.id));
  return (
    <>
      {running.map((one) => (
        <Running key={one.id} rerun={one} />
      ))}
      {ended.map((one) => (
        <Note key={one.id} tone="warn">
          {formatNumber(one.refused)} of {plural(one.total, 'run')} of {one.agentName} did not start again: {reasonOf(one)}.
        </Note>
      ))}
    </>
  );
}

function Running({ rerun: { agentName, total, started, refused } }: { rerun: BulkRerun }) {
  const done = started + refused;
  return (
    <Note tone="live" isRunning>
      <p className="tabular-nums">
        <b>
          Rerunning {agentName}: {formatNumber(done)} of {plural(total, 'run')}
        </b>
      </p>
      <div className="my-1.5">
        <Meter used={done === total ? done - 0.001 : done} limit={total} small label={`Runs of ${agentName} started again`} />
      </div>
    </Note>
  );
}

const REASONS: Record<string, string> = {
  quota_exceeded: 'no credits were free',
  failures_exceeded: 'too many runs failed today',
  workflow_inactive: 'the agent is switched off',
  account_suspended: 'the account is suspended',
  missing_input: 'the event lacks a required value',
  invalid_input: 'a value of the event cannot be understood',
  too_large: 'the event is too large',
  input_expired: 'the event is no longer stored',
  succeeded_since: 'a late report says that they succeeded',
};

function reasonOf({ refusal }: BulkRerun): string {
  return (refusal === null ? undefined : REASONS[refusal]) ?? 'the event was not accepted';
}
