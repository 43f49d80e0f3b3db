import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { createPool } from '#platform/db/pool.ts';
import { createDatabase, type Database } from '#platform/db/tx.ts';
import { SealFault } from '#platform/seal-fault.ts';
import { countLockWaits, createTestDatabase, type TestDatabase } from '@partner-portal/tests/harness/database.ts';
import { OLD_RING } from '@partner-portal/tests/harness/key-rings.ts';
import { until } from '@partner-portal/tests/harness/system.ts';
import { createDataKeys, destroyDataKey } from './index.ts';
import { findDataKey } from './store.ts';

/** Two processes, each with its own pool and its own data keys. */
let database: TestDatabase;
let close: () => Promise<void>;
let one: Database;
let other: Database;
let partnerId: string;
const keysOfOne = createDataKeys(OLD_RING);
const keysOfOther = createDataKeys(OLD_RING);

before(async () => {
  database = await createTestDatabase();
  const pools = ['one', 'other'].map((name) => createPool(database.configFor('portal_service'), { name, max: 3 }));
  const [first, second] = pools.map((pool) => createDatabase(pool));
  assert.ok(first && second);
  [one, other] = [first, second];
  close = async () => {
    await Promise.all(pools.map((pool) => pool.end()));
    await database.drop();
  };
});
after(() => close());

let count = 0;
beforeEach(async () => {
  partnerId = await addPartner();
});

function addPartner(): Promise<string> {
  count += 1;
  return one.asSystem('seed', async (tx) => {
    const { id } = await tx
      .insertInto('partner')
      .values({ name: `Agency ${count}`, slug: `agency-${count}` })
      .returning('id')
      .executeTakeFirstOrThrow();
    return id;
  });
}

const provide = (db: Database, keys = keysOfOne, id = partnerId) =>
  db.asTenant({ kind: 'tenant', partnerId: id, clientId: null }, (tx) => keys.provide(tx, id));
const destroy = (db: Database, id = partnerId) => db.asSystem('sweep', (tx) => destroyDataKey(tx, id));
const readRow = () =>
  one.asSystem('seed', (tx) => tx.selectFrom('partnerDataKey').selectAll().where('partnerId', '=', partnerId).executeTakeFirstOrThrow());
const isDestroyed = (error: unknown) => error instanceof SealFault && error.message.includes('data_key_destroyed');

describe('the data key of a partner', () => {
  it('is created by the first transaction that needs it, and is the same in each process', async () => {
    const first = await provide(one);
    assert.deepEqual(await provide(one), first);
    assert.deepEqual(await provide(other, keysOfOther), first);
    assert.notDeepEqual((await provide(one, keysOfOne, await addPartner())).key, first.key);
  });

  it('is one key when two processes create it at once', async () => {
    const holding = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    const first = one.asSystem('seed', async (tx) => {
      const made = await keysOfOne.provide(tx, partnerId);
      holding.resolve();
      await release.promise;
      return made;
    });
    await holding.promise;
    const second = provide(other, keysOfOther);
    await until('the second waits for the first', async () => (await countLockWaits(database)) > 0);
    release.resolve();
    assert.deepEqual(await second, await first);
  });

  it('is created again when the transaction that created it rolls back', async () => {
    await assert.rejects(
      one.asSystem('seed', async (tx) => {
        await keysOfOne.provide(tx, partnerId);
        throw new Error('rolled back');
      }),
      /rolled back/,
    );
    assert.equal(await one.asSystem('seed', (tx) => findDataKey(tx, partnerId)), undefined);
    assert.deepEqual(await provide(other), await provide(one));
  });

  it('is available to a client’s user and hidden from other partners', async () => {
    const made = await provide(one);
    const asClient = { kind: 'tenant', partnerId, clientId: partnerId } as const;
    assert.deepEqual(await one.asTenant(asClient, (tx) => keysOfOne.provide(tx, partnerId)), made);
    const asNeighbour = { kind: 'tenant', partnerId: await addPartner(), clientId: null } as const;
    assert.equal(await one.asTenant(asNeighbour, (tx) => findDataKey(tx, partnerId)), undefined);
  });
});

describe('a destroyed data key', () => {
  it('opens in no process from the commit on, and stays open in all until then and for the neighbour', async () => {
    const neighbour = await addPartner();
    const made = await provide(one);
    const neighbours = await provide(other, keysOfOther, neighbour);
    const holding = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    const destroying = one.asSystem('sweep', async (tx) => {
      await destroyDataKey(tx, partnerId);
      holding.resolve();
      await release.promise;
    });
    await holding.promise;
    assert.deepEqual(await provide(other, keysOfOther), made, 'before the commit');
    release.resolve();
    await destroying;
    await assert.rejects(provide(one), isDestroyed);
    await assert.rejects(provide(other, keysOfOther), isDestroyed);
    assert.deepEqual(await provide(one, keysOfOne, neighbour), neighbours);
  });

  it('leaves no key bytes in the database, may be destroyed again, and is never created again', async () => {
    await provide(one);
    await destroy(one);
    const row = await readRow();
    assert.deepEqual([row.sealedKey, row.masterKeyId], [null, null]);
    await destroy(other);
    assert.deepEqual(await readRow(), row);
    await assert.rejects(provide(other, keysOfOther), isDestroyed);
  });

  it('is destroyed also when no value was ever sealed, and when it is being created', async () => {
    await destroy(one);
    await assert.rejects(provide(one), isDestroyed);

    partnerId = await addPartner();
    const holding = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    const creating = one.asSystem('seed', async (tx) => {
      await keysOfOne.provide(tx, partnerId);
      holding.resolve();
      await release.promise;
    });
    await holding.promise;
    const destroying = destroy(other);
    await until('the destruction waits', async () => (await countLockWaits(database)) > 0);
    release.resolve();
    await Promise.all([creating, destroying]);
    await assert.rejects(provide(one), isDestroyed);
  });
});
