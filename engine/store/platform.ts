import type { Pool } from 'pg';
import { newId } from '../ids.ts';

/** The one platform with its one user; ids are made once and stay. */
export type Platform = { id: string; userId: string; identityId: string; created: string };

/** Reads the platform, making it and its personal project (with the id that is given) on the first start. Safe for two starters at once. */
export async function ensurePlatform(pool: Pool, projectId: string = newId()): Promise<Platform> {
  await pool.query(`insert into engine.platform (id, user_id, identity_id) values ($1, $2, $3) on conflict do nothing`, [
    newId(),
    newId(),
    newId(),
  ]);
  await pool.query(`insert into engine.project (id, display_name, type, plan_id) values ($1, $2, 'PERSONAL', $3) on conflict do nothing`, [
    projectId,
    "Engine Platform's Project",
    newId(),
  ]);
  const { rows } = await pool.query<{ id: string; user_id: string; identity_id: string; created: Date }>('select * from engine.platform');
  const row = rows[0];
  if (row === undefined) throw new Error('the platform row is missing');
  return { id: row.id, userId: row.user_id, identityId: row.identity_id, created: row.created.toISOString() };
}
