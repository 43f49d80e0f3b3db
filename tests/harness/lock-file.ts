import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { processStartedAt } from '@partner-portal/service/platform/db/postmaster.ts';

const POLL_MS = 20;

/** Runs the work while no other process holds this lock. */
export async function exclusively<T>(lock: string, work: () => Promise<T>): Promise<T> {
  while (!hasTaken(lock)) await delay(POLL_MS);
  try {
    return await work();
  } finally {
    rmSync(lock, { force: true });
  }
}

/** Takes the lock unless another process has it. A lock of a dead process is removed. */
export function hasTaken(lock: string): boolean {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' });
    return true;
  } catch {
    const holder = Number(read(lock));
    if (holder && processStartedAt(holder) === null) rmSync(lock, { force: true });
    return false;
  }
}

function read(lock: string): string {
  try {
    return readFileSync(lock, 'utf8');
  } catch {
    return '';
  }
}
