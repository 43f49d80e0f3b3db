import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { it } from 'node:test';
import { createBareServer } from '@partner-portal/tests/harness/bare-server.ts';
import { freePort } from '@partner-portal/tests/harness/free-port.ts';
import { HELD_KINDS, hold } from '../held.ts';
import { declaredMetrics, defineCounter, defineHistogram, WAITED_FOR } from '../measure.ts';
import { defineReading, serveMetrics } from './metrics.ts';

it('metrics are served on a port of their own, by no other path, and not by the API', async () => {
  const port = await freePort();
  const metrics = await serveMetrics('127.0.0.1', port, [
    defineReading({ gauges: { portal_jobs_due: { help: 'Jobs that are due.' } }, read: async () => ({ portal_jobs_due: 7 }) }),
  ]);
  const { app } = await createBareServer({ portalDir: tmpdir() });
  try {
    const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    assert.match(text, /^portal_jobs_due 7$/m);
    for (const kind of HELD_KINDS) assert.match(text, new RegExp(`^portal_held_${kind} 0$`, 'm'));
    assert.match(text, /^portal_event_loop_delay_seconds\{quantile="0.99"\} \d/m);
    assert.equal((await fetch(`http://127.0.0.1:${port}/health`)).status, 404);
    assert.equal((await fetch(`http://127.0.0.1:${port}/metrics`, { method: 'POST' })).status, 404);
    assert.equal((await fetch(`http://127.0.0.1:${port}//`)).status, 404, 'no address at all');
    assert.equal((await app.inject('/metrics')).statusCode, 404);
  } finally {
    await app.close();
    await metrics.close();
  }
});

it('metrics say what is held now, and the longest that work held the event loop since they were read last', async () => {
  const port = await freePort();
  const metrics = await serveMetrics('127.0.0.1', port, []);
  const LONGEST_HOLD = 'portal_event_loop_hold_seconds{quantile="1"}';
  const read = async (name: string): Promise<number> => {
    // A connection that is kept may be closed just as it is used again.
    const text = await (await fetch(`http://127.0.0.1:${port}/metrics`, { headers: { connection: 'close' } })).text();
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
    // The machine itself may hold the loop during a reading, not during each.
    let since = 1;
    for (let reading = 0; since >= 0.2 && reading < 1_000; reading += 1) since = await read(LONGEST_HOLD);
    assert.ok(since < 0.2, 'since the last reading');
  } finally {
    await metrics.close();
  }
});

it('a gauge that cannot be read is not a number, and hides no other', async () => {
  const port = await freePort();
  let isAway = false;
  let readings = 0;
  const metrics = await serveMetrics('127.0.0.1', port, [
    defineReading({ gauges: { portal_jobs_due: { help: 'Jobs that are due.' } }, read: async () => ({ portal_jobs_due: 7 }) }),
    defineReading({
      gauges: { portal_dispatches_waiting: { help: 'One number.' }, portal_agencies: { help: 'By status.', label: 'status' } },
      async read() {
        readings += 1;
        if (isAway) throw new Error('The database is away.');
        return { portal_dispatches_waiting: 3, portal_agencies: { active: 2, suspended: 0 } };
      },
    }),
  ]);
  const read = async (query = ''): Promise<string[]> =>
    (await (await fetch(`http://127.0.0.1:${port}/metrics${query}`)).text())
      .split('\n')
      .filter((line) => /^portal_(jobs|dispatches|agencies)/.test(line))
      .map((line) => line.toLowerCase());
  try {
    assert.deepEqual(await read(), [
      'portal_jobs_due 7',
      'portal_dispatches_waiting 3',
      'portal_agencies{status="active"} 2',
      'portal_agencies{status="suspended"} 0',
    ]);
    assert.equal(readings, 1, 'all gauges of a reading are read at once');
    assert.deepEqual(await read('?name[]=portal_jobs_due&name[]=portal_unknown'), ['portal_jobs_due 7']);
    assert.equal(readings, 1, 'what is not named is not read');
    isAway = true;
    assert.deepEqual(await read(), ['portal_jobs_due 7', 'portal_dispatches_waiting nan']);
  } finally {
    await metrics.close();
  }
});

it('what is measured counts while metrics are served, with the trace that it belongs to, and otherwise not at all', async () => {
  const waits = defineHistogram('portal_test_wait_seconds', { help: 'One count is one guest.', labels: ['outcome'], buckets: WAITED_FOR });
  const guests = defineCounter('portal_test_guests_total', { help: 'One count is one guest.', labels: ['outcome'] });
  const measure = (traceId?: string): void => {
    waits.observe({ outcome: 'served' }, 20, traceId);
    guests.count({ outcome: 'served' });
  };
  measure();
  const port = await freePort();
  const metrics = await serveMetrics('127.0.0.1', port, []);
  const read = async (): Promise<string[]> => {
    const answer = await fetch(`http://127.0.0.1:${port}/metrics`);
    assert.match(answer.headers.get('content-type') ?? '', /^application\/openmetrics-text; version=1\.0\.0/);
    const lines = (await answer.text()).split('\n');
    assert.equal(lines.at(-2), '# EOF');
    return lines.filter((line) => /^portal_test_(wait_seconds_(count|bucket.*le="0.025")|guests_total)/.test(line));
  };
  try {
    assert.deepEqual(await read(), []);
    measure();
    measure('0af7651916cd43dd8448eb211c80319c');
    const [bucket, ...others] = await read();
    assert.match(
      bucket ?? '',
      /^portal_test_wait_seconds_bucket\{le="0.025",outcome="served"\} 2 # \{trace_id="0af7651916cd43dd8448eb211c80319c"\} 0.02 \d/,
    );
    assert.deepEqual(others, ['portal_test_wait_seconds_count{outcome="served"} 2', 'portal_test_guests_total{outcome="served"} 2']);
  } finally {
    await metrics.close();
  }
  measure();
});

it('a metric is declared once, and says what one count is', () => {
  const again = (): unknown => defineCounter('portal_test_again_total', { help: 'One count is one time.', labels: [] });
  again();
  assert.throws(again, /declared twice/);
  for (const { name, help, labels } of declaredMetrics()) {
    assert.match(help, /One count is /, name);
    // Prometheus adds these itself.
    for (const label of labels) assert.ok(!['job', 'instance', 'le', 'quantile'].includes(label), `${name}: ${label}`);
  }
});
