import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type ListenOptions, type Server } from 'node:net';

/** Below the range of ephemeral ports. */
const FIRST = 20_000;
const COUNT = 12_000;

/**
 * Returns a port reserved for this process: outside the ephemeral range, and claimed against other test processes for as long as this one
 * lives, also between the end of a server and the next start on it.
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

/** Returns null when the address is in use. */
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
