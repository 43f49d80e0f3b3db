import { adHoc } from '@partner-portal/tests/harness/ad-hoc.ts';
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { run } from 'graphile-worker';
import pg from 'pg';
import { pino } from 'pino';
import { z } from 'zod';
import { countLockWaits, createTestDatabase, type TestDatabase } from '@partner-portal/tests/harness/database.ts';
import { measuredDuring } from '@partner-portal/tests/harness/measured.ts';
import { until } from '@partner-portal/tests/harness/system.ts';
import { createPool } from '../db/pool.ts';
import { createDatabase, type Database } from '../db/tx.ts';
import { heldNow } from '../held.ts';
import { defineCron, defineJob, handleJob } from './define-job.ts';
import { enqueue, enqueueMany } from './enqueue.ts';
import { createRunner, type JobRunner } from './runner.ts';

const greet = defineJob('test.greet', z.object({ name: z.string() }));
const fail = defineJob('test.fail', z.object({}));
const orphan = defineJob('test.orphan', z.object({}));
const held = defineJob('test.held', z.object({}));
const log = pino({ level: 'silent' });

let test: TestDatabase;
let pool: pg.Pool;
let db: Database;
let runner: JobRunner;
const greeted: string[] = [];
let ticks = 0;
const waiting = new Map<string, () => void>();

/** Resolves when the handler has greeted this name. */
function greetingOf(name: string): Promise<void> {
  return new Promise((resolve) => waiting.set(name, resolve));
}

const handlers = [
  handleJob(greet, async ({ name }) => {
    greeted.push(name);
    waiting.get(name)?.();
  }),
  handleJob(fail, async () => {
    throw new Error('broken on purpose');
  }),
];
const crons = [defineCron('test.tick', '0 0 1 1 *', async () => void (ticks += 1))];

before(async () => {
  test = await createTestDatabase();
  pool = createPool(test.configFor('portal_service'), { name: 'test', max: 2 });
  db = createDatabase(pool);
  runner = createRunner({ address: test.configFor('portal_queue'), jobs: handlers, crons, log });
});

after(async () => {
  await runner.stop(0);
  await pool.end();
  await test.drop();
});

it('logs a job that fails once, in fixed words: the error is a field of its own', async () => {
  const lines: { level: number; msg: string; err?: { message: string } }[] = [];
  const failOnce = defineJob('test.fail-once', z.object({}), { attemptsMax: 1 });
  const logged = createRunner({
    address: test.configFor('portal_queue'),
    jobs: [
      handleJob(failOnce, async () => {
        throw new Error('broken on purpose');
      }),
    ],
    crons: [],
    log: pino({ level: 'warn' }, { write: (line: string) => void lines.push(JSON.parse(line)) }),
  });
  await db.asSystem('seed', (tx) => enqueue(tx, failOnce, {}));
  await logged.drain({ allowFailures: true });
  await logged.stop(0);
  assert.deepEqual(
    lines.map(({ msg, err }) => [msg, err?.message]),
    [['job failed', 'broken on purpose']],
  );
});

it('is counted by one statement, regardless of how many ask: a process that only serves needs one connection for it', async () => {
  const idle = createRunner({ address: test.configFor('portal_queue'), jobs: [], crons: [], log });
  const depths = await Promise.all(Array.from({ length: 20 }, () => idle.depth()));
  assert.deepEqual([new Set(depths).size, typeof depths[0], idle.poolState().open], [1, 'number', 1]);
  const later = idle.depth();
  assert.equal(typeof (await later), 'number', 'a later call counts again');
  await idle.stop(0);
});

describe('a job', () => {
  it('exists when its transaction commits and never when it does not', async () => {
    const rolledBack = db.asSystem('seed', async (tx) => {
      await enqueue(tx, greet, { name: 'ghost' });
      throw new Error('no');
    });
    await assert.rejects(rolledBack);
    await db.asSystem('seed', (tx) => enqueue(tx, greet, { name: 'real' }));
    await runner.drain();
    assert.deepEqual(greeted, ['real']);
  });

  it('counts as held and is measured once for each try, however it ends', async () => {
    const seen: number[] = [];
    const look = defineJob('test.look', z.object({ fails: z.boolean() }), { attemptsMax: 1 });
    const looking = handleJob(look, async ({ fails }) => {
      seen.push(heldNow('jobs'));
      if (fails) throw new Error('broken on purpose');
    });
    const one = createRunner({ address: test.configFor('portal_queue'), jobs: [looking], crons: [], log });
    await db.asSystem('seed', (tx) => enqueueMany(tx, look, [{ fails: false }, { fails: true }, { fails: false }]));
    const measured = await measuredDuring('portal_job_duration_seconds', () => one.drain({ allowFailures: true, concurrency: 1 }));
    await one.stop(0);
    assert.deepEqual(measured, ['test.look finished', 'test.look failed', 'test.look finished']);
    assert.deepEqual([seen, heldNow('jobs')], [[1, 1, 1], 0]);
  });

  it('may be added by a tenant, who has no other right on the queue', async () => {
    const scope = { kind: 'tenant', partnerId: '00000000-0000-7000-8000-000000000001', clientId: null } as const;
    await db.asTenant(scope, (tx) => enqueue(tx, greet, { name: 'tenant' }));
    await runner.drain();
    assert.ok(greeted.includes('tenant'));
    await assert.rejects(db.call(adHoc({ text: 'select * from graphile_worker.jobs' })), /permission denied/);
    await assert.rejects(db.call(adHoc({ text: `select enqueue_job('test.greet', '{}')` })), /permission denied/);
  });

  it('waits once per key', async () => {
    for (const name of ['first', 'second']) await db.asSystem('seed', (tx) => enqueue(tx, greet, { name }, { key: 'same' }));
    greeted.length = 0;
    await runner.drain();
    assert.deepEqual(greeted, ['second']);
  });

  it('waits for its time, and a test need not', async () => {
    const runAt = new Date(Date.now() + 3_600_000);
    await db.asSystem('seed', (tx) => enqueue(tx, greet, { name: 'later' }, { runAt }));
    greeted.length = 0;
    await runner.drain();
    assert.deepEqual(greeted, []);
    await runner.drain({ untilAt: new Date(runAt.getTime() + 1_000) });
    assert.deepEqual(greeted, ['later']);
  });

  it('is drained although the clock was set back by some milliseconds since it was added', async () => {
    await db.asSystem('seed', (tx) => enqueue(tx, greet, { name: 'ahead' }, { runAt: new Date(Date.now() + 150) }));
    greeted.length = 0;
    await runner.drain();
    assert.deepEqual(greeted, ['ahead']);
  });

  it('can be added by the hundred in one statement', async () => {
    greeted.length = 0;
    let statements = 0;
    const stop = db.onStatement((statement) => (statements += statement.kind === 'query' ? 1 : 0));
    const names = Array.from({ length: 100 }, (_, index) => ({ name: `bulk ${index}` }));
    await db.asSystem('seed', (tx) => enqueueMany(tx, greet, names, { keyOf: ({ name }) => name }));
    stop();
    await runner.drain();
    assert.equal(statements, 1);
    assert.equal(greeted.length, 100);
  });

  it('waits for others of its key in one order, whichever way two add the same ones', async () => {
    const held = Promise.withResolvers<undefined>();
    const goOn = Promise.withResolvers<undefined>();
    const options = { keyOf: ({ name }: { name: string }) => `order:${name}` };
    const one = db.asSystem('seed', async (tx) => {
      await enqueueMany(tx, greet, [{ name: 'a' }], options);
      held.resolve(undefined);
      await goOn.promise;
      await enqueueMany(tx, greet, [{ name: 'b' }], options);
    });
    await held.promise;
    const other = db.asSystem('seed', (tx) => enqueueMany(tx, greet, [{ name: 'b' }, { name: 'a' }], options));
    await until('the one waits for the other', async () => (await countLockWaits(test)) > 0);
    goOn.resolve(undefined);
    await Promise.all([one, other]);
    greeted.length = 0;
    await runner.drain();
    assert.deepEqual(greeted.toSorted(), ['a', 'b']);
  });

  it('that fails makes drain fail, so that no test passes over it', async () => {
    await db.asSystem('seed', (tx) => enqueue(tx, fail, {}));
    await assert.rejects(runner.drain(), /failed while draining/);
  });
});

describe('a worker that starts', () => {
  // Before another one runs: two that look at the same moment hold the sign of the dead one, and one of them leaves its jobs to the other.
  it('frees the jobs of a worker that died, and leaves those of a living one', async () => {
    const queue = new pg.Pool({ ...test.configFor('portal_queue'), max: 4 });
    queue.on('error', () => undefined).on('connect', (client) => client.on('error', () => undefined));
    const taken: string[] = [];
    const release = Promise.withResolvers<undefined>();
    const take = async (name: string): Promise<void> => {
      taken.push(name);
      await release.promise;
    };
    // A worker of the queue without the sign of life that a runner gives.
    const dead = await run({ pgPool: queue, taskList: { 'test.orphan': () => take('orphan') }, concurrency: 1, noHandleSignals: true });
    const living = createRunner({ address: test.configFor('portal_queue'), jobs: [handleJob(held, () => take('held'))], crons: [], log });
    await living.start();
    await db.asSystem('seed', async (tx) => {
      await enqueue(tx, orphan, {});
      await enqueue(tx, held, {});
    });
    await until('both jobs are taken', () => taken.length === 2);
    const other = createRunner({ address: test.configFor('portal_queue'), jobs: handlers, crons, log, freshSeconds: 0 });
    await other.start();
    const { rows } = await queue.query(
      'select task_identifier as job, locked_by is not null as "isLocked" from graphile_worker.jobs where task_identifier = any($1) order by 1',
      [[orphan.name, held.name]],
    );
    assert.deepEqual(rows, [
      { job: held.name, isLocked: true },
      { job: orphan.name, isLocked: false },
    ]);
    release.resolve(undefined);
    await Promise.all([other.stop(0), living.stop(60_000), dead.stop()]);
    await queue.end();
  });
});

describe('the running worker', () => {
  it('picks up what is added and stops cleanly', async () => {
    await runner.start();
    assert.equal(runner.isRunning(), true);
    const done = greetingOf('live');
    await db.asSystem('seed', (tx) => enqueue(tx, greet, { name: 'live' }));
    await done;
  });

  it('goes on when the database refuses to note that a job is done, and does that job again', async () => {
    const isRunning = Promise.withResolvers<undefined>();
    const goOn = Promise.withResolvers<undefined>();
    let times = 0;
    const again = createRunner({
      address: test.configFor('portal_queue'),
      jobs: [
        ...handlers,
        handleJob(held, async () => {
          times += 1;
          isRunning.resolve(undefined);
          await goOn.promise;
        }),
      ],
      crons: [],
      log,
    });
    await runner.stop(0);
    runner = again;
    await again.start();
    await db.asSystem('seed', (tx) => enqueue(tx, held, {}));
    await isRunning.promise;
    const admin = new pg.Client({ ...test.host.adminConfig, database: test.name });
    await admin.connect();
    await admin.query('begin');
    await admin.query('lock table graphile_worker._private_jobs in access exclusive mode');
    goOn.resolve(undefined);
    // The lock holds up the poll for more jobs too, and databases of other tests have queues of this name. Asked outside of the transaction, which sees one
    // state of the sessions.
    await until('the job is noted as done', async () => {
      const ended = await test.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'portal queue'
           and wait_event_type = 'Lock' and query like 'delete from %_private_jobs%'`,
      );
      return ended.length === 1;
    });
    await admin.query('rollback');
    await admin.end();
    await until('the runner has ended', () => again.hasEnded());
    await until('the job is done again', () => times === 2);
    const done = greetingOf('after');
    await db.asSystem('seed', (tx) => enqueue(tx, greet, { name: 'after' }));
    await done;
    await until('another runner is up', () => again.isRunning() && !again.hasEnded());
  });

  it('knows its crons by name', async () => {
    const named = createRunner({ address: test.configFor('portal_queue'), jobs: [], crons, log });
    await named.runCron('test.tick');
    await named.stop(0);
    assert.equal(ticks, 1);
  });
});
