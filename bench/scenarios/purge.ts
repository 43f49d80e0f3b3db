import { createHmac } from 'node:crypto';
import { startChild } from '../support/child.ts';
import { costsSince, costText, readCosts } from '../support/cpu.ts';
import { type BenchDatabase, seedWorkflows } from '../support/database.ts';
import { fillRuns } from '../support/fill-runs.ts';
import type { LoadResult } from '../support/load.ts';
import { timingText } from '../support/measure.ts';
import type { PurgeAnswer } from '../support/purge-service.ts';
import type { ServiceSetup } from '../support/service.ts';
import { startLoad } from '../support/start-load.ts';

const SECRET = 'callback-secret-of-the-bench';
const BODY = JSON.stringify({ callerNumber: '+13125550121', businessNumber: '+13125550100' });
const PER_SECOND = 300;
const RUNS = 1_000_000;
/** Over two months' partitions. */
const DAYS = 40;
const SAMPLE_MS = 20;

/**
 * The purge of an agency with a million runs (`purge=100000` for fewer), next to an agency of the same size, while 300 events a second of
 * other agencies arrive: the latency of these with and without it, rows a second, the longest lock it held, and the longest wait for a lock.
 */
export async function benchPurge(database: BenchDatabase, say: (line: string) => void, runs = RUNS): Promise<void> {
  const workflows = await seedWorkflows(database, 22, 20);
  const [agency, neighbour] = await database.admin<{ id: string }>('select id from partner where not is_house order by id limit 2');
  if (!agency || !neighbour) throw new Error('The agencies were not seeded.');
  for (const { id } of [agency, neighbour]) await fillRuns(database, id, runs, DAYS);
  const address = database.addressOf('portal_service');
  const setup: ServiceSetup = { address, callbackSecret: SECRET };
  const service = await startChild<ServiceSetup, { origin: string }>(new URL('../support/service.ts', import.meta.url), setup);
  const worker = await startChild<object, object, object, PurgeAnswer>(new URL('../support/purge-service.ts', import.meta.url), {
    address,
  });
  const others = new Set(
    (await database.admin<{ id: string }>('select id from workflow where partner_id <> $1', [agency.id])).map(({ id }) => id),
  );
  const paths = workflows
    .filter((id) => others.has(id))
    .map((id) => `/webhooks/agents/${id}?token=${createHmac('sha256', SECRET).update(`ingest:${id}`).digest('hex')}`);
  const load = await startLoad({ origin: service.ready.origin, paths, bodies: [BODY] });
  const offer = (seconds: number): Promise<LoadResult> => load.ask({ kind: 'offered', connections: 64, perSecond: PER_SECOND, seconds });
  try {
    await offer(2);
    const without = await offer(10);
    say(`ingest at ${PER_SECOND}/s alone: ${timingText(without.timing)}, refused ${without.refused}, failed ${without.failed}`);
    await makeDue(database, agency.id);
    const parts = { node: worker.child.pid, postgres: database.pid() };
    const before = readCosts(parts);
    const waits = watchLocks(database);
    const [answer, beside] = await Promise.all([worker.child.ask({}), offer(Math.max(5, Math.round(runs / 25_000)))]);
    const after = readCosts(parts);
    const longestWaitMs = await waits.stop();
    const [found] = await database.admin<{ rows: number; status: string; left: number; kept: number }>(
      `select (select sum(rows_removed)::int from purge_step) as rows, (select status from purge) as status,
        (select count(*)::int from execution where partner_id = $1) as left, (select count(*)::int from execution_payload p join execution e on e.id = p.id where e.partner_id = $2 and e.source = 'ingest' and e.status = 'SUCCEEDED') as kept`,
      [agency.id, neighbour.id],
    );
    say(
      `purge of ${runs} runs: ${found?.status}, ${found?.rows} rows in ${answer.seconds.toFixed(1)} s (${Math.round((found?.rows ?? 0) / answer.seconds)} rows/s), ${answer.transactions} transactions, ${answer.memoryMb} MB; ${found?.left} runs left of it, ${found?.kept} of the neighbour`,
    );
    say(
      `longest lock held ${answer.longestMs.toFixed(0)} ms, longest wait of anyone for a lock ${longestWaitMs.toFixed(0)} ms; cpu per run, with the ingest: ${costText(costsSince(before, after, runs))}`,
    );
    say(`ingest beside it: ${timingText(beside.timing)}, refused ${beside.refused}, failed ${beside.failed}`);
  } finally {
    for (const one of [load, worker.child, service.child]) await one.stop();
  }
}

/** Approves the deletion of an agency so long ago that its purge is due. */
async function makeDue(database: BenchDatabase, partnerId: string): Promise<void> {
  await database.admin(
    `with gone as (update partner set status = 'suspended', suspended_at = now(), suspension_cause = 'deletion_approved' where id = $1 returning id, name)
    insert into deletion_request (partner_id, scope, account_name, reason, status, previous_status, requester_role, purge_after, decided_at)
      select id, 'partner', name, 'Closed', 'approved', 'active', 'PARTNER', now() - interval '1 minute', now() from gone`,
    [partnerId],
  );
}

/** Samples how long sessions have been waiting for locks. */
function watchLocks(database: BenchDatabase): { stop(): Promise<number> } {
  let longestMs = 0;
  let last: Promise<unknown> = Promise.resolve();
  const timer = setInterval(() => {
    last = last.then(async () => {
      const [row] = await database.admin<{ ms: number }>(
        `select coalesce(max(extract(epoch from clock_timestamp() - query_start) * 1000), 0)::float8 as ms from pg_stat_activity where wait_event_type = 'Lock'`,
      );
      longestMs = Math.max(longestMs, row?.ms ?? 0);
    });
  }, SAMPLE_MS);
  return {
    async stop() {
      clearInterval(timer);
      await last;
      return longestMs;
    },
  };
}
