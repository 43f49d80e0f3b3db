import assert from 'node:assert/strict';
import { ADMIN_ROLE } from '@partner-portal/service/platform/db/embedded.ts';
import { createPool } from '@partner-portal/service/platform/db/pool.ts';
import { createDatabase, type Database } from '@partner-portal/service/platform/db/tx.ts';
import pg from 'pg';
import { createTestDatabase } from './database.ts';
import { addPlan, plansIn, type Work } from './query-plans.ts';
import { addSeats, fillDatabase, type Query, type Seats, type Size } from './scale-rows.ts';

export type PlannedDatabase = {
  /** Pool of one connection. */
  pool: pg.Pool;
  db: Database;
  seats: Seats;
  /** Returns the server's work for the statements of `read`. */
  workOf(read: () => Promise<unknown>): Promise<Work>;
  close(): Promise<void>;
};

/** Fills a database of this size, in which the server sends the plan of each statement as a notice. */
export async function openPlannedDatabase(size: Size): Promise<PlannedDatabase> {
  const database = await createTestDatabase();
  const admin = new pg.Client(database.configFor(ADMIN_ROLE));
  await admin.connect();
  const query: Query = async <Row extends pg.QueryResultRow>(text: string, values: unknown[] = []) =>
    (await admin.query<Row>(text, values)).rows;
  const seats = await addSeats(query);
  await fillDatabase(query, seats, size);
  await query('vacuum analyze');
  await query(`load 'auto_explain'`);
  for (const [name, value] of [
    ['session_preload_libraries', 'auto_explain'],
    ['auto_explain.log_min_duration', '0'],
    ['auto_explain.log_analyze', 'on'],
    ['auto_explain.log_buffers', 'on'],
    ['auto_explain.log_timing', 'off'],
    ['auto_explain.log_format', 'json'],
    ['auto_explain.log_level', 'notice'],
  ] as const)
    await query(`alter database ${database.name} set ${name} = '${value}'`);
  await admin.end();
  let plans: string[] = [];
  const pool = createPool(database.configFor('portal_service'), { name: 'plans', max: 1 });
  pool.on('connect', (client) => client.on('notice', ({ message = '' }) => plans.push(message)));
  return {
    pool,
    db: createDatabase(pool),
    seats,
    async workOf(read) {
      plans = [];
      await read();
      const work: Work = { blocks: 0, sorted: 0, passed: 0, dropped: 0, scanned: [] };
      const found = plans.flatMap((text) => plansIn(`${text.replaceAll(/\n/g, '\n\t')}\n`));
      assert.ok(found.length > 0, 'the server sends its plans');
      for (const plan of found) addPlan(plan, work);
      return work;
    },
    async close() {
      await pool.end();
      await database.drop();
    },
  };
}
