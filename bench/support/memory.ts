import { readFileSync } from 'node:fs';

export type Memory = { rssMb: number; pssMb: number };

/** Returns resident and proportional memory of one process; undefined without /proc or after its end. */
export function readMemory(pid: number): Memory | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
    const mb = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? 0) / 1024;
    return { rssMb: mb('Rss'), pssMb: mb('Pss') };
  } catch {
    return undefined;
  }
}

/** Returns the most memory that `pid` used during `work`. */
export async function highestMemory<T>(pid: number, work: Promise<T>): Promise<{ result: T; memory: Memory | undefined }> {
  let memory = readMemory(pid);
  const timer = setInterval(() => {
    const now = readMemory(pid);
    if (now && now.rssMb > (memory?.rssMb ?? 0)) memory = now;
  }, 250);
  try {
    return { result: await work, memory };
  } finally {
    clearInterval(timer);
  }
}

/** Formats memory as one line. */
export function memoryText(memory: Memory | undefined): string {
  return memory === undefined ? 'unknown' : `${memory.rssMb.toFixed(0)} MB resident, ${memory.pssMb.toFixed(0)} MB proportional`;
}
