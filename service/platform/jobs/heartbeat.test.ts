import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { createTestDatabase, type TestDatabase } from '@partner-portal/tests/harness/database.ts';
import { pino } from 'pino';
import { createPool } from '../db/pool.ts';
import { createDatabase, type Database } from '../db/tx.ts';
import { createHeartbeat, type Heartbeat, readWorkerState } from './heartbeat.ts';
import { createWorkerWatch, type WorkerWatch } from './worker-watch.ts';

/** Whether any process takes jobs, by rows whose age is set. */

const log = pino({ level: 'silent' });
const HOUR_MS = 3_600_000;
let database: TestDatabase;
let pool: ReturnType<typeof createPool>;
let db: Database;
const started: (Heartbeat | WorkerWatch)[] = [];

before(async () => {
  database = await createTestDatabase();
  pool = createPool(database.configFor('portal_service'), { name: 'test', max: 4 });
  db = createDatabase(pool);
});
after(async () => {
  await pool.end();
  await database.drop();
});
const query = (text: string) => database.query(text);
beforeEach(() => query('delete from worker_heartbeat'));
const stop = async (): Promise<void> => {
  for (const one of started.splice(0)) await one.stop();
};

const beat = (isWorker: boolean): Promise<void> => createHeartbeat({ db, log, isWorker, takesJobs: () => isWorker }).begin();
const age = (seconds: number) => query(`update worker_heartbeat set seen_at = now() - interval '${seconds} seconds'`);
const isSilent = async (): Promise<boolean> => (await readWorkerState(db)).isSilent;
async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setImmediate(resolve));
}

describe('the sign of life of the workers', () => {
  it('is missed a minute after the last beat, and found again with the next', async () => {
    assert.deepEqual(await readWorkerState(db), { seenAt: null, isSilent: false });
    await beat(true);
    await age(50);
    assert.equal(await isSilent(), false);
    await age(61);
    assert.equal(await isSilent(), true);
    await beat(true);
    assert.equal(await isSilent(), false);
  });

  it('is awaited from the first start of a process that takes no jobs, which is no sign of life itself', async () => {
    await beat(false);
    assert.equal(await isSilent(), false);
    await age(61);
    await beat(false);
    assert.equal(await isSilent(), true);
  });

  it('is given while this process takes jobs, and not after its runner ended', async () => {
    await beat(true);
    let takesJobs = true;
    let asked = 0;
    const heartbeat = createHeartbeat({ db, log, isWorker: true, takesJobs: () => ((asked += 1), takesJobs), beatMs: 1 });
    started.push(heartbeat);
    await age(61);
    heartbeat.start();
    try {
      await until(async () => !(await isSilent()));
      takesJobs = false;
      const before_ = asked;
      // The beat under way has ended.
      await until(() => asked > before_ + 1);
      await age(61);
      const then = asked;
      await until(() => asked > then + 1);
      assert.equal(await isSilent(), true);
    } finally {
      await stop();
    }
  });
});

describe('a process that serves requests', () => {
  /** `seen`: whether no worker ran at each call; `looks`: rounds begun. */
  const watch = (patienceMs: number) => {
    const seen: boolean[] = [];
    let looks = 0;
    const counting: Database = { ...db, call: (statement: never) => ((looks += 1), db.call(statement)) };
    const onChange = async (): Promise<void> => void seen.push(await isSilent());
    const one = createWorkerWatch({ db: counting, log, onChange, lookMs: 1, patienceMs });
    started.push(one);
    one.start();
    return { seen, looks: () => looks };
  };

  it('reports that no worker runs while that is so, and once more when one does again', async () => {
    await beat(true);
    const { seen } = watch(0);
    try {
      await age(61);
      await until(() => seen.length >= 2);
      assert.equal(seen[0], true);
      await beat(true);
      await until(() => seen.at(-1) === false);
    } finally {
      await stop();
    }
  });

  it('reports nothing while a worker runs', async () => {
    await beat(true);
    const { seen, looks } = watch(0);
    try {
      await until(() => looks() > 3);
      assert.deepEqual(seen, []);
    } finally {
      await stop();
    }
  });

  it('waits a minute for a worker that starts later than itself', async () => {
    await beat(true);
    await age(7_200);
    const { seen, looks } = watch(HOUR_MS);
    try {
      await until(() => looks() > 3);
      assert.deepEqual(seen, []);
    } finally {
      await stop();
    }
  });
});
