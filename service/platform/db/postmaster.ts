import { readFile } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Content of a server's `postmaster.pid`. */
export type PostmasterFile = { pid: number; port: number; socketDir: string; state: string };

/** Reads `postmaster.pid` of a cluster; null when there is none or it is not yet complete enough to name a pid. */
export async function readPostmasterFile(clusterDir: string): Promise<PostmasterFile | null> {
  const text = await readFile(join(clusterDir, 'postmaster.pid'), 'utf8').catch(() => '');
  const lines = text.split('\n');
  const pid = Number(lines[0]);
  if (!Number.isInteger(pid) || pid <= 0) return null;
  return { pid, port: Number(lines[3]), socketDir: lines[4] ?? '', state: (lines[7] ?? '').trim() };
}

/**
 * Identity of a running process that a recycled pid cannot forge: its start time in clock ticks.
 * Null when there is no such process or it is only a zombie waiting to be reaped.
 */
export function processStartedAt(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The program name may contain spaces and parentheses; the fields start after the last one.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (fields[0] === 'Z' || fields[0] === 'X') return null;
    return fields[19] ?? null;
  } catch {
    return null;
  }
}

/** True when `pid` is alive and is the Postgres server of exactly this cluster. */
export function isPostmasterOf(pid: number, clusterDir: string): boolean {
  if (processStartedAt(pid) === null) return false;
  try {
    const args = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
    const dataAt = args.indexOf('-D');
    return (args[0] ?? '').endsWith('postgres') && dataAt > 0 && args[dataAt + 1] === clusterDir;
  } catch {
    return false;
  }
}
