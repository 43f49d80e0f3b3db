import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { it } from 'node:test';
import { freePort } from '@partner-portal/tests/harness/free-port.ts';
import { HELD_KINDS, hold } from '../held.ts';
import { createLog } from '../log.ts';
import { serveMetrics } from './metrics.ts';
import { createRateLimits } from './rate-limit.ts';
import { rateLimitWindows } from '@partner-portal/service/wiring/rate-limits.ts';
import { createServer } from './server.ts';

it('metrics are served on a port of their own, by no other path, and not by the API', async () => {
  const port = await freePort();
  const metrics = await serveMetrics('127.0.0.1', port, {
    portal_jobs_due: { help: 'Jobs that are due.', read: async () => 7 },
    portal_events_waiting: { help: 'Unknown while the database is away.', read: async () => null },
  });
  const app = await createServer({
    log: createLog('silent'),
    baseUrl: 'http://portal.test',
    corsOrigins: [],
    trustedProxies: [],
    limits: createRateLimits(rateLimitWindows()),
    portalDir: tmpdir(),
  });
  try {
    const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    assert.match(text, /^portal_jobs_due 7$/m);
    assert.match(text, /^portal_events_waiting nan$/im);
    for (const kind of HELD_KINDS) assert.match(text, new RegExp(`^portal_held_${kind} 0$`, 'm'));
    assert.match(text, /^portal_event_loop_delay_seconds\{quantile="0.99"\} \d/m);
    assert.equal((await fetch(`http://127.0.0.1:${port}/health`)).status, 404);
    assert.equal((await fetch(`http://127.0.0.1:${port}/metrics`, { method: 'POST' })).status, 404);
    assert.equal((await app.inject('/metrics')).statusCode, 404);
  } finally {
    await app.close();
    await metrics.close();
  }
});

it('metrics say what is held now, and the longest that work held the event loop since they were read last', async () => {
  const port = await freePort();
  const metrics = await serveMetrics('127.0.0.1', port, {});
  const LONGEST_HOLD = 'portal_event_loop_hold_seconds{quantile="1"}';
  const read = async (name: string): Promise<number> => {
    const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    return Number(
      text
        .split('\n')
        .find((line) => line.startsWith(`${name} `))
        ?.split(' ')[1],
    );
  };
  try {
    {
      using _held = hold('streams', 3);
      assert.equal(await read('portal_held_streams'), 3);
    }
    assert.equal(await read('portal_held_streams'), 0);
    await read(LONGEST_HOLD);
    const { user } = process.threadCpuUsage();
    while (process.threadCpuUsage().user - user < 200_000);
    assert.ok((await read(LONGEST_HOLD)) >= 0.2);
    assert.ok((await read(LONGEST_HOLD)) < 0.2, 'since the last reading');
  } finally {
    await metrics.close();
  }
});
