import { createHmac } from 'node:crypto';
import type { ExportAnswer } from '@partner-portal/tests/harness/export-process.ts';
import { startChild } from '../support/child.ts';
import { costsSince, costText, readCosts } from '../support/cpu.ts';
import { type BenchDatabase, seedWorkflows } from '../support/database.ts';
import { fillRuns } from '../support/fill-runs.ts';
import type { LoadResult } from '../support/load.ts';
import { timingText } from '../support/measure.ts';
import type { ServiceSetup } from '../support/service.ts';
import { startLoad } from '../support/start-load.ts';

const SECRET = 'callback-secret-of-the-bench';
const BODY = JSON.stringify({ callerNumber: '+13125550121', businessNumber: '+13125550100' });
const PER_SECOND = 200;
const RUNS = 1_000_000;

/**
 * The export of an agency with a million runs (`export=100000` for fewer), each with its payload and its entry in the ledger, while events of
 * other agencies arrive; the latency of these with and without it, and what the process that makes the export needs.
 */
export async function benchExport(database: BenchDatabase, say: (line: string) => void, runs = RUNS): Promise<void> {
  const workflows = await seedWorkflows(database, 20, 20);
  const [agency] = await database.admin<{ id: string }>('select id from partner where not is_house order by id limit 1');
  if (!agency) throw new Error('The agencies were not seeded.');
  await fillRuns(database, agency.id, runs);
  const address = database.addressOf('portal_service');
  const setup: ServiceSetup = { address, callbackSecret: SECRET };
  const service = await startChild<ServiceSetup, { origin: string }>(new URL('../support/service.ts', import.meta.url), setup);
  const maker = await startChild<object, object, object, ExportAnswer>(new URL('../../tests/harness/export-process.ts', import.meta.url), {
    address,
  });
  const paths = workflows.map((id) => `/webhooks/agents/${id}?token=${createHmac('sha256', SECRET).update(`ingest:${id}`).digest('hex')}`);
  const load = await startLoad({
    origin: service.ready.origin,
    paths,
    body: BODY,
  });
  const offer = (seconds: number): Promise<LoadResult> => load.ask({ kind: 'offered', connections: 64, perSecond: PER_SECOND, seconds });
  const make = async (what: string): Promise<ExportAnswer> => {
    await database.admin(`insert into account_export (partner_id, scope) values ($1, 'partner')`, [agency.id]);
    const parts = { node: maker.child.pid, postgres: database.pid() };
    const before = readCosts(parts);
    const answer = await maker.child.ask({});
    const [made] = await database.admin<{ status: string; mb: number }>(
      `select status, round(size_bytes / 1048576.0, 1)::float8 as mb from account_export order by id desc limit 1`,
    );
    say(
      `${what} ${runs} runs in ${answer.seconds.toFixed(1)} s (${Math.round((2 * runs) / answer.seconds)} rows/s): ${made?.status}, ${made?.mb} MB; memory + ${answer.growthMb} MB to ${answer.memoryMb} MB (target: + 100 or less); longest hold of the event loop ${answer.longestMs.toFixed(0)} ms; cpu per run ${costText(costsSince(before, readCosts(parts), runs))}`,
    );
    return answer;
  };
  try {
    await offer(2);
    const without = await offer(10);
    say(`ingest at ${PER_SECOND}/s alone: ${timingText(without.timing)}, refused ${without.refused}, failed ${without.failed}`);
    const alone = await make('alone      ');
    const [, beside] = await Promise.all([make('with ingest'), offer(Math.max(5, Math.ceil(alone.seconds)))]);
    say(`ingest beside it: ${timingText(beside.timing)}, refused ${beside.refused}, failed ${beside.failed}`);
  } finally {
    for (const one of [load, maker.child, service.child]) await one.stop();
  }
}
