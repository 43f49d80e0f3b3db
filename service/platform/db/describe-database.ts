import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import type { DatabaseHost } from './host.ts';
import { SCHEMA_DIR } from './migrate.ts';
import { withClient } from './roles.ts';

const TABLES_MAX = 25;
const STATEMENT_MS = 15_000;

/** The state of a database for a person who looks for a fault: sizes, what was applied, and the job queue. Reads catalogs only. */
export function describeDatabase(host: DatabaseHost, database: string) {
  return withClient({ ...host.adminConfig, database }, async (client) => {
    await client.query('begin read only');
    await client.query(`set local statement_timeout = ${STATEMENT_MS}`);
    const [server] = await rows(
      client,
      `select current_setting('server_version') as version, pg_postmaster_start_time() as started_at, pg_is_in_recovery() as is_standby,
         pg_size_pretty(pg_database_size(current_database())) as size, current_setting('max_connections')::int as connections_max,
         (select count(*)::int from pg_stat_activity where datname = current_database()) as connections,
         (select count(*)::int from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock') as waiting_for_locks,
         (select max(now() - xact_start)::text from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()) as longest_transaction`,
    );
    const tables = await rows(
      client,
      `select n.nspname || '.' || r.relname as name, pg_size_pretty(sum(pg_total_relation_size(c.oid))) as size, sum(greatest(c.reltuples, 0))::bigint::text as rows_about
       from pg_class c join pg_class r on r.oid = coalesce(pg_partition_root(c.oid), c.oid) join pg_namespace n on n.oid = r.relnamespace
       where c.relkind = 'r' and n.nspname !~ '^(pg_|information_schema)' group by 1 order by sum(pg_total_relation_size(c.oid)) desc limit ${TABLES_MAX}`,
    );
    const invalid = await rows(client, `select indexrelid::regclass::text as name from pg_index where not indisvalid`);
    const applied = await rows<{ path: string; at: Date }>(
      client,
      `select path, at from applied.file where path !~ '^functions/' order by at, path`,
    );
    const jobs = await rows(
      client,
      `select task_identifier as task, count(*)::int as jobs, count(*) filter (where attempts >= max_attempts)::int as given_up,
         count(*) filter (where locked_at is not null)::int as running, min(run_at) as oldest_run_at
       from graphile_worker.jobs group by 1 order by 2 desc limit 50`,
    );
    const files = (await readdir(join(SCHEMA_DIR, 'migrations')))
      .filter((name) => name.endsWith('.sql'))
      .map((name) => `migrations/${name}`);
    const known = new Set(applied.map(({ path }) => path));
    return {
      server,
      tables,
      invalidIndexes: invalid.map((row) => row['name']),
      applied,
      notApplied: files.filter((path) => !known.has(path)),
      jobs,
    };
  });
}

async function rows<Row extends pg.QueryResultRow = Record<string, unknown>>(client: pg.Client, text: string): Promise<Row[]> {
  return (await client.query<Row>(text)).rows;
}
