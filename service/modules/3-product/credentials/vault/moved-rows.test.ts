import { SealFault } from '#platform/seal-fault.ts';
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startVaultService, type VaultService } from '@partner-portal/tests/harness/vault.ts';
import type { Slot } from '../store.ts';

let service: VaultService;
let home: Slot;

before(async () => {
  service = await startVaultService();
  home = { partnerId: service.world.partnerId, clientId: null, provider: 'openai' };
  const { clientId } = service.world;
  await save('openai', 'sk-sandbox-1');
  await save('openai', 'sk-sandbox-of-client', { clientId });
  await save('anthropic', 'sk-ant-sandbox');
  await save('openai', 'sk-sandbox-rival', {}, 'rivalOwner');
});
after(() => service.close());

async function save(provider: string, apiKey: string, scope: object = {}, as: 'owner' | 'rivalOwner' = 'owner'): Promise<void> {
  const reply = await service.call('PUT', `/credentials/${provider}`, { as, body: { sourceMode: 'byok', data: { apiKey }, ...scope } });
  assert.equal(reply.status, 200);
}

const open = (slot: Slot) =>
  service.db.asSystem(
    'credentials',
    async (tx) => (await service.vault.openForBinding(tx, slot, { type: 'system', id: null }))?.props['apiKey'],
  );

const readRow = (slot: Slot) =>
  service.db.asSystem('credentials', (tx) =>
    tx
      .selectFrom('credential')
      .select(['id', 'sealed', 'keyVersion'])
      .where('partnerId', '=', slot.partnerId)
      .where('clientId', slot.clientId === null ? 'is' : '=', slot.clientId)
      .where('provider', '=', slot.provider)
      .executeTakeFirstOrThrow(),
  );

const write = (id: string, row: { sealed: Buffer | null; keyVersion?: number }) =>
  service.db.asSystem('seed', (tx) => tx.updateTable('credential').set(row).where('id', '=', id).execute());

describe('a ciphertext in another row', () => {
  const swaps: [string, () => Slot][] = [
    ['of another client', () => ({ ...home, clientId: service.world.clientId })],
    ['of another provider', () => ({ ...home, provider: 'anthropic' })],
    ['of another agency', () => ({ ...home, partnerId: service.world.rivalPartnerId })],
  ];
  for (const [name, other] of swaps) {
    it(`${name} opens in neither place, and in both again after it is moved back`, async () => {
      const [mine, theirs] = [await readRow(home), await readRow(other())];
      await write(mine.id, { sealed: theirs.sealed });
      await write(theirs.id, { sealed: mine.sealed });
      await assert.rejects(open(home), SealFault);
      await assert.rejects(open(other()), SealFault);
      const tested = await service.call('POST', '/credentials/openai/test', { as: 'owner' });
      assert.deepEqual([tested.status, tested.body.code], [500, 'internal_error']);
      assert.doesNotMatch(tested.text, /sandbox/);
      await write(mine.id, { sealed: mine.sealed });
      await write(theirs.id, { sealed: theirs.sealed });
      assert.equal(await open(home), 'sk-sandbox-1');
    });
  }

  it('does not open as an older version of the same row', async () => {
    const older = await readRow(home);
    await save('openai', 'sk-sandbox-2');
    const newer = await readRow(home);
    await write(newer.id, { sealed: older.sealed });
    await assert.rejects(open(home), SealFault);
    await write(newer.id, { sealed: newer.sealed, keyVersion: older.keyVersion });
    await assert.rejects(open(home), SealFault);
    await write(newer.id, { sealed: newer.sealed, keyVersion: newer.keyVersion });
    assert.equal(await open(home), 'sk-sandbox-2');
  });

  it('does not open under the data key of another partner', async () => {
    const { partnerId, rivalPartnerId } = service.world;
    const keys = await service.db.asSystem('credentials', (tx) =>
      tx.selectFrom('partnerDataKey').select(['partnerId', 'sealedKey']).execute(),
    );
    const keyOf = (id: string): Buffer => keys.find((key) => key.partnerId === id)?.sealedKey ?? Buffer.alloc(0);
    const put = (id: string, sealedKey: Buffer) =>
      service.db.asSystem('seed', (tx) => tx.updateTable('partnerDataKey').set({ sealedKey }).where('partnerId', '=', id).execute());
    await put(partnerId, keyOf(rivalPartnerId));
    await assert.rejects(open(home), SealFault);
    await put(partnerId, keyOf(partnerId));
    assert.equal(await open(home), 'sk-sandbox-2');
  });
});
