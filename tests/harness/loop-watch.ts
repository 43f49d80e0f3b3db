import { createServer } from 'node:net';
import { isMainThread } from 'node:worker_threads';

/**
 * Preloaded into the service by `LOOP_WATCH_SOCKET`: measures how much processor time the main thread spends between two turns of its event
 * loop. A connection to the socket is answered with the longest such hold since the last one, in milliseconds. Processor time, because the
 * machine may be busy with other processes.
 */
const socket = process.env['LOOP_WATCH_SOCKET'];
const TICK_MS = 2;

if (socket && isMainThread && /service\/(main\.ts|dist\/portal\.js)$/.test(process.argv[1] ?? '')) watch(socket);

function watch(path: string): void {
  let last = usedMs();
  let longestMs = 0;
  const look = (): void => {
    const now = usedMs();
    longestMs = Math.max(longestMs, now - last);
    last = now;
  };
  setInterval(look, TICK_MS).unref();
  createServer((connection) => {
    look();
    connection.on('error', () => undefined).end(String(longestMs));
    longestMs = 0;
  })
    .listen(path)
    .unref();
}

function usedMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
