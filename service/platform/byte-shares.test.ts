import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { createByteShares as create } from './byte-shares.ts';

/** What a test still holds is released with it: other files count what their process holds. */
const released = new DisposableStack();
after(() => released.dispose());
const createByteShares: typeof create = (limits) => {
  const shares = create(limits);
  return { hold: (key, bytes) => released.use(shares.hold(key, bytes)) };
};

it('a key holds its share at most, and others pass until the total is held', () => {
  const shares = createByteShares({ total: 100, perKey: 40 });
  const big = [shares.hold('big', 30), shares.hold('big', 10), shares.hold('big', 1)];
  assert.deepEqual(
    big.map((one) => one !== undefined),
    [true, true, false],
  );
  assert.ok(shares.hold('small', 1));
  assert.ok(shares.hold('other', 59), 'a first item is limited by the total only');
  assert.equal(shares.hold('last', 1), undefined);
  big[0]?.[Symbol.dispose]();
  big[0]?.[Symbol.dispose]();
  assert.ok(shares.hold('big', 30));
  assert.equal(shares.hold('last', 1), undefined, 'given back once');
});

it('random work never holds more than the limits, and everything is given back', () => {
  let seed = 5;
  const random = (below: number): number => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % below;
  };
  const shares = createByteShares({ total: 1_000, perKey: 400 });
  const held: { key: string; bytes: number; share: Disposable }[] = [];
  for (let round = 0; round < 5_000; round += 1) {
    const key = `k${random(6)}`;
    const bytes = random(300);
    const share = shares.hold(key, bytes);
    if (share) held.push({ key, bytes, share });
    else held.splice(random(held.length), 1)[0]?.share[Symbol.dispose]();
    assert.ok(held.reduce((sum, one) => sum + one.bytes, 0) <= 1_000);
    assert.ok(held.reduce((sum, one) => sum + (one.key === key ? one.bytes : 0), 0) <= 400);
  }
  for (const one of held) one.share[Symbol.dispose]();
  assert.ok(shares.hold('k0', 1_000));
});
