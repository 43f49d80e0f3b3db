import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as settled } from 'node:timers/promises';
import { createKeyedLimiter } from './keyed-limiter.ts';

describe('works in turn', () => {
  it('of one key run one after the other in the order they came, also after one that failed', async () => {
    const inTurn = createKeyedLimiter();
    const seen: string[] = [];
    const gate = Promise.withResolvers<undefined>();
    const works = ['first', 'second', 'third'].map((name) =>
      inTurn('key', async () => {
        seen.push(`${name} begins`);
        await gate.promise;
        seen.push(`${name} ends`);
        if (name === 'first') throw new Error('the first one failed');
        return name;
      }).catch((error: Error) => error.message),
    );
    gate.resolve(undefined);
    assert.deepEqual(await Promise.all(works), ['the first one failed', 'second', 'third']);
    assert.deepEqual(seen, ['first begins', 'first ends', 'second begins', 'second ends', 'third begins', 'third ends']);
  });

  it('of other keys do not wait', async () => {
    const inTurn = createKeyedLimiter();
    const gate = Promise.withResolvers<undefined>();
    const slow = inTurn('one', () => gate.promise);
    assert.equal(await inTurn('other', async () => 'done'), 'done');
    gate.resolve(undefined);
    await slow;
  });
});

/** Work that runs until it is told to end. */
function openWork(turn: ReturnType<typeof createKeyedLimiter>) {
  const begun: string[] = [];
  const ends = new Map<string, PromiseWithResolvers<void>>();
  const begin = (key: string, name: string): Promise<void> => {
    const end = Promise.withResolvers<void>();
    ends.set(name, end);
    return turn(key, () => (begun.push(name), end.promise));
  };
  return {
    begun,
    begin,
    end: (name: string) => ends.get(name)?.resolve(),
    fail: (name: string) => ends.get(name)?.reject(new Error(name)),
  };
}

describe('bounded turns', () => {
  it('are bounded in total and per key, and then given in the order of waiting', async () => {
    const { begun, begin, end } = openWork(createKeyedLimiter({ total: 3, perKey: 2 }));
    const all = ['a1', 'a2', 'a3', 'b1', 'b2', 'a4'].map((name) => begin(name.slice(0, 1), name));
    await settled();
    assert.deepEqual(begun, ['a1', 'a2', 'b1']);
    end('b1');
    await settled();
    assert.deepEqual(begun.slice(3), ['b2'], 'a third of the same key goes on waiting');
    end('a1');
    await settled();
    assert.deepEqual(begun.slice(4), ['a3']);
    for (const name of ['a2', 'a3', 'b2', 'a4']) end(name);
    await Promise.all(all);
    assert.deepEqual(begun.slice(5), ['a4']);
  });

  it('end with their work, also when it fails', async () => {
    const { begun, begin, end, fail } = openWork(createKeyedLimiter({ total: 1, perKey: 1 }));
    const first = begin('a', 'first');
    const second = begin('a', 'second');
    fail('first');
    await assert.rejects(first, /first/);
    await settled();
    assert.deepEqual(begun, ['first', 'second']);
    end('second');
    await second;
  });
});
