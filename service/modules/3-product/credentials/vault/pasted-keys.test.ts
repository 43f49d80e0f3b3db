import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createDataKeys } from '#modules/1-ledger/data-keys/index.ts';
import { TEST_RING } from '@partner-portal/tests/harness/service.ts';
import { startVaultService, type VaultService } from '@partner-portal/tests/harness/vault.ts';
import { createSealing } from './sealing.ts';

let service: VaultService;
before(async () => {
  service = await startVaultService();
});
after(() => service.close());

const put = (provider: string, apiKey: string) =>
  service.call('PUT', `/credentials/${provider}`, { as: 'owner', body: { sourceMode: 'byok', data: { apiKey } } });
const slotOf = (provider: 'resend' | 'openai' | 'calcom') => ({ partnerId: service.world.partnerId, clientId: null, provider });

/** Stores a key as earlier versions did, which accepted any character. */
async function storeOld(provider: 'resend' | 'openai' | 'calcom', apiKey: string): Promise<void> {
  assert.equal((await put(provider, 'sk-sandbox')).status, 200);
  await service.db.asSystem('seed', async (tx) => {
    const sealing = createSealing(createDataKeys(TEST_RING));
    const { id, keyVersion } = await tx
      .selectFrom('credential')
      .select(['id', 'keyVersion'])
      .where('provider', '=', provider)
      .executeTakeFirstOrThrow();
    const sealed = await sealing.seal(tx, slotOf(provider), keyVersion, { apiKey }, undefined);
    await tx.updateTable('credential').set({ sealed }).where('id', '=', id).execute();
  });
}

describe('a pasted key', () => {
  it('with a curly quote is refused at its field with the position, and what no one sees is dropped', async () => {
    const refused = await put('resend', 're_sandbox_12”');
    assert.deepEqual(
      [refused.status, refused.body.errors],
      [422, [{ field: 'data.apiKey', code: 'invalid', message: 'Character 14 is a curly quote. Copy the key again from its source.' }]],
    );
    assert.equal((await put('resend', '\ufeffre_\u200bsandbox ')).status, 200);
    const tested = await service.call('POST', '/credentials/resend/test', { as: 'owner' });
    assert.equal(tested.body.ok, true);
  });

  it('that was stored with one is named by its test, and sent so that its provider refuses it', async () => {
    await storeOld('resend', 're_sandbox_12”');
    const tested = await service.call('POST', '/credentials/resend/test', { as: 'owner' });
    assert.deepEqual(
      [tested.body.ok, tested.body.message],
      [false, 'This is no key of Resend. Character 14 is a curly quote. Save the key again.'],
    );
    const by = { type: 'system', id: null } as const;
    const bound = await service.db.asSystem('credentials', (tx) => service.vault.openForBinding(tx, slotOf('resend'), by));
    assert.equal(bound?.props['apiKey'], 're_sandbox_12?');
    await storeOld('openai', '\u200bsk-sandbox–1');
    const model = await service.db.asSystem('credentials', (tx) =>
      service.vault.openModelKey(tx, { ...slotOf('openai'), provider: 'openai' }, by),
    );
    assert.equal('key' in model && model.key.reveal(), 'sk-sandbox?1');
    await storeOld('calcom', 'cal_sandbox…');
    const sent: unknown[] = [];
    await service.vault.useCredential({ ...slotOf('calcom'), provider: 'calcom' }, 'read_bookings', async (key) => {
      sent.push(key);
      return {};
    });
    assert.deepEqual(sent, [{ apiKey: 'cal_sandbox?' }]);
  });
});
