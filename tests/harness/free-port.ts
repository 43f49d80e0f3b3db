import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type ListenOptions, type Server } from 'node:net';

/** Below those that Linux gives to whoever connects, or listens on any. */
const FIRST = 20_000;
const COUNT = 12_000;

/**
 * A port that stays free for whoever asked, however long they take to listen, and between the end of a process and the next on it: the
 * system gives it to nobody, and no other process of the tests takes it as long as this one lives.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST + randomInt(COUNT);
    // An abstract socket is held by one process at a time and ends with it.
    const claim = await listen({ path: `\0portal-test-port-${port}` });
    if (!claim) continue;
    claim.unref();
    const probe = await listen({ host: '127.0.0.1', port });
    if (!probe) continue;
    probe.close();
    await once(probe, 'close');
    return port;
  }
}

/** Null when somebody else listens there. */
async function listen(where: ListenOptions): Promise<Server | null> {
  const server = createServer().listen(where);
  try {
    await once(server, 'listening');
    return server;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') return null;
    throw error;
  }
}
