import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Client, createClient } from '@partner-portal/contract/client.ts';
import { type Routes, routes } from '@partner-portal/contract/index.ts';
import { ADMIN_ROLE } from '@partner-portal/service/platform/db/embedded.ts';
import { seedWorkspace, type Workspace } from '@partner-portal/service/quick-start/seed-workspace.ts';
import { findServiceMain } from '../../scripts/start.ts';
import { SWEEPS } from '@partner-portal/service/schema/sweeps.ts';
import pg from 'pg';
import { fillDataDir } from './cluster-template.ts';
import { makeDataDir } from './data-folder.ts';
import { assertDeclared } from './declared-errors.ts';
import { freePort } from './free-port.ts';
import { readHeld } from './held.ts';

/**
 * The whole product: service, engine and Postgres as processes on a data folder of their own, called over HTTP. For journeys, faults
 * and the browser; module tests use the cheaper `startTestService`.
 */
export type System = {
  baseUrl: string;
  port: number;
  dataDir: string;
  /** Port of its metrics. */
  metricsPort: number;
  /** The seeded ADMIN. */
  admin: { email: string; password: string };
  pid(): number;
  /** Resolves when the service process has ended. */
  ended(): Promise<unknown>;
  /** Returns the process id of the embedded engine. */
  enginePid(): number | undefined;
  /** Typed calls; unauthenticated without a token. */
  client(token?: string): Client<Routes>;
  login(email: string, password: string): Promise<string>;
  /** Returns the contents of the local settings file. */
  settings(): Record<string, string>;
  /** Returns the whole of service.log. */
  log(): string;
  /** Returns the output of the process. */
  output(): string;
  /** One statement as the server's administrator: no policy applies. Connections are kept, so what it sets is `set local`. */
  query<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>;
  /** Ends the service with a signal and waits until it is gone. Postgres stays when it is SIGKILL, as after a real crash. */
  kill(signal: NodeJS.Signals): Promise<void>;
  /** Starts the service again on the same data. */
  restart(): Promise<void>;
  /** Stops in order, kills leftover processes and removes the data. */
  stop(): Promise<void>;
};

export type SystemOptions = {
  env?: Record<string, string>;
  /** Arguments of the service; `--empty` unless given. Without `--empty`, the quick start writes its workspace. */
  args?: readonly string[];
  /** Before it stops, the service must release all resources (held.ts): each test has ended what it began. */
  endsAtRest?: boolean;
  /** Sees the response of every typed call and of `System.login`. */
  fetch?: typeof fetch;
};

const ROOT = join(import.meta.dirname, '..', '..');
/** The file that is deployed, where it is as new as the sources; the sources otherwise. */
export const SERVICE_MAIN = findServiceMain();
/** Code is compiled once, as with `npm start`, and not by each of the processes that tests start. */
export const COMPILED = { NODE_COMPILE_CACHE: join(ROOT, 'node_modules', '.cache', 'compiled') };
const ADMIN = { email: 'staff@portal.example', password: 'seven green sparrows' };
/** Password of the demo people of `seedDemo`. */
export const DEMO_PASSWORD = 'seven quiet harbors';
/** Guards against hanging alone: many conditions depend on a job that runs once a minute or on growing back-off, and a start takes two minutes on a busy machine. */
const LIMIT_MS = 600_000;
/** The service notes the port of its provider sandbox here, and takes it again. */
const SANDBOX_PORT = 'sandbox-port';
const POLL_MS_MIN = 20;
const POLL_MS_MAX = 100;

/** A fresh system that is ready, empty unless `args` say otherwise. */
export async function startSystem(options: SystemOptions = {}): Promise<System> {
  const dataDir = makeDataDir();
  const port = await freePort();
  const metricsPort = await freePort();
  const baseUrl = `http://127.0.0.1:${port}`;
  const ask = onlyDeclared(options.fetch ?? fetch);
  let running: Service | undefined;
  // Also when a test fails before its `stop`.
  const clear = (): void => {
    if (running?.isAlive()) process.kill(running.pid, 'SIGKILL');
    endLeftovers(dataDir);
    rmSync(dataDir, { recursive: true, force: true });
  };
  process.once('exit', clear);
  const env = {
    PORT: String(port),
    METRICS_PORT: String(metricsPort),
    PUBLIC_BASE_URL: baseUrl,
    DATA_DIR: dataDir,
    SEED_ADMIN_EMAIL: ADMIN.email,
    SEED_ADMIN_PASSWORD: ADMIN.password,
    // Tests send more in a minute than people in a day. The limits are tested in two-processes.test.ts.
    CALLER_REQUESTS_PER_MINUTE: '1000000',
    FIRST_CONTACTS_PER_HOUR: '10000',
    PARTNER_REQUESTS_PER_MINUTE: '1000000',
  };
  const start = async (): Promise<void> => {
    const service = spawnService({ ...env, ...options.env }, options.args);
    running = service;
    await until('the service is ready', async () => {
      if (!service.isAlive()) throw new Error(`The service ended: ${service.output()}`);
      // Printed by the process once its start is complete.
      return /portal is at|Ready at/.test(service.output()) && (await fetch(`${baseUrl}/health/ready`)).ok;
    });
  };
  const current = (): Service => {
    if (!running) throw new Error('The service was not started.');
    return running;
  };
  const kill = async (signal: NodeJS.Signals): Promise<void> => {
    const service = current();
    if (service.isAlive()) process.kill(service.pid, signal);
    await service.ended;
  };
  try {
    await fillDataDir(dataDir);
    // A port of its own choice may be anyone's while the service is down, and the next start would move the sandbox and rewrite every connection.
    writeFileSync(join(dataDir, SANDBOX_PORT), String(await freePort()));
    await start();
  } catch (error) {
    // The caller gets nothing to stop it with, and a living service keeps the test process from ending.
    clear();
    process.off('exit', clear);
    throw error;
  }
  const pool = openPool(dataDir);
  return {
    baseUrl,
    port,
    dataDir,
    metricsPort,
    kill,
    admin: { email: options.env?.['SEED_ADMIN_EMAIL'] ?? ADMIN.email, password: options.env?.['SEED_ADMIN_PASSWORD'] ?? ADMIN.password },
    pid: () => current().pid,
    ended: () => current().ended,
    enginePid: () => childrenOf(current().pid).find((pid) => /engine(\/main\.ts|\.js)/.test(commandOf(pid))),
    client: (token) => createClient(routes, { baseUrl, fetch: ask, token: () => token }),
    async login(email, password) {
      const answer = await createClient(routes, { baseUrl, fetch: ask }).login({ body: { email, password } });
      if ('mfaRequired' in answer) throw new Error(`${email} has a second factor.`);
      return answer.accessToken;
    },
    settings: () => readSettings(dataDir),
    log: () => readFileSync(join(dataDir, 'service.log'), 'utf8'),
    output: () => current().output(),
    query: async <Row extends pg.QueryResultRow>(text: string, values: unknown[] = []) => (await pool.query<Row>(text, values)).rows,
    restart: start,
    async stop() {
      await pool.end();
      try {
        if (options.endsAtRest && current().isAlive()) await untilNothingHeld(metricsPort);
      } finally {
        await kill('SIGTERM');
        clear();
        process.off('exit', clear);
      }
    },
  };
}

/** Kept connections: a test that waits asks every few milliseconds, and a new connection costs the server a process. */
function openPool(dataDir: string): pg.Pool {
  const address = { host: join(dataDir, 'postgres', 'socket'), port: 5432, user: ADMIN_ROLE, database: 'portal' };
  const pool = new pg.Pool({ ...address, application_name: 'portal test', max: 8, allowExitOnIdle: true });
  // Tests kill the server: the next query opens another connection.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

/** Typed calls meet no problem that their route does not declare. */
function onlyDeclared(ask: typeof fetch): typeof fetch {
  return async (input, init) => {
    const answer = await ask(input, init);
    if (!answer.ok) assertDeclared(init?.method ?? 'GET', new URL(answer.url).pathname, await answer.clone().text());
    return answer;
  };
}

/** The quick start's own workspace: agency, moderator, two clients, client user, keys and three installed agents. */
export async function seedDemo(system: System): Promise<Workspace> {
  const workspace = await seedWorkspace({ baseUrl: system.baseUrl, admin: system.admin, password: DEMO_PASSWORD, report: () => undefined });
  if (workspace.problem !== null) throw new Error(`The demo was not installed: ${workspace.problem}`);
  return workspace;
}

/** Queues a scheduled job of `schema/sweeps.ts` as its next minute would, so that a test whose rows are due does not wait for that minute. */
export async function runSweep({ query }: Pick<System, 'query'>, name: string): Promise<void> {
  assert.ok(name in SWEEPS, `no scheduled job is called ${name}`);
  await query('select graphile_worker.add_job($1, queue_name => $1, job_key => $1)', [`cron.${name}`]);
}

/** A path of this system's provider sandbox. */
export function sandboxUrl(system: System, path = ''): string {
  return `http://127.0.0.1:${readFileSync(join(system.dataDir, SANDBOX_PORT), 'utf8')}${path}`;
}

/** The bearer of this system's provider sandbox. */
export function sandboxToken(system: System): string {
  return readFileSync(join(system.dataDir, 'sandbox-token'), 'utf8');
}

export type Service = { pid: number; isAlive(): boolean; output(): string; ended: Promise<{ code: number | null; signal: string | null }> };

/** The service's own entry, or `main` of another version, with exactly these variables. `output` is what it writes to the terminal. */
export function spawnService(
  env: Record<string, string>,
  args: readonly string[] = ['--empty'],
  { main = SERVICE_MAIN, ...how }: { main?: string; uid?: number; gid?: number } = {},
): Service {
  const child: ChildProcess = spawn(process.execPath, [main, ...args], {
    cwd: ROOT,
    env: { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '', ...COMPILED, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...how,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const ended = new Promise<{ code: number | null; signal: string | null }>((resolve, reject) => {
    child.once('close', (code, signal) => resolve({ code, signal }));
    child.once('error', reject);
  });
  return { pid: child.pid ?? 0, isAlive: () => child.exitCode === null && child.signalCode === null, output: () => output, ended };
}

/** Polls until the result is neither false nor undefined nor an error; fails with the last error after some minutes. */
export async function until<T>(what: string, poll: () => T | Promise<T>): Promise<Exclude<T, false | undefined>> {
  const startedAt = performance.now();
  let last: unknown;
  for (;;) {
    try {
      const result = await poll();
      if (result !== false && result !== undefined) return result as Exclude<T, false | undefined>; // both were just ruled out
    } catch (error) {
      if (error instanceof Error && error.message.startsWith('The service ended')) throw error;
      last = error;
    }
    const waitedMs = performance.now() - startedAt;
    if (waitedMs > LIMIT_MS) throw new Error(`Timed out waiting until ${what}.`, { cause: last });
    // A look takes processor time from what it waits for: the longer that takes, the less a late look matters.
    await delay(Math.min(Math.max(POLL_MS_MIN, waitedMs / 20), POLL_MS_MAX));
  }
}

/** Waits until a running process holds nothing: what it still works on ends by itself, what has leaked never does. */
export async function untilNothingHeld(metricsPort: number): Promise<void> {
  await until('the process holds nothing', async () => {
    const held = await readHeld(metricsPort);
    if (held.length > 0) throw new Error(`It holds ${held.join(', ')}.`);
    return true;
  });
}

export function readSettings(dataDir: string): Record<string, string> {
  const lines = readFileSync(join(dataDir, 'settings.env'), 'utf8').split('\n');
  return Object.fromEntries(
    lines.filter((line) => /^[A-Z]/.test(line)).map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );
}

/** Ends the Postgres that a killed service left behind. */
export function endLeftovers(dataDir: string): void {
  const pid = postmasterPid(dataDir);
  if (pid === undefined) return;
  try {
    process.kill(pid, 'SIGQUIT');
  } catch {
    // The process has already ended.
  }
}

/** The server of this data folder, when one runs. */
export function postmasterPid(dataDir: string): number | undefined {
  const cluster = join(dataDir, 'postgres', 'cluster');
  try {
    const pid = Number(readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')[0]);
    return commandOf(pid).includes(cluster) ? pid : undefined;
  } catch {
    return undefined;
  }
}

/** All living descendants. */
export function childrenOf(pid: number): number[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    // The fields after the command's closing bracket: state, parent.
    const [, parent] = readProc(`${name}/stat`)
      .replace(/^.*\) /s, '')
      .split(' ');
    parents.set(Number(name), Number(parent));
  }
  const below = (of: number): number[] => [...parents].filter(([, parent]) => parent === of).flatMap(([child]) => [child, ...below(child)]);
  return below(pid);
}

/** Empty when the process is gone. */
export function commandOf(pid: number): string {
  return readProc(`${pid}/cmdline`).replaceAll('\0', ' ');
}

/** Returns an empty text for a process that has ended. */
export function readProc(path: string): string {
  try {
    return readFileSync(join('/proc', path), 'latin1');
  } catch {
    return '';
  }
}
