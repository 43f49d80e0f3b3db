import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { createBatcher } from './batcher.ts';
import { newId, newTimedId, timedIdFloor, timedIdOfKey, timeOfId } from './ids.ts';
import { createSeal } from './seal.ts';
import { restoreInput, storeInput } from './store/run-log.ts';

test('ids are 21 letters and digits, and never repeat', () => {
  const ids = Array.from({ length: 2_000 }, () => newId());
  assert.ok(ids.every((id) => /^[0-9a-zA-Z]{21}$/.test(id)));
  assert.equal(new Set(ids).size, ids.length);
});

test('timed ids sort by their time, know it, and lie above the floor of their moment', () => {
  const times = [0, 1, 61, 62, 1_000_000, Date.UTC(2026, 10, 21), Date.UTC(2026, 10, 21) + 1, Date.UTC(2080, 0, 1)];
  const ids = times.map(newTimedId);
  assert.deepEqual(
    ids.toSorted((one, two) => (one < two ? -1 : 1)),
    ids,
  );
  assert.deepEqual(ids.map(timeOfId), times);
  for (const [index, time] of times.entries()) {
    assert.ok((ids[index] ?? '') >= timedIdFloor(time));
    assert.ok((ids[index] ?? '') < timedIdFloor(time + 1));
  }
});

test('the id of a key has its time, is always the same, and differs with every bit of the key', () => {
  const key = '019aac00-1234-7fff-bfff-ffffffffffff';
  assert.match(timedIdOfKey(key), /^[0-9a-zA-Z]{21}$/);
  assert.equal(timedIdOfKey(key), timedIdOfKey(key.toUpperCase()));
  assert.equal(timeOfId(timedIdOfKey(key)), 0x019aac001234);
  const digits = [...Array.from(key).keys()].filter((at) => key[at] !== '-');
  const others = digits.map((at) => key.slice(0, at) + (key[at] === '0' ? '1' : '0') + key.slice(at + 1));
  assert.equal(new Set([key, ...others].map(timedIdOfKey)).size, digits.length + 1);
});

test('a sealed value opens under its key and context alone, and no two seals look alike', () => {
  const seal = createSeal(randomBytes(32).toString('base64'));
  const sealed = seal.seal({ apiKey: 'sk-1' }, 'project\0one');
  assert.deepEqual(seal.open(sealed, 'project\0one'), { apiKey: 'sk-1' });
  assert.throws(() => seal.open(sealed, 'project\0two'));
  assert.throws(() => createSeal(randomBytes(32).toString('base64')).open(sealed, 'project\0one'));
  for (const at of [0, 13, sealed.length - 1]) {
    const changed = Buffer.from(sealed);
    changed.writeUInt8(changed.readUInt8(at) ^ 1, at);
    assert.throws(() => seal.open(changed, 'project\0one'));
  }
  assert.notDeepEqual(seal.seal('x', 'c'), seal.seal('x', 'c'));
  assert.equal(sealed.includes('sk-1'), false);
});

test('trigger output is restored exactly as received, whether or not its raw body had to be kept', () => {
  for (const rawBody of ['{"b":1,"a":[1,2]}', '{ "b": 1, "a": [1, 2] }', '[]']) {
    const output = { method: 'POST', headers: {}, body: JSON.parse(rawBody) as unknown, queryParams: {}, rawBody };
    assert.deepEqual(restoreInput(storeInput(output)), output);
  }
  const empty = { method: 'GET', headers: {}, queryParams: {}, rawBody: '' };
  assert.deepEqual(restoreInput(storeInput(empty)), empty);
});

test('what arrives during a commit goes out together, in order, each with its own result', async () => {
  const batches: number[][] = [];
  const gates: (() => void)[] = [];
  const batcher = createBatcher<number, number>({
    itemsMax: 4,
    inFlightMax: 1,
    write: async (items) => {
      batches.push(items);
      await new Promise<void>((resolve) => gates.push(resolve));
      return items.map((item) => item * 10);
    },
    isFatal: () => false,
  });
  const results = Promise.all([1, 2, 3, 4, 5, 6].map((item) => batcher.add(item)));
  const open = setInterval(() => gates.shift()?.(), 1);
  assert.deepEqual(await results, [10, 20, 30, 40, 50, 60]);
  await batcher.idle();
  clearInterval(open);
  assert.deepEqual(batches, [
    [1, 2, 3, 4],
    [5, 6],
  ]);
});

test('items gather for a batch under load, for as long as it takes or until they are enough; one alone does not wait when one is enough', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const batches: number[][] = [];
  let enough = 3;
  const batcher = createBatcher<number, number>({
    itemsMax: 10,
    inFlightMax: 1,
    gather: { min: () => enough, ms: 10 },
    write: async (items) => {
      batches.push(items);
      return items;
    },
    isFatal: () => false,
  });
  const settleTurn = (): Promise<void> => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  const pair = Promise.all([batcher.add(1), batcher.add(2)]);
  await settleTurn();
  t.mock.timers.tick(9);
  assert.deepEqual(batches, []);
  t.mock.timers.tick(1);
  assert.deepEqual(await pair, [1, 2]);
  assert.deepEqual(await Promise.all([batcher.add(3), batcher.add(4), batcher.add(5)]), [3, 4, 5], 'three do not wait');
  enough = 1;
  assert.equal(await batcher.add(6), 6);
  assert.deepEqual(batches, [[1, 2], [3, 4, 5], [6]]);
});

test('one poisoned item fails alone; a fatal error fails its whole batch at once', async () => {
  let writes = 0;
  const make = (fatal: boolean) =>
    createBatcher<string, string>({
      itemsMax: 10,
      inFlightMax: 2,
      write: async (items) => {
        writes += 1;
        if (items.includes('poison')) throw new Error('bad');
        return items;
      },
      isFatal: () => fatal,
    });
  const outcomes = (batcher: ReturnType<typeof make>) => Promise.allSettled(['a', 'poison', 'b'].map((item) => batcher.add(item)));
  assert.deepEqual(
    (await outcomes(make(false))).map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  );
  assert.equal(writes, 4);
  writes = 0;
  assert.deepEqual(
    (await outcomes(make(true))).map(({ status }) => status),
    ['rejected', 'rejected', 'rejected'],
  );
  assert.equal(writes, 1);
});
