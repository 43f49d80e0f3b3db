import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createBatcher, isDataError } from './batch.ts';

const dataError = () => Object.assign(new Error('bad value'), { code: '22P02' });

describe('a batch', () => {
  it('holds what arrived while the last one was under way, in order, and answers each item', async () => {
    const batches: number[][] = [];
    const gate = Promise.withResolvers<void>();
    const batcher = createBatcher<number, number>({
      itemsMax: 10,
      inFlightMax: 1,
      isPoison: isDataError,
      async run(items) {
        batches.push([...items]);
        if (batches.length === 1) await gate.promise;
        return items.map((item) => item * 2);
      },
    });
    const first = batcher.add(1);
    await new Promise(setImmediate);
    const rest = [2, 3, 4].map((item) => batcher.add(item));
    gate.resolve();
    assert.deepEqual([await first, ...(await Promise.all(rest))], [2, 4, 6, 8]);
    assert.deepEqual(batches, [[1], [2, 3, 4]]);
    await batcher.settled();
  });

  it('with one bad item fails that item alone', async () => {
    const batcher = createBatcher<string, string>({
      itemsMax: 10,
      inFlightMax: 1,
      isPoison: isDataError,
      async run(items) {
        if (items.includes('bad')) throw dataError();
        return items.map((item) => `${item}!`);
      },
    });
    const results = await Promise.allSettled(['a', 'bad', 'b'].map((item) => batcher.add(item)));
    assert.deepEqual(
      results.map((one) => (one.status === 'fulfilled' ? one.value : one.reason.code)),
      ['a!', '22P02', 'b!'],
    );
  });

  for (const code of ['40P01', '40001', '23505', '54000'])
    it(`that ends with ${code} is tried item by item`, async () => {
      const batcher = createBatcher<string, string>({
        itemsMax: 10,
        inFlightMax: 1,
        isPoison: isDataError,
        async run(items) {
          if (items.length > 1) throw Object.assign(new Error('together they cannot'), { code });
          return items.map((item) => `${item}!`);
        },
      });
      assert.deepEqual(await Promise.all(['a', 'b', 'c'].map((item) => batcher.add(item))), ['a!', 'b!', 'c!']);
    });

  it('is not repeated item by item when the database is away: nobody knows what was kept', async () => {
    let calls = 0;
    const batcher = createBatcher<number, number>({
      itemsMax: 10,
      inFlightMax: 1,
      isPoison: isDataError,
      async run() {
        calls += 1;
        throw Object.assign(new Error('gone'), { code: '57P01' });
      },
    });
    const results = await Promise.allSettled([1, 2, 3].map((item) => batcher.add(item)));
    assert.ok(results.every((one) => one.status === 'rejected'));
    assert.equal(calls, 1);
  });

  it('keeps within its count, its weight and the batches that may be under way', async () => {
    const sizes: number[] = [];
    let inFlight = 0;
    let most = 0;
    const batcher = createBatcher<number, number>({
      itemsMax: 3,
      inFlightMax: 2,
      weigh: (item) => item,
      weightMax: 10,
      isPoison: isDataError,
      async run(items) {
        inFlight += 1;
        most = Math.max(most, inFlight);
        sizes.push(items.length);
        await new Promise(setImmediate);
        inFlight -= 1;
        return items;
      },
    });
    await Promise.all([1, 1, 1, 1, 9, 9, 50].map((item) => batcher.add(item)));
    assert.deepEqual(sizes, [3, 2, 1, 1]);
    assert.equal(most, 2);
  });

  it('is filled by turns between keys, by number and by weight', async () => {
    const batches: string[][] = [];
    const gate = Promise.withResolvers<void>();
    const batcher = createBatcher<string, string>({
      itemsMax: 4,
      inFlightMax: 1,
      weigh: (item) => (item.endsWith('!') ? 6 : 1),
      weightMax: 10,
      keyOf: (item) => item.charAt(0),
      isPoison: isDataError,
      async run(items) {
        batches.push([...items]);
        if (batches.length === 1) await gate.promise;
        return items;
      },
    });
    const first = batcher.add('a0');
    await new Promise(setImmediate);
    const rest = ['a1', 'a2', 'a3', 'a4!', 'a5!', 'b1', 'b2', 'c1!'].map((item) => batcher.add(item));
    gate.resolve();
    assert.deepEqual(await Promise.all([first, ...rest]), ['a0', 'a1', 'a2', 'a3', 'a4!', 'a5!', 'b1', 'b2', 'c1!']);
    assert.deepEqual(batches, [['a0'], ['a1', 'b1', 'c1!', 'a2'], ['b2', 'a3', 'a4!'], ['a5!']]);
  });

  it('sends a second batch next to the first only when enough items wait for it, and leaves nothing behind', async () => {
    const sizes: number[] = [];
    const gates: (() => void)[] = [];
    const batcher = createBatcher<number, number>({
      run: async (items) => {
        sizes.push(items.length);
        await new Promise<void>((resolve) => gates.push(resolve));
        return items;
      },
      itemsMax: 10,
      inFlightMax: 2,
      minItemsForSecondBatch: 3,
      isPoison: () => false,
    });
    const turn = () => new Promise((resolve) => setImmediate(resolve));
    const all = [batcher.add(1)];
    await turn();
    all.push(batcher.add(2), batcher.add(3));
    await turn();
    assert.deepEqual(sizes, [1]);
    all.push(batcher.add(4));
    await turn();
    assert.deepEqual(sizes, [1, 3]);
    all.push(batcher.add(5));
    gates.shift()?.();
    await turn();
    assert.deepEqual(sizes, [1, 3], 'one waiting item does not leave beside a batch');
    gates.shift()?.();
    await turn();
    assert.deepEqual(sizes, [1, 3, 1]);
    gates.shift()?.();
    assert.deepEqual(await Promise.all(all), [1, 2, 3, 4, 5]);
    await batcher.settled();
  });
});
