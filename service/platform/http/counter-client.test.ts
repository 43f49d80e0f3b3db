import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import type pg from 'pg';
import { createCounterClient } from './counter-client.ts';

const COUNT = { name: 'rate_limit:rlflx-upsert', text: '', values: ['caller:a', 1, null, 0] };

/** Counts go in a batch once the tick ends. */
const sent = (): Promise<unknown> => new Promise(setImmediate);

test('once a count came too late, the next ones wait shortly until the database answers again', async () => {
  mock.timers.enable({ apis: ['setTimeout'] });
  try {
    let answer: (value: { rows: { key: string; points: number; expire: null }[] }) => void = () => undefined;
    const query = (): Promise<unknown> => new Promise((resolve) => (answer = resolve));
    const client = createCounterClient(Object.assign(Object.create(null) as pg.Pool, { query }));
    const late = assert.rejects(client.query(COUNT), /did not count in time/);
    await sent();
    mock.timers.tick(8_000);
    await late;
    const next = assert.rejects(client.query(COUNT), /did not count in time/);
    await sent();
    mock.timers.tick(200);
    await next;
    answer({ rows: [{ key: 'caller:a', points: 1, expire: null }] });
    await sent();
    const settled = { is: false };
    const third = client.query(COUNT).finally(() => (settled.is = true));
    await sent();
    mock.timers.tick(200);
    await sent();
    assert.equal(settled.is, false);
    mock.timers.tick(7_800);
    await assert.rejects(third, /did not count in time/);
  } finally {
    mock.timers.reset();
  }
});
