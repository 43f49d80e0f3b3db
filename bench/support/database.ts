import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@partner-portal/service/platform/db/embedded.ts';
import { prepareDatabase } from '@partner-portal/service/platform/db/migrate.ts';
import type { TestDatabase } from '@partner-portal/tests/harness/database.ts';
import pg from 'pg';

const DATABASE = 'bench';
const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined };

export type BenchDatabase = {
  /** Connection settings of a database role, as plain data that can be passed to a child process. */
  addressOf(role: string): ReturnType<EmbeddedPostgres['configFor']>;
  /** Runs one statement as the administrator. */
  admin<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>;
  /** In the test harness's form, for a scenario that starts the service on it. */
  asTestDatabase(): TestDatabase;
  /** The server's process, parent of all the others. */
  pid(): number;
  /** What the server writes. */
  logFile: string;
  stop(): Promise<void>;
};

/** Starts a separate server with production settings: every commit is on disk before its response. */
export async function startBenchDatabase(): Promise<BenchDatabase> {
  const dataDir = mkdtempSync(join(tmpdir(), 'portal-bench-'));
  const server = await startEmbeddedPostgres({ dataDir, log: quiet });
  await prepareDatabase(server, DATABASE);
  const admin = new pg.Client({ ...server.adminConfig, database: DATABASE });
  await admin.connect();
  return {
    addressOf: (role) => server.configFor(role, DATABASE),
    admin: async <Row extends pg.QueryResultRow>(text: string, values: unknown[] = []) => (await admin.query<Row>(text, values)).rows,
    asTestDatabase: () => ({
      name: DATABASE,
      host: server,
      configFor: (role) => server.configFor(role, DATABASE),
      query: async <Row extends pg.QueryResultRow>(text: string, values: readonly unknown[] = []) =>
        (await admin.query<Row>(text, [...values])).rows,
      // Removed with its server.
      drop: async () => undefined,
    }),
    pid: () => server.pid() ?? 0,
    logFile: join(dataDir, 'server.log'),
    async stop() {
      await admin.end();
      await server.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** Creates partners with one client and one installed agent per workflow. Returns the workflows' ids. */
export async function seedWorkflows(database: BenchDatabase, agencies: number, perAgency: number): Promise<string[]> {
  const rows = await database.admin<{ id: string }>(
    `with p as (insert into partner (name, slug) select 'Agency ' || n, 'agency-' || n || '-' || substr(md5(random()::text), 1, 8) from generate_series(1, $1::int) n returning id),
      s as (insert into subscription (partner_id, plan_id, status, current_period_start, current_period_end, period_anchor, currency)
        select p.id, l.id, 'active', now() - interval '1 day', now() + interval '29 days', now() + interval '29 days', l.currency from p, plan l where l.name = 'Scale'),
      q as (insert into partner_quota (partner_id, period_start, period_end, period_anchor, monthly_credits)
        select id, now() - interval '1 day', now() + interval '29 days', now() + interval '29 days', 1000000000 from p),
      c as (insert into client (partner_id, name) select p.id, 'Client ' || n from p, generate_series(1, $2::int) n returning id, partner_id)
    insert into workflow (partner_id, client_id, template_name, template_version, name, provider_flow_id)
      select c.partner_id, c.id, 'missed-call-text-back', 1, 'Missed-call text-back', 'flow' || substr(md5(c.id::text), 1, 17) from c returning id`,
    [agencies, perAgency],
  );
  await database.admin('analyze');
  return rows.map((row) => row.id);
}
