import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { ADMIN_ROLE, type EmbeddedPostgres, startEmbeddedPostgres } from '@partner-portal/service/platform/db/embedded.ts';
import { withClient } from '@partner-portal/service/platform/db/roles.ts';
import type * as Seed from '@partner-portal/service/quick-start/seed-workspace.ts';
import { type AdminQuery, openAsAdmin } from '../harness/database.ts';
import { makeDataDir } from '../harness/data-folder.ts';
import { freePort } from '../harness/free-port.ts';
import { COMPILED, type Service, spawnService, until } from '../harness/system.ts';
import { checkOut, findVersionBefore, type VersionBefore } from './version-before.ts';

// A rolling upgrade (docs/adr/0081-expand-then-contract.md): the service of the version before goes on while this version migrates its database, and next to
// a process of this version.

const ROOT = join(import.meta.dirname, '..', '..');
const ADMIN = { email: 'staff@portal.example', password: 'seven green sparrows' };
const PASSWORD = 'seven quiet harbors';
const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined };
const found = findVersionBefore();

describe('a service of the version before', { skip: 'skip' in found ? found.skip : false, timeout: 900_000 }, () => {
  const dataDir = makeDataDir();
  let version: VersionBefore;
  let server: EmbeddedPostgres;
  let query: AdminQuery;
  let endQueries: () => Promise<void>;
  let settings: Record<string, string>;
  let seed: typeof Seed;
  let workspace: Seed.Workspace;
  let posted = 0;
  const running: Service[] = [];
  const baseUrls: string[] = [];

  const start = async (main: string, env: Record<string, string>): Promise<string> => {
    const port = await freePort();
    const baseUrl = `http://127.0.0.1:${port}`;
    const service = spawnService({ ...settings, PORT: String(port), PUBLIC_BASE_URL: baseUrl, ...env }, ['--empty'], { main });
    running.push(service);
    await until('the service is ready', () => {
      if (!service.isAlive()) throw new Error(`The service ended: ${service.output()}`);
      return service.output().includes('Ready at');
    });
    baseUrls.push(baseUrl);
    return baseUrl;
  };
  before(async () => {
    assert.ok('revision' in found);
    mkdirSync(join(dataDir, 'service'));
    version = checkOut(found.revision);
    server = await startEmbeddedPostgres({ dataDir, log: quiet, settings: { max_connections: '120', fsync: 'off' } });
    await withClient(server.adminConfig, (client) => client.query('create database portal'));
    ({ query, end: endQueries } = openAsAdmin(server, 'portal'));
    const { host, port } = server.adminConfig;
    settings = {
      DATABASE_URL: `postgres://${ADMIN_ROLE}:none@${encodeURIComponent(host)}:${port}/portal`,
      DATA_DIR: join(dataDir, 'service'),
      JWT_SECRET: randomBytes(32).toString('hex'),
      AUTOMATION_CALLBACK_SECRET: randomBytes(32).toString('hex'),
      CREDENTIALS_ENCRYPTION_KEY: `k1:${randomBytes(32).toString('base64')}`,
      SEED_ADMIN_EMAIL: ADMIN.email,
      SEED_ADMIN_PASSWORD: ADMIN.password,
    };
    const baseUrl = await start(join(version.dir, 'service', 'main.ts'), {
      PROVIDER_SANDBOX: 'true',
      AUTOMATION_ENGINE_ENABLED: 'true',
      AUTOMATION_ENGINE_ADMIN_EMAIL: 'engine-admin@portal.example',
      AUTOMATION_ENGINE_ADMIN_PASSWORD: randomBytes(16).toString('hex'),
      AUTOMATION_ENGINE_ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    });
    // Its own client: what the API of this version adds is not there yet.
    seed = (await import(pathToFileURL(join(version.dir, 'service', 'quick-start', 'seed-workspace.ts')).href)) as typeof Seed;
    workspace = await seed.seedWorkspace({ baseUrl, admin: ADMIN, password: PASSWORD, report: () => undefined });
    assert.equal(workspace.problem, null);
  });
  after(async () => {
    for (const service of running.toReversed()) if (service.isAlive()) process.kill(service.pid, 'SIGTERM');
    for (const service of running) await service.ended;
    await endQueries?.();
    await server?.stop();
    rmSync(dataDir, { recursive: true, force: true });
    version?.remove();
  });

  /** What senders do: an answer that says that the service cannot answer now is followed by the same event, with its key. */
  const post = async (baseUrl: string): Promise<string> => {
    const url = new URL(await seed.ingestUrl(workspace.owner, workspace.workflowIds['lead-intake-cleaner']));
    const key = `event-${(posted += 1)}`;
    const answer = await until('the event is accepted', async () => {
      const response = await fetch(`${baseUrl}${url.pathname}${url.search}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'idempotency-key': key },
        body: JSON.stringify({ name: 'Ana Flores', email: 'ana@example.com', message: 'Do you treat knees?' }),
      });
      return response.status === 202 && ((await response.json()) as { executionId: string });
    });
    return answer.executionId;
  };
  /** Logs in, posts an event, and waits until its run has reported and is metered once. */
  const walk = async (baseUrl: string): Promise<void> => {
    workspace.owner = await until('a person logs in', () => seed.signIn(baseUrl, seed.DEMO.owner.email, PASSWORD));
    const id = await post(baseUrl);
    await until('the run has ended', async () => (await workspace.owner.getExecution({ params: { id } })).status !== 'RUNNING');
    assert.equal((await workspace.owner.getExecution({ params: { id } })).status, 'SUCCEEDED');
    const metered = await query('select from usage_entry where execution_id = $1', [id]);
    assert.equal(metered.length, 1);
  };
  const routines = async (): Promise<string[]> =>
    (
      await query<{ name: string }>(
        `select oid::regprocedure::text as name from pg_proc where pronamespace = 'public'::regnamespace and prokind = 'f'`,
      )
    ).map(({ name }) => name);

  it('takes events, reports and logins after the schema became that of this version, which drops no function it calls', async () => {
    const [baseUrl = ''] = baseUrls;
    await walk(baseUrl);
    const before = await routines();
    assert.ok(before.length > 100);
    execFileSync(process.execPath, [join(ROOT, 'service', 'command.ts'), 'migrate'], {
      env: { PATH: process.env['PATH'] ?? '', ...COMPILED, ...settings, PUBLIC_BASE_URL: baseUrl },
    });
    const now = new Set(await routines());
    assert.deepEqual(
      before.filter((name) => !now.has(name)),
      [],
      'a function keeps its former declaration until no version calls it',
    );
    await walk(baseUrl);
  });

  it('does the work for a process of this version', async () => {
    const [old = ''] = baseUrls;
    await walk(await start(join(ROOT, 'service', 'main.ts'), { ROLE: 'http', DATA_DIR: join(dataDir, 'next') }));
    await walk(old);
  });
});
