import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startVaultService, type VaultService } from '@partner-portal/tests/harness/vault.ts';

let service: VaultService;
before(async () => {
  service = await startVaultService();
});
after(() => service.close());

// The sandbox accepts keys that contain the word "sandbox".
const GOOD = 're_sandbox_1';
const BETTER = 're_sandbox_2';
const BAD = 're_live_of_someone';

const put = (apiKey: string, body: object = {}) =>
  service.call('PUT', '/credentials/resend', { as: 'owner', body: { sourceMode: 'byok', data: { apiKey }, ...body } });
const testNow = async () => (await service.call('POST', '/credentials/resend/test', { as: 'owner' })).body.ok as boolean;
const opened = async (clientId: string | null = null): Promise<string | undefined> => {
  const slot = { partnerId: service.world.partnerId, clientId, provider: 'resend' } as const;
  const by = { type: 'system', id: null } as const;
  return (await service.db.asSystem('credentials', (tx) => service.vault.openForBinding(tx, slot, by)))?.props['apiKey'];
};

describe('a key that works', () => {
  it('stays in use when the one that replaces it is refused, and is replaced by one that passes', async () => {
    assert.equal((await put(GOOD)).status, 200);
    assert.equal(await testNow(), true);
    const refused = await put(BAD, { onlyIfAccepted: true });
    assert.deepEqual([refused.status, refused.body.code], [422, 'key_refused']);
    assert.match(refused.body.detail, /Resend/);
    assert.doesNotMatch(JSON.stringify(refused.body), /re_live/);
    assert.deepEqual([await opened(), await testNow()], [GOOD, true]);
    const saved = await put(BETTER, { onlyIfAccepted: true });
    // It was checked before it was saved: no second test is needed.
    assert.deepEqual([saved.status, saved.body.lastCheck.ok, await opened()], [200, true, BETTER]);
  });

  it('is replaced by any when no one asks for it to be kept, as for a new account that is not yet active', async () => {
    assert.equal((await put(BAD)).status, 200);
    assert.deepEqual([await opened(), await testNow()], [BAD, false]);
  });

  it('that is refused already protects nothing: another that is refused is saved, with what its service said', async () => {
    const saved = await put(`${BAD}_2`, { onlyIfAccepted: true });
    assert.deepEqual([saved.status, saved.body.lastCheck.ok, await opened()], [200, false, `${BAD}_2`]);
  });

  it('of the agency stays in use for a client whose own key is refused', async () => {
    assert.equal((await put(GOOD)).status, 200);
    const { clientId } = service.world;
    const refused = await put(BAD, { onlyIfAccepted: true, clientId });
    assert.deepEqual([refused.status, refused.body.code, await opened(clientId)], [422, 'key_refused', GOOD]);
    assert.equal((await put(BETTER, { onlyIfAccepted: true, clientId })).status, 200);
    assert.equal(await opened(clientId), BETTER);
  });
});
