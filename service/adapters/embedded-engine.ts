import { type ChildProcess, spawn } from 'node:child_process';
import { hkdfSync } from 'node:crypto';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { ENGINE_NODE_FLAGS } from '@partner-portal/engine/options.ts';
import { z } from 'zod';
import type { DatabaseAddress } from '#platform/db/host.ts';
import type { Log } from '#platform/log.ts';
import type { Secret } from '#platform/secret.ts';
import { StartError } from '#platform/start-error.ts';
import type { EngineClient } from './engine-client.ts';

export type EmbeddedEngineOptions = {
  /** The engine's own account; it owns schema `engine`. */
  database: DatabaseAddress;
  adminEmail: string;
  adminPassword: Secret;
  /** 32 bytes in base64: seals connection values at rest; the engine's session key is derived from it. */
  encryptionKey: Secret;
  /** How many projects beside its own it may hold: `UNLIMITED` for a project per agency. */
  teamProjects?: 'ONE' | 'UNLIMITED';
  /** `host:port` that steps may call although the address is private: the service itself and the provider sandbox. */
  allowedHosts: readonly string[];
  /** Where Node keeps compiled code between starts: a quicker start and less memory. */
  compileCacheDir?: string;
  /** Tests only: where it listens first. */
  port?: number;
  log: Log;
};

export type EmbeddedEngine = {
  /** Its address, also while it is being started again there: a call then finds nobody, which is the truth. Null once it is stopped. */
  baseUrl(): string | null;
  pid(): number | null;
  /** Ends it and does not start it again. */
  stop(): Promise<void>;
};

const READY_LIMIT_MS = 30_000;
const STOP_LIMIT_MS = 12_000;
const FIRST_WAIT_MS = 200;
const WAIT_MS_MAX = 10_000;
/** An engine that ran this long has recovered: the next restart does not wait for the last ones. */
const SETTLED_MS = 30_000;

/** The line the engine reads at its start: it is another house, so the words are repeated here. */
type OptionsLine = {
  database: string | Omit<DatabaseAddress, 'ssl'>;
  host: string;
  port: number;
  adminEmail: string;
  adminPassword: string;
  encryptionKey: string;
  jwtSecret: string;
  teamProjects: 'ONE' | 'UNLIMITED';
  allowedHosts: readonly string[];
};

const readyShape = z.object({ ready: z.literal(true), port: z.number() });
const logShape = z.looseObject({ level: z.enum(['info', 'warn', 'error']).catch('info') });
const failureShape = z.object({ event: z.string().optional(), message: z.string() });

type Run = { child: ChildProcess; port: number; exited: Promise<void> };

/**
 * Runs the embedded engine as a process of its own and keeps it running: when it dies it is started again, after a wait that grows
 * with each failure. It keeps its port, so whoever holds the address finds it again. It ends with us even when we are killed,
 * because its standard input closes. Throws `StartError` when it does not come up the first time.
 */
export async function startEmbeddedEngine(options: EmbeddedEngineOptions): Promise<EmbeddedEngine> {
  const { log } = options;
  let current: Run | undefined;
  let port = options.port ?? 0;
  const stopping = new AbortController();
  let reviving = Promise.resolve();
  let failures = 0;

  const bring = async (): Promise<Run> => {
    const run = await launch(options, port, stopping.signal).catch((error: unknown) => {
      // Somebody else took the port while it was down: any other will do.
      if (String(error).includes('EADDRINUSE')) port = 0;
      throw error;
    });
    port = run.port;
    current = run;
    const startedAt = performance.now();
    void run.exited.then(() => {
      if (current === run) current = undefined;
      if (performance.now() - startedAt > SETTLED_MS) failures = 0;
      if (stopping.signal.aborted) return;
      log.error({ exitCode: run.child.exitCode, signal: run.child.signalCode }, 'embedded engine ended, starting it again');
      reviving = revive();
    });
    return run;
  };
  const revive = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const waitMs = Math.min(WAIT_MS_MAX, FIRST_WAIT_MS * 2 ** Math.min(failures++, 10));
      await delay(waitMs, undefined, { signal: stopping.signal }).catch(() => undefined);
      if (stopping.signal.aborted) return;
      try {
        await bring();
        return;
      } catch (error) {
        if (!stopping.signal.aborted) log.error({ err: error }, 'embedded engine did not start');
      }
    }
  };

  await bring();
  return {
    baseUrl: () => (port === 0 || stopping.signal.aborted ? null : `http://127.0.0.1:${port}`),
    pid: () => current?.child.pid ?? null,
    async stop() {
      stopping.abort();
      // One that is just being started is ended with this.
      await reviving;
      if (current) await end(current);
    },
  };
}

/** One life of the engine: started, fed its options, ready; or ended again when it is not wanted any more. */
async function launch(options: EmbeddedEngineOptions, port: number, unwanted: AbortSignal): Promise<Run> {
  const child = spawn(process.execPath, [...ENGINE_NODE_FLAGS, fileURLToPath(import.meta.resolve('@partner-portal/engine/main.ts'))], {
    stdio: ['pipe', 'pipe', 'pipe'],
    // Nothing of our environment; one malloc arena fewer per core keeps its memory small.
    env: { MALLOC_ARENA_MAX: '2', ...(options.compileCacheDir ? { NODE_COMPILE_CACHE: options.compileCacheDir } : {}) },
    // A group of its own: Ctrl-C reaches every process of the terminal, and we end the engine ourselves, after the last run has reported.
    detached: true,
  });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()).once('error', () => resolve()));
  let lastWords = '';
  createInterface({ input: child.stderr }).on('line', (line) => {
    lastWords = failureOf(line) ?? lastWords;
    forward(options.log, line);
  });
  // An engine that died before it read its options is noticed by its exit.
  child.stdin.on('error', () => undefined);
  child.stdin.write(`${JSON.stringify(engineOptions(options, port))}\n`);

  const ready = new Promise<number | null>((resolve) => {
    createInterface({ input: child.stdout }).once('line', (line) => resolve(readyShape.safeParse(parse(line)).data?.port ?? null));
    void exited.then(() => resolve(null));
  });
  const limit = Promise.withResolvers<null>();
  const giveUp = (): void => limit.resolve(null);
  const timer = setTimeout(giveUp, READY_LIMIT_MS);
  unwanted.addEventListener('abort', giveUp);
  const opened = await Promise.race([ready, limit.promise]);
  unwanted.removeEventListener('abort', giveUp);
  clearTimeout(timer);
  if (opened !== null) return { child, port: opened, exited };
  child.kill('SIGKILL');
  await exited;
  throw new StartError(`The embedded workflow engine did not start${lastWords === '' ? '' : `: ${lastWords}`}.`);
}

function engineOptions(options: EmbeddedEngineOptions, port: number): OptionsLine {
  const key = options.encryptionKey.reveal();
  return {
    database: databaseOf(options.database),
    host: '127.0.0.1',
    port,
    adminEmail: options.adminEmail,
    adminPassword: options.adminPassword.reveal(),
    encryptionKey: key,
    jwtSecret: Buffer.from(hkdfSync('sha256', key, '', 'engine sessions', 32)).toString('base64'),
    teamProjects: options.teamProjects ?? 'ONE',
    allowedHosts: options.allowedHosts,
  };
}

/** Fields, or an address when the connection is to be encrypted: that is the form in which the engine takes it. */
function databaseOf({ host, port, user, database, password, ssl }: DatabaseAddress): OptionsLine['database'] {
  if (!ssl) return { host, port, user, database, ...(password === undefined ? {} : { password }) };
  const account = `${encodeURIComponent(user)}:${encodeURIComponent(password ?? '')}`;
  const name = host.includes(':') ? `[${host}]` : host;
  return `postgres://${account}@${name}:${port}/${encodeURIComponent(database)}?sslmode=${ssl === true ? 'verify-full' : 'no-verify'}`;
}

/** Asks it to end, and ends it when it does not. */
async function end(run: Run): Promise<void> {
  const { child } = run;
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS);
  await run.exited;
  clearTimeout(timer);
}

/** Its log lines are JSON; they become ours, marked as the engine's. */
function forward(log: Log, line: string): void {
  const parsed = logShape.safeParse(parse(line));
  if (!parsed.success) return log.warn({ from: 'engine', line: line.slice(0, 2000) }, 'engine');
  const { level, ...rest } = parsed.data;
  // What it does in the ordinary course is of interest only to who looks closely.
  log[level === 'info' ? 'debug' : level]({ from: 'engine', ...rest }, 'engine');
}

function failureOf(line: string): string | undefined {
  return failureShape.safeParse(parse(line)).data?.message;
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** The project that shared tenancy uses when none is configured: the first of the embedded engine's admin. */
export async function findSharedProject(client: Pick<EngineClient, 'listProjects'>): Promise<string> {
  const [first] = await client.listProjects();
  if (first) return first.id;
  throw new StartError('The workflow engine has no project. Set AUTOMATION_ENGINE_PROJECT_ID to one of its projects.');
}
