import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readUpgrade } from '@partner-portal/service/platform/db/baseline.ts';
import type { DatabaseHost } from '@partner-portal/service/platform/db/host.ts';
import { SCHEMA_DIR } from '@partner-portal/service/platform/db/migrate.ts';
import { createRoles, createSchemas } from '@partner-portal/service/platform/db/roles.ts';
import { applyBaseRoutines } from '@partner-portal/service/platform/db/routines.ts';
import pg from 'pg';

/** What a start of version 0.2.0 leaves in an empty database, as one file. */
const SCHEMA_0_2_0 = join(import.meta.dirname, 'schema-0.2.0.sql');

/** Returns the SQL of a step of the upgrade from 0.2.0. */
export async function readUpgradeStep(name: string): Promise<string> {
  const step = (await readUpgrade(SCHEMA_DIR)).find((one) => one.name === name);
  if (!step) throw new Error(`The upgrade has no step ${name}.`);
  return step.text;
}

/**
 * Creates a database as version 0.2.0 made it, or a version of the time since: with the steps of the upgrade before `before`, which is the
 * beginning of a step's name. `prepareDatabase` upgrades it.
 */
export async function createOldDatabase(host: DatabaseHost, name: string, before = ''): Promise<void> {
  await createRoles(host, name);
  await createSchemas(host, name);
  const pool = new pg.Pool({ ...host.adminConfig, database: name, max: 1, options: '-c role=portal_owner' });
  try {
    await pool.query(readFileSync(SCHEMA_0_2_0, 'utf8'));
    const steps = (await readUpgrade(SCHEMA_DIR)).filter((step) => step.name < before);
    // Later versions brought their functions along, and their steps call them.
    if (steps.length > 0) await applyBaseRoutines(pool, join(SCHEMA_DIR, 'functions'));
    for (const step of steps) {
      await pool.query(step.text);
      await pool.query('insert into kysely_migration (name, timestamp) values ($1, now()::text)', [step.name]);
    }
  } finally {
    await pool.end();
  }
}
