import { type ChildProcess, spawn } from 'node:child_process';
import { hkdfSync } from 'node:crypto';
import { constants, setPriority } from 'node:os';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { ENGINE_NODE_FLAGS } from '@partner-portal/engine/options.ts';
import { z } from 'zod';
import type { DatabaseAddress } from '#platform/db/host.ts';
import type { Log } from '#platform/log.ts';
import { createInternalFetch } from '#platform/outbound/internal-fetch.ts';
import type { Secret } from '#platform/secret.ts';
import type { Tracer } from '#platform/tracing/tracer.ts';
import { StartError } from '#platform/start-error.ts';
import type { EngineClient } from './engine-client.ts';
import { parseJson } from '#platform/parse-json.ts';

export type EmbeddedEngineOptions = {
  /** The engine's own account; it owns schema `engine`. */
  database: DatabaseAddress;
  adminEmail: string;
  adminPassword: Secret;
  /** 32 bytes in base64: encrypts connection values at rest; the engine's session key is derived from it. */
  encryptionKey: Secret;
  /** Most projects besides its own: `UNLIMITED` for a project per partner. */
  teamProjects?: 'ONE' | 'UNLIMITED';
  /** `host:port` that steps may call although the address is private: the service itself and the provider sandbox. */
  allowedHosts: readonly string[];
  /** `host:port` of allowed ones that are served by another `host:port` now. */
  movedHosts?: Readonly<Record<string, string>>;
  /** Folder in which Node keeps compiled code between starts: a quicker start and less memory. */
  compileCacheDir?: string;
  /** Where it listens; on this machine alone, when left out. */
  host?: string;
  /** Where it listens first; any free port when left out. */
  port?: number;
  /** Id of the project of a new platform; one of its own when left out. */
  projectId?: string;
  /** How long a first start that fails is repeated: the database may be restarting. */
  startLimitMs: number;
  /** Ends the repeating. */
  startSignal?: AbortSignal | undefined;
  /** Called with a sentence while a start takes long: on a loaded machine it may take minutes. */
  onSlowStart?: (sentence: string) => void;
  /** After how long a start is slow; a minute when left out. */
  slowStartMs?: number;
  log: Log;
  /** Records the spans of its runs; none when left out. */
  tracer?: Tracer | undefined;
};

export type EmbeddedEngine = {
  /** Resolves when it accepts calls for the first time. Rejects with `StartError` when its first start keeps failing. */
  ready: Promise<void>;
  /** Returns its address, also during a restart, when calls are refused. Null before it is ready and once it is stopped. */
  baseUrl(): string | null;
  pid(): number | null;
  /** Returns how many code steps run in an isolate or wait for one; null when it does not answer. */
  codeStepsHeld(): Promise<number | null>;
  /** Stops it for good, also while it starts. */
  stop(): Promise<void>;
};

/** On a full machine runs wait, and events are still accepted. */
const ENGINE_NICENESS = constants.priority.PRIORITY_BELOW_NORMAL;
/** An engine that lives and is not ready may be on a loaded machine; one that hangs is replaced after this time. */
const READY_LIMIT_MS = 600_000;
const SLOW_START_MS = 60_000;
const STOP_LIMIT_MS = 12_000;
const FIRST_WAIT_MS = 200;
const WAIT_MS_MAX = 10_000;
/** An engine that ran this long has recovered: the next restart does not wait for the last ones. */
const SETTLED_MS = 30_000;

/** The line the engine reads when it starts. Repeated here, because the engine is an independent program. */
type OptionsLine = {
  database: DatabaseAddress;
  host: string;
  port: number;
  projectId?: string;
  adminEmail: string;
  adminPassword: string;
  encryptionKey: string;
  jwtSecret: string;
  teamProjects: 'ONE' | 'UNLIMITED';
  allowedHosts: readonly string[];
  movedHosts: Readonly<Record<string, string>>;
  traces: boolean;
};

/** Time limit of a reading of the metrics. */
const HELD_LIMIT_MS = 2_000;

const heldShape = z.object({ codeSteps: z.number() });
const readyShape = z.object({ ready: z.literal(true), port: z.number() });
const logShape = z.looseObject({ level: z.enum(['info', 'warn', 'error']).catch('info') });
const placeShape = z.object({ traceId: z.string(), spanId: z.string() });
const spansLine = z.object({
  spans: z.array(
    z.object({
      context: placeShape,
      parent: placeShape,
      name: z.string(),
      startedAt: z.number(),
      endedAt: z.number(),
      attributes: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
      error: z.string().nullish(),
    }),
  ),
});
const failureShape = z.object({ event: z.string().optional(), message: z.string() });

type Run = { child: ChildProcess; port: number; exited: Promise<void> };

/**
 * Runs the embedded engine in a process of its own and restarts it when it exits, with exponential back-off. It keeps its port. It exits with
 * this process, even a killed one, because its standard input closes.
 */
export function startEmbeddedEngine(options: EmbeddedEngineOptions): EmbeddedEngine {
  const { log } = options;
  let current: Run | undefined;
  let port = options.port ?? 0;
  const stopping = new AbortController();
  let restarting = Promise.resolve();
  let failures = 0;

  const start = async (): Promise<Run> => {
    const run = await launch(options, port, stopping.signal).catch((error: unknown) => {
      // Another process took the port in the meantime: any other will do.
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
      log.error({ exitCode: run.child.exitCode, signal: run.child.signalCode }, 'embedded engine exited, restarting');
      restarting = restart();
    });
    return run;
  };
  const restart = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const waitMs = Math.min(WAIT_MS_MAX, FIRST_WAIT_MS * 2 ** Math.min(failures++, 10));
      await delay(waitMs, undefined, { signal: stopping.signal }).catch(() => undefined);
      if (stopping.signal.aborted) return;
      try {
        await start();
        return;
      } catch (error) {
        if (!stopping.signal.aborted) log.error({ err: error }, 'embedded engine did not start');
      }
    }
  };

  const startFirst = async (): Promise<void> => {
    const giveUpAt = performance.now() + options.startLimitMs;
    for (;;) {
      try {
        await start();
        return;
      } catch (error) {
        if (stopping.signal.aborted || options.startSignal?.aborted || performance.now() >= giveUpAt) throw error;
        log.warn({ err: error }, 'embedded engine did not start, trying again');
        await delay(FIRST_WAIT_MS, undefined, { signal: stopping.signal }).catch(() => undefined);
      }
    }
  };
  const ready = startFirst();
  // A start that is stopped has no one who waits for it.
  ready.catch(() => undefined);
  return {
    ready,
    baseUrl: () => (port === 0 || stopping.signal.aborted ? null : `http://127.0.0.1:${port}`),
    pid: () => current?.child.pid ?? null,
    async codeStepsHeld() {
      const origin = `http://127.0.0.1:${port}`;
      const internal = createInternalFetch((asked) => asked === origin);
      try {
        const { text } = await internal.send({ method: 'GET', url: `${origin}/api/v1/held`, timeoutMs: HELD_LIMIT_MS });
        return heldShape.parse(parseJson(text)).codeSteps;
      } catch {
        return null;
      } finally {
        await internal.close();
      }
    },
    async stop() {
      stopping.abort();
      // Includes an engine that is starting.
      await ready.catch(() => undefined);
      await restarting;
      if (current) await end(current);
    },
  };
}

/** Starts the engine, passes its options and waits until it is ready; kills it when `unwanted` aborts. */
async function launch(options: EmbeddedEngineOptions, port: number, unwanted: AbortSignal): Promise<Run> {
  const child = spawn(process.execPath, [...ENGINE_NODE_FLAGS, fileURLToPath(import.meta.resolve('@partner-portal/engine/main.ts'))], {
    stdio: ['pipe', 'pipe', 'pipe'],
    // None of this environment; fewer malloc arenas keep its memory small.
    env: { MALLOC_ARENA_MAX: '2', ...(options.compileCacheDir ? { NODE_COMPILE_CACHE: options.compileCacheDir } : {}) },
    // Its own process group: Ctrl-C must not reach the engine, which is stopped after the last execution has reported.
    detached: true,
  });
  // What it starts inherits that.
  if (child.pid !== undefined) setPriority(child.pid, ENGINE_NICENESS);
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()).once('error', () => resolve()));
  let lastFailure = '';
  createInterface({ input: child.stderr }).on('line', (line) => {
    lastFailure = failureOf(line) ?? lastFailure;
    forward(options.log, line);
  });
  // An engine that died before it read its options is noticed by its exit.
  child.stdin.on('error', () => undefined);
  child.stdin.write(`${JSON.stringify(engineOptions(options, port))}\n`);

  const ready = new Promise<number | null>((resolve) => {
    const lines = createInterface({ input: child.stdout });
    lines.once('line', (line) => {
      resolve(readyShape.safeParse(parseJson(line)).data?.port ?? null);
      const { tracer } = options;
      if (tracer !== undefined) lines.on('line', (next) => recordSpans(tracer, next));
    });
    void exited.then(() => resolve(null));
  });
  const limit = Promise.withResolvers<null>();
  const giveUp = (): void => limit.resolve(null);
  const timer = setTimeout(giveUp, READY_LIMIT_MS);
  const slow = setTimeout(
    () => options.onSlowStart?.(`The workflow engine is still starting; waiting up to ${READY_LIMIT_MS / 60_000} minutes`),
    options.slowStartMs ?? SLOW_START_MS,
  );
  unwanted.addEventListener('abort', giveUp);
  const opened = await Promise.race([ready, limit.promise]);
  unwanted.removeEventListener('abort', giveUp);
  clearTimeout(timer);
  clearTimeout(slow);
  if (opened !== null) return { child, port: opened, exited };
  child.kill('SIGKILL');
  await exited;
  throw new StartError(`The embedded workflow engine did not start${lastFailure === '' ? '' : `: ${lastFailure}`}.`);
}

function engineOptions(options: EmbeddedEngineOptions, port: number): OptionsLine {
  const key = options.encryptionKey.reveal();
  return {
    database: options.database,
    host: options.host ?? '127.0.0.1',
    port,
    ...(options.projectId === undefined ? {} : { projectId: options.projectId }),
    adminEmail: options.adminEmail,
    adminPassword: options.adminPassword.reveal(),
    encryptionKey: key,
    jwtSecret: Buffer.from(hkdfSync('sha256', key, '', 'engine sessions', 32)).toString('base64'),
    teamProjects: options.teamProjects ?? 'ONE',
    allowedHosts: options.allowedHosts,
    movedHosts: options.movedHosts ?? {},
    traces: options.tracer !== undefined,
  };
}

/** Stops it gracefully, or kills it after the limit. */
async function end(run: Run): Promise<void> {
  const { child } = run;
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS);
  await run.exited;
  clearTimeout(timer);
}

/** Forwards the engine's JSON log lines, marked as such. */
function forward(log: Log, line: string): void {
  const parsed = logShape.safeParse(parseJson(line));
  if (!parsed.success) return log.warn({ from: 'engine', line: line.slice(0, 2000) }, 'engine');
  const { level, ...rest } = parsed.data;
  // Routine lines are for debugging only.
  log[level === 'info' ? 'debug' : level]({ from: 'engine', ...rest }, 'engine');
}

/** Records spans that the engine wrote to its standard output. It has no exporter of its own, and no address or token of the collector. */
function recordSpans(tracer: Tracer, line: string): void {
  const { data } = spansLine.safeParse(parseJson(line));
  for (const span of data?.spans ?? []) tracer.recordOfEngine(span);
}

function failureOf(line: string): string | undefined {
  return failureShape.safeParse(parseJson(line)).data?.message;
}

/** Returns the project of shared tenancy when none is configured: the first of the embedded engine's admin. */
export async function findSharedProject(client: Pick<EngineClient, 'listProjects'>): Promise<string> {
  const [first] = await client.listProjects();
  if (first) return first.id;
  throw new StartError('The workflow engine has no project. Set AUTOMATION_ENGINE_PROJECT_ID to one of its projects.');
}
