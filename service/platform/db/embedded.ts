import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmod, chown, link, lstat, mkdir, mkdtemp, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { StartError } from '../start-error.ts';
import { explainServerFailure, unusableFolder } from './embedded-errors.ts';
import type { DatabaseHost } from './host.ts';
import { chooseUser, hasCode, isReachableBy, locatePostgres, type OsUser, sharedFolder } from './postgres-binaries.ts';
import { isPostmasterOf, processStartedAt, readPostmasterFile } from './postmaster.ts';

/** Log of the supervisor; any pino logger fits. */
export type SupervisorLog = {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
};

/** A running server; `adminConfig` is its superuser in the database `postgres`. */
export type EmbeddedPostgres = DatabaseHost & {
  /** Fast shutdown; sessions still open are ended by the server. */
  stop(): Promise<void>;
  /** True when a server left behind by a killed parent was taken over instead of started. */
  adopted: boolean;
  pid(): number | null;
};

export type EmbeddedOptions = {
  /** Data folder; created when missing. Contains `cluster/`, `socket/` and `server.log`. */
  dataDir: string;
  log: SupervisorLog;
  /** Tests only: also listen on this loopback port. */
  listenTcp?: number;
  /** Overrides of server settings; the test cluster switches fsync off. */
  settings?: Record<string, string>;
  /** Tests only: several processes use one cluster, so no owner is recorded and nothing is restarted. */
  shared?: boolean;
};

export const ADMIN_ROLE = 'portal_admin';
const PORT = 5432;
const SOCKET_PATH_BYTES_MAX = 107;
const READY_TIMEOUT_MS = 60_000;
const FAST_STOP_TIMEOUT_MS = 10_000;
const POLL_MS = 10;

/** Sized for a machine that runs everything; durability stays on. */
const SETTINGS: Record<string, string> = {
  shared_buffers: '128MB',
  max_connections: '60',
  jit: 'off',
  wal_compression: 'on',
  fsync: 'on',
  synchronous_commit: 'on',
  max_wal_size: '512MB',
  // Not errors of statements: the service logs its own, and a tenant can cause any number of them.
  log_min_messages: 'log',
  // The details of a refused statement contain the refused row: addresses, hashes.
  log_error_verbosity: 'terse',
  timezone: 'UTC',
  io_method: 'sync',
};

type Layout = { dataDir: string; clusterDir: string; socketDir: string; logFile: string; user: OsUser | null; binDir: string };

/**
 * Starts, or takes over, the PostgreSQL server that belongs to `dataDir` and keeps it running until `stop()`.
 * It listens on a Unix socket in a private folder: no port conflicts, and no other account can connect. It runs in its own session, so that
 * Ctrl-C reaches the service first and requests can finish. Throws `StartError` with one sentence to act on.
 */
export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const layout = await prepareLayout(options);
  if (!options.shared) await claimOwnership(layout.dataDir);
  let server = await adoptServer(layout);
  const adopted = server !== null;
  server ??= await launch(layout, options);
  options.log.info({ pid: server.pid, adopted }, adopted ? 'postgres adopted' : 'postgres started');

  const stopping = new AbortController();
  let current: Server | null = server;
  let restarting = Promise.resolve();
  const supervise = async (watched: Server): Promise<void> => {
    await watched.ended;
    if (stopping.signal.aborted) return;
    current = null;
    options.log.error({ pid: watched.pid }, 'postgres ended unexpectedly, restarting');
    restarting = restart();
  };
  const restart = async (): Promise<void> => {
    for (let waitMs = 100; !stopping.signal.aborted; waitMs = Math.min(waitMs * 2, 5_000)) {
      try {
        const next = await launch(layout, options);
        current = next;
        options.log.info({ pid: next.pid }, 'postgres restarted');
        void supervise(next);
        return;
      } catch (error) {
        options.log.error({ err: error }, 'postgres did not restart');
        await delay(waitMs, undefined, { signal: stopping.signal }).catch(() => undefined);
      }
    }
  };
  if (!options.shared) void supervise(server);

  const address = { host: server.socketDir, port: server.port };
  return {
    adminConfig: { ...address, user: ADMIN_ROLE, database: 'postgres' },
    configFor: (role, database) => ({ ...address, user: role, database }),
    adopted,
    pid: () => current?.pid ?? null,
    async stop() {
      stopping.abort();
      // A server being restarted would otherwise stay behind.
      await restarting;
      if (current) await stopServer(current);
      if (!options.shared) await rm(join(layout.dataDir, 'owner'), { force: true });
    },
  };
}

type Server = { pid: number; port: number; socketDir: string; ended: Promise<void> };

async function prepareLayout(options: EmbeddedOptions): Promise<Layout> {
  const dataDir = resolve(options.dataDir);
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o755 });
    const probe = join(dataDir, '.write-probe');
    await writeFile(probe, 'x'.repeat(4096));
    await rm(probe);
  } catch (cause) {
    throw unusableFolder(dataDir, cause);
  }
  let clusterDir = join(dataDir, 'cluster');
  let socketDir = join(dataDir, 'socket');
  const user = await chooseUser(clusterDir);
  if (user && !(await isReachableBy(clusterDir, user))) {
    // Under a private home no other account can enter, and root may not run the server: keep the cluster outside.
    clusterDir = await placeOutside(dataDir);
    socketDir = join(dirname(clusterDir), 'socket');
    await mkdir(dirname(clusterDir), { recursive: true, mode: 0o755 });
    options.log.warn({ clusterDir }, `the account "${user.name}" cannot enter ${dataDir}; the database is kept elsewhere`);
  }
  const socketPath = join(socketDir, `.s.PGSQL.${PORT}.lock`);
  if (Buffer.byteLength(socketPath) > SOCKET_PATH_BYTES_MAX) {
    socketDir = await placeSocket(dataDir, user);
  }
  await mkdir(socketDir, { recursive: true, mode: 0o700 });
  await chmod(socketDir, 0o700);
  if (user) await chown(socketDir, user.uid, user.gid);
  const { binDir, major } = await locatePostgres(user);
  const layout = { dataDir, clusterDir, socketDir, logFile: join(dataDir, 'server.log'), user, binDir };
  const found = await readFile(join(clusterDir, 'PG_VERSION'), 'utf8').catch(() => null);
  if (found === null) await initialise(layout, options);
  else if (found.trim() !== major) {
    throw new StartError(
      `${clusterDir} was created by PostgreSQL ${found.trim()}, but this version includes PostgreSQL ${major}. ` +
        'Export the data with the old version, or choose another DATA_DIR.',
    );
  }
  await refuseForeignOwner(clusterDir);
  return layout;
}

/**
 * Returns where the cluster of an inaccessible folder is. A note in the folder names it, not the folder's path: a moved folder finds its data,
 * and a new one does not get those of an old one. Concurrent starts agree on the first note.
 */
async function placeOutside(dataDir: string): Promise<string> {
  const note = join(dataDir, 'LOCATION');
  const draft = `${note}.${process.pid}`;
  const fresh = join(await sharedFolder(), randomBytes(6).toString('hex'), 'cluster');
  await writeFile(draft, `${fresh}\n`);
  await link(draft, note).catch((error: unknown) => {
    if (!hasCode(error, 'EEXIST')) throw unusableFolder(dataDir, error);
  });
  await rm(draft);
  return (await readFile(note, 'utf8')).trim();
}

/**
 * Returns the socket folder of a data folder whose own path is too long: made under a name that no other account can foresee, and noted in the
 * data folder. A noted one is used again only while it is a private folder of this account or the server's.
 */
async function placeSocket(dataDir: string, user: OsUser | null): Promise<string> {
  const note = join(dataDir, 'SOCKET');
  const known = (await readFile(note, 'utf8').catch(() => '')).trim();
  if (known !== '' && (await isPrivateFolder(known, user))) return known;
  await rm(note, { force: true });
  const fresh = await mkdtemp(join(tmpdir(), 'portal-pg-'));
  const draft = `${note}.${process.pid}`;
  await writeFile(draft, `${fresh}\n`);
  const isFirst = await link(draft, note).then(
    () => true,
    () => false,
  );
  await rm(draft);
  if (isFirst) return fresh;
  await rm(fresh, { recursive: true });
  return (await readFile(note, 'utf8')).trim();
}

async function isPrivateFolder(path: string, user: OsUser | null): Promise<boolean> {
  const found = await lstat(path).catch(() => null);
  const owners = [process.getuid?.() ?? 0, user?.uid];
  return found !== null && found.isDirectory() && owners.includes(found.uid) && (found.mode & 0o077) === 0;
}

async function refuseForeignOwner(clusterDir: string): Promise<void> {
  const uid = process.getuid?.() ?? 0;
  const owner = (await stat(clusterDir)).uid;
  if (uid !== 0 && owner !== uid) {
    throw new StartError(
      `${clusterDir} belongs to another account (uid ${owner}). Start the service as that account, or choose another DATA_DIR.`,
    );
  }
}

async function initialise(layout: Layout, options: EmbeddedOptions): Promise<void> {
  // initdb works in a folder of another name; the rename at the end makes a partial cluster impossible.
  const fresh = `${layout.clusterDir}.new`;
  try {
    await rm(fresh, { recursive: true, force: true });
    await mkdir(fresh, { mode: 0o700 });
    if (layout.user) await chown(fresh, layout.user.uid, layout.user.gid);
  } catch (cause) {
    throw unusableFolder(layout.dataDir, cause);
  }
  const durable = (options.settings?.['fsync'] ?? 'on') === 'on';
  const args = ['-D', fresh, '-U', ADMIN_ROLE, '--auth=trust', '--encoding=UTF8', '--locale-provider=builtin', '--locale=C.UTF-8'];
  const child = spawn(join(layout.binDir, 'initdb'), durable ? args : [...args, '--no-sync'], {
    ...identity(layout.user),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const ended: unknown[] = await once(child, 'close').catch((error: unknown) => [error]);
  if (ended[0] !== 0) {
    await rm(fresh, { recursive: true, force: true });
    throw await explainServerFailure(layout, output || String(ended[0]), 'could not be created');
  }
  await rename(fresh, layout.clusterDir);
}

/** Takes over a running server of this cluster; clears what a dead one left that would stop a new one. */
async function adoptServer(layout: Layout): Promise<Server | null> {
  const deadline = Date.now() + READY_TIMEOUT_MS;
  for (;;) {
    const file = await readPostmasterFile(layout.clusterDir);
    if (!file) return null;
    if (!isPostmasterOf(file.pid, layout.clusterDir)) {
      // Only now is removing safe: two servers on one cluster would destroy it.
      await rm(join(layout.clusterDir, 'postmaster.pid'), { force: true });
      await rm(join(layout.socketDir, `.s.PGSQL.${PORT}`), { force: true });
      await rm(join(layout.socketDir, `.s.PGSQL.${PORT}.lock`), { force: true });
      return null;
    }
    if (file.state === 'ready') return { pid: file.pid, port: file.port, socketDir: file.socketDir, ended: watchPid(file.pid, false) };
    if (Date.now() > deadline) {
      throw new StartError(`A PostgreSQL server (process ${file.pid}) holds ${layout.clusterDir} but is not becoming ready.`);
    }
    await delay(POLL_MS);
  }
}

async function launch(layout: Layout, options: EmbeddedOptions): Promise<Server> {
  await adoptServer(layout);
  const settings = { ...SETTINGS, ...options.settings };
  const listen = options.listenTcp === undefined ? '' : '127.0.0.1';
  const port = options.listenTcp ?? PORT;
  const args = ['-D', layout.clusterDir, '-k', layout.socketDir, '-h', listen, '-p', String(port)];
  for (const [name, value] of Object.entries(settings)) args.push('-c', `${name}=${value}`);
  const size = await stat(layout.logFile).catch(() => null);
  if (size && size.size > 10 * 1024 * 1024) await rename(layout.logFile, `${layout.logFile}.1`);
  const log = await open(layout.logFile, 'a', 0o600).catch((cause: unknown) => {
    throw unusableFolder(layout.dataDir, cause);
  });
  const logStart = (await log.stat()).size;
  const child = spawn(join(layout.binDir, 'postgres'), args, {
    ...identity(layout.user),
    detached: true,
    stdio: ['ignore', log.fd, log.fd],
  });
  const ended = new Promise<void>((resolveEnded) => {
    child.once('exit', () => resolveEnded());
    child.once('error', () => resolveEnded());
  });
  await log.close();
  child.unref();
  if (!(await becomesReady(child, layout.clusterDir, ended))) {
    const output = (await readFile(layout.logFile)).subarray(logStart).toString();
    throw await explainServerFailure(layout, output, 'did not start');
  }
  return { pid: child.pid ?? 0, port, socketDir: layout.socketDir, ended };
}

async function becomesReady(child: ChildProcess, clusterDir: string, ended: Promise<void>): Promise<boolean> {
  const deadline = Date.now() + READY_TIMEOUT_MS;
  const state = { dead: false };
  void ended.then(() => (state.dead = true));
  while (!state.dead && Date.now() < deadline) {
    const file = await readPostmasterFile(clusterDir);
    if (file && file.pid === child.pid && file.state === 'ready') return true;
    await delay(POLL_MS);
  }
  if (!state.dead) child.kill('SIGQUIT');
  return false;
}

async function stopServer(server: Server): Promise<void> {
  const signal = (name: NodeJS.Signals): void => {
    try {
      process.kill(server.pid, name);
    } catch {
      // It has ended already.
    }
  };
  signal('SIGINT');
  const timer = setTimeout(() => signal('SIGQUIT'), FAST_STOP_TIMEOUT_MS);
  await watchPid(server.pid, true);
  clearTimeout(timer);
}

/** Resolves when the process has ended. Polls, because an adopted server is not a child process. */
function watchPid(pid: number, holdsProcess: boolean): Promise<void> {
  const startedAt = processStartedAt(pid);
  return new Promise((resolveGone) => {
    const timer = setInterval(() => {
      const now = processStartedAt(pid);
      if (now !== null && now === startedAt) return;
      clearInterval(timer);
      resolveGone();
    }, 50);
    if (!holdsProcess) timer.unref();
  });
}

async function claimOwnership(dataDir: string): Promise<void> {
  const file = join(dataDir, 'owner');
  const [pid, startedAt] = (await readFile(file, 'utf8').catch(() => '')).trim().split(' ');
  const holder = Number(pid);
  if (holder && holder !== process.pid && processStartedAt(holder) === startedAt) {
    throw new StartError(`Another service (process ${holder}) already uses ${dataDir}. Stop it first, or choose another DATA_DIR.`);
  }
  await writeFile(file, `${process.pid} ${processStartedAt(process.pid) ?? ''}\n`);
}

function identity(user: OsUser | null): { uid?: number; gid?: number; env: NodeJS.ProcessEnv } {
  // The environment of this process contains secrets.
  const env = { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };
  return user ? { uid: user.uid, gid: user.gid, env } : { env };
}
