import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** Ends a process at once; resolves when it is gone. */
export async function killWorker(worker: ChildProcess): Promise<void> {
  const gone = once(worker, 'exit');
  worker.kill('SIGKILL');
  await gone;
}
