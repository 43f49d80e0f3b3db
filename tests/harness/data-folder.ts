import { chmodSync, mkdtempSync, statfsSync } from 'node:fs';
import { tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';

const MEMORY = '/dev/shm';
const BYTES_MIN = 4 * 2 ** 30;

/**
 * Where the clusters of tests are while they are used: in memory, where it has room. A database is a thousand small files, and making and
 * removing them on a disk is what most short tests cost. What a killed process has written stays either way: no test cuts the power.
 */
export const DATA_FOLDER = hasRoom() ? MEMORY : tmpdir();

/** A fresh folder that the account which runs Postgres may enter. */
export function makeDataDir(): string {
  const dataDir = mkdtempSync(join(DATA_FOLDER, 'portal-system-'));
  chmodSync(dataDir, 0o755);
  return dataDir;
}

/** Compares totals, not what is free now: every process must come to the same result. */
function hasRoom(): boolean {
  // A container may have less than its machine.
  const memory = Math.min(totalmem(), process.constrainedMemory() || Infinity);
  if (process.env['TMPDIR'] !== undefined || memory < 2 * BYTES_MIN) return false;
  try {
    const { blocks, bsize } = statfsSync(MEMORY);
    return blocks * bsize >= BYTES_MIN;
  } catch {
    return false;
  }
}
