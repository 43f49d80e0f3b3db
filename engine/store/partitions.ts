import type { Pool } from 'pg';
import { timedIdFloor } from '../ids.ts';

const DAY_MS = 86_400_000;
const WEEK_MS = 7 * DAY_MS;
const TABLES = ['run', 'run_step'] as const;
/** How many weeks ahead partitions exist, so that a machine that slept does not wake up without one. */
const WEEKS_AHEAD = 4;

type Partition = { name: string; week: number };

async function listPartitions(pool: Pool, table: string): Promise<Partition[]> {
  const { rows } = await pool.query<{ name: string }>(
    `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
     where i.inhparent = ('engine.' || $1::text)::regclass`,
    [table],
  );
  return rows.flatMap(({ name }) => {
    const week = /_w(\d+)$/.exec(name)?.[1];
    return week === undefined ? [] : [{ name, week: Number(week) }];
  });
}

/**
 * Makes the weekly partitions of the run log from a week ago to four ahead, and drops those whose every run is
 * older than `retentionDays`. Safe to repeat. Returns how many were dropped.
 */
export async function rollPartitions(pool: Pool, nowMs: number, retentionDays: number): Promise<number> {
  const thisWeek = Math.floor(nowMs / WEEK_MS);
  const oldestKeptMs = nowMs - retentionDays * DAY_MS;
  let dropped = 0;
  for (const table of TABLES) {
    const existing = await listPartitions(pool, table);
    const weeks = new Set(existing.map(({ week }) => week));
    for (let week = thisWeek - 1; week <= thisWeek + WEEKS_AHEAD; week += 1) {
      if (weeks.has(week)) continue;
      await pool.query(
        `create table if not exists engine.${table}_w${week} partition of engine.${table}
         for values from ('${timedIdFloor(week * WEEK_MS)}') to ('${timedIdFloor((week + 1) * WEEK_MS)}')`,
      );
    }
    for (const { name, week } of existing) {
      if ((week + 1) * WEEK_MS > oldestKeptMs) continue;
      await pool.query(`drop table engine.${name}`);
      dropped += 1;
    }
  }
  return dropped;
}
