import { createServer, type Server } from 'node:http';
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { watchEventLoop } from '../event-loop.ts';
import { HELD, HELD_KINDS, heldNow } from '../held.ts';

export type Metrics = { close(): Promise<void> };

/**
 * Serves GET /metrics on its own port, so that a proxy in front of the API never publishes it: `gauges`, what the process holds of each counted
 * resource, and how long work waits for its event loop. All are read per request.
 */
export async function serveMetrics(
  host: string,
  port: number,
  gauges: Record<string, { help: string; read: () => Promise<number | null> }>,
): Promise<Metrics> {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  for (const [name, { help, read }] of Object.entries(gauges)) {
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        this.set((await read()) ?? Number.NaN);
      },
    });
  }
  for (const kind of HELD_KINDS)
    new Gauge({
      name: `portal_held_${kind}`,
      help: HELD[kind],
      registers: [registry],
      collect() {
        this.set(heldNow(kind));
      },
    });
  const loop = watchEventLoop();
  new Gauge({
    name: 'portal_event_loop_delay_seconds',
    help: 'How long work waited for the event loop since the last reading, by quantile.',
    labelNames: ['quantile'],
    registers: [registry],
    collect() {
      for (const { quantile, ms } of loop.delays()) this.set({ quantile }, ms / 1_000);
    },
  });
  new Gauge({
    name: 'portal_event_loop_hold_seconds',
    help: 'Processor time that the main thread spent between two looks at its event loop since the last reading, by quantile.',
    labelNames: ['quantile'],
    registers: [registry],
    collect() {
      for (const { quantile, ms } of loop.holds()) this.set({ quantile }, ms / 1_000);
    },
  });
  const server: Server = createServer((request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    registry.metrics().then(
      (text) => response.writeHead(200, { 'content-type': registry.contentType }).end(text),
      () => response.writeHead(500).end(),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return {
    close: () => {
      loop.close();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
