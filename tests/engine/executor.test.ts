import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Pool } from 'pg';
import { createGuardedAgent } from '@partner-portal/engine/guard.ts';
import { newTimedId } from '@partner-portal/engine/ids.ts';
import { budgetsOf } from '@partner-portal/engine/memory.ts';
import { migrate } from '@partner-portal/engine/migrate.ts';
import type { Trigger } from '@partner-portal/engine/protocol.ts';
import { createCodeSandbox } from '@partner-portal/engine/sandbox/pool.ts';
import { rollPartitions } from '@partner-portal/engine/store/partitions.ts';
import { ensurePlatform } from '@partner-portal/engine/store/platform.ts';
import { createRunLog, storeInput } from '@partner-portal/engine/store/run-log.ts';
import { createRunStore, type RunStore } from '@partner-portal/engine/store/runs.ts';
import { createWorker, type Worker } from '@partner-portal/engine/worker.ts';
import { createTestDatabase, type TestDatabase } from '../harness/database.ts';
import { chain, httpStep, type Sink, startSink, webhookTrigger } from './harness.ts';

/** The executor at moments that the whole engine cannot be stopped at: its own store, whose answers may be held back. */

let database: TestDatabase;
let pool: Pool;
let sink: Sink;
let status = 200;

before(async () => {
  sink = await startSink((_request, response) => void response.writeHead(status, { 'content-type': 'application/json' }).end('{}'));
  database = await createTestDatabase();
  pool = new Pool(database.configFor('portal_engine'));
  // Its end does not wait for its connections, and those end with the database.
  pool.on('error', () => undefined);
  await migrate(pool);
  await rollPartitions(pool, Date.now(), 30);
});
after(async () => {
  await pool.end();
  await database.drop();
  await sink.close();
});

type Stage = { worker: Worker; runs: RunStore; close(): Promise<void> };

function startWorker(
  change: (store: RunStore) => Partial<RunStore> = () => ({}),
  {
    step = httpStep('step_1', `${sink.url}/step`),
    ...options
  }: { step?: ReturnType<typeof httpStep>; concurrency?: number; retryWaitMs?: number } = {},
): Stage {
  const store = createRunStore(pool, pool);
  const runs = { ...store, ...change(store) };
  const dispatcher = createGuardedAgent([`127.0.0.1:${sink.port}`], 64);
  const code = createCodeSandbox(10_000);
  const trigger = webhookTrigger(chain(step)) as Trigger; // what an import holds
  const worker = createWorker({
    runs,
    effects: { dispatcher, code, httpTimeoutMs: 60_000, connections: async () => new Map() },
    findTrigger: async () => trigger,
    budgets: budgetsOf(),
    log: () => undefined,
    now: Date.now,
    concurrency: 4,
    runLimitMs: 600_000,
    retryWaitMs: 1,
    stopLimitMs: 60_000,
    ...options,
  });
  return {
    worker,
    runs: store,
    async close() {
      await worker.close();
      await Promise.all([code.close(), dispatcher.destroy()]);
    },
  };
}

const INPUT = storeInput({ method: 'POST', headers: {}, body: {}, queryParams: {}, rawBody: '{}' });

async function ended(id: string): Promise<void> {
  while ((await pool.query('select from engine.run where id = $1 and finish_time is not null', [id])).rowCount === 0);
}

/** A stored run that has not started. */
async function addRun(runs: RunStore): Promise<Parameters<Worker['accept']>[0]> {
  const at = new Date();
  const { rows } = await pool.query<{ id: string }>('select id from engine.project');
  const ticket = {
    id: newTimedId(at.getTime()),
    projectId: rows[0]?.id ?? '',
    flowId: 'flow',
    flowVersionId: 'version',
    fairnessKey: 'flow',
    bytes: INPUT.length,
  };
  await runs.insertRuns([{ ...ticket, environment: 'PRODUCTION', input: INPUT, at }]);
  return ticket;
}

test('a run that is put back to work before its executor has heard of its end is executed again', async () => {
  const platform = await ensurePlatform(pool);
  const written = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<void>();
  const { worker, runs, close } = startWorker((store) => ({
    // The commit is visible to others; its response has not arrived yet.
    writeJournal: async (epoch, entries) => {
      const answer = await store.writeJournal(epoch, entries);
      written.resolve();
      await answered.promise;
      return answer;
    },
  }));
  const runLog = createRunLog(pool, runs, platform, worker.startedAt);
  await worker.begin();
  status = 500;
  const ticket = await addRun(runs);
  worker.accept(ticket, undefined, true);
  await written.promise;
  status = 200;
  worker.accept(await runLog.reopen(ticket.id), undefined, false);
  answered.resolve();
  await sink.waitFor(2, (one) => one.url === '/step');
  await close();
  assert.equal((await runLog.read(ticket.id)).status, 'SUCCEEDED');
});

test('a run whose storing is answered after its executor has found and ended it is not executed a second time', async () => {
  const { worker, runs, close } = startWorker();
  const ticket = await addRun(runs);
  const begun = sink.received.length;
  await worker.begin();
  await sink.waitFor(begun + 1);
  await ended(ticket.id);
  // Its executor has heard of the end, too.
  while (worker.startedAt(ticket.id) !== undefined) await new Promise((resolve) => setImmediate(resolve));
  worker.accept(ticket, INPUT, true);
  const other = await addRun(runs);
  worker.accept(other, INPUT, true);
  await ended(other.id);
  await close();
  assert.equal(sink.received.length, begun + 2);
});

test('an executor that wins its turn while it is being closed begins nothing', async () => {
  const { worker, runs, close } = startWorker();
  const before_ = sink.received.length;
  await addRun(runs);
  await close();
  await worker.begin();
  // Another one finds the run as it was.
  const next = startWorker();
  await next.worker.begin();
  await sink.waitFor(before_ + 1);
  await next.close();
  assert.equal(sink.received.length, before_ + 1);
});

test('a run that waits for the next try of a step leaves its place to others, and is RUNNING meanwhile', async () => {
  const settings = { errorHandlingOptions: { continueOnFailure: { value: false }, retryOnFailure: { value: true } } };
  // Longer than any test: a run that waits in its place keeps it for good.
  const patient = startWorker(undefined, {
    step: httpStep('step_1', `${sink.url}/step`, {}, settings),
    concurrency: 1,
    retryWaitMs: 3_600_000,
  });
  await patient.worker.begin();
  status = 500;
  const waiting = await addRun(patient.runs);
  const tried = sink.received.length;
  patient.worker.accept(waiting, INPUT, true);
  await sink.waitFor(tried + 1);
  status = 200;
  const other = await addRun(patient.runs);
  patient.worker.accept(other, INPUT, true);
  await ended(other.id);
  const isRunning = patient.worker.startedAt(waiting.id) !== undefined;
  await patient.close();
  assert.deepEqual([isRunning, sink.received.length], [true, tried + 2], 'it counts as running, and was tried once');
  // The next executor finds it.
  const next = startWorker();
  await next.worker.begin();
  await ended(waiting.id);
  await next.close();
});

test('runs that are taken up after a start are read together, not one by one', async () => {
  const RUNS = 40;
  let reads = 0;
  const { worker, runs, close } = startWorker(
    (store) => ({
      loadRuns: (wanted) => {
        reads += 1;
        return store.loadRuns(wanted);
      },
    }),
    { concurrency: RUNS * 2 },
  );
  const tickets = await Promise.all(Array.from({ length: RUNS }, () => addRun(runs)));
  await worker.begin();
  await Promise.all(tickets.map(({ id }) => ended(id)));
  await close();
  assert.ok(reads >= 1 && reads <= 2, `${reads} reads for ${RUNS} runs that began at once`);
});
