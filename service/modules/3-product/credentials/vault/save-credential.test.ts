import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { LIMITS } from '@partner-portal/contract/vocabulary.ts';
import { startVaultService, type VaultService } from '@partner-portal/tests/harness/vault.ts';
import { PASSWORD } from '@partner-portal/tests/harness/world.ts';
import { Secret } from '#platform/secret.ts';

let service: VaultService;
let aheadMs = 0;
const clock = { now: () => new Date(Date.now() + aheadMs) };
before(async () => {
  service = await startVaultService({ clock, platformKeys: { openai: new Secret('sk-sandbox-platform') } });
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

describe('an own key', () => {
  const save = (headers: { authorization: string }, body: object) => service.call('PUT', '/credentials/openai', { headers, body });
  const own = (apiKey: string) => ({ sourceMode: 'byok', data: { apiKey } });
  const values = async () =>
    (await service.database.query<{ own: boolean }>('select sealed is not null as own from credential')).map((row) => row.own);
  const version = async () =>
    (await service.database.query<{ version: number }>('select key_version as version from credential'))[0]?.version;

  it('is replaced, also by that of the platform, only after a recent login; a first key and a first choice need none', async () => {
    const old = service.bearer('owner');
    aheadMs += (LIMITS.recentLoginMinutes + 1) * 60_000;
    assert.equal((await save(old, { sourceMode: 'platform' })).status, 200, 'there is no own key yet');
    assert.equal((await save(old, own('sk-sandbox-1'))).status, 200, 'nor is there one now');
    assert.equal((await save(old, { sourceMode: 'byok' })).status, 200, 'the stored key stays');
    const first = await version();
    for (const body of [own('sk-sandbox-2'), { ...own('sk-sandbox-2'), onlyIfAccepted: true }, { sourceMode: 'platform' }]) {
      const refused = await save(old, body);
      assert.deepEqual([refused.status, refused.body.code], [403, 'reauthentication_required']);
    }
    assert.deepEqual([await values(), await version()], [[true], first]);
    assert.equal((await service.call('POST', '/auth/reauthenticate', { headers: old, body: { password: PASSWORD } })).status, 200);
    assert.equal((await save(old, own('sk-sandbox-2'))).status, 200, 'the password was entered again');
    assert.notEqual(await version(), first);
    assert.equal((await save(old, { sourceMode: 'platform' })).status, 200);
    assert.deepEqual(await values(), [false]);
    assert.equal((await save(service.bearer('owner'), own('sk-sandbox-3'))).status, 200);
    assert.equal((await save(service.bearer('owner'), { sourceMode: 'platform' })).status, 200, 'the login is recent');
  });
});

describe('a key of the platform', () => {
  const usePlatform = () => service.call('PUT', '/credentials/openai', { as: 'owner', body: { sourceMode: 'platform' } });
  const includeKeys = (isIncluded: boolean) =>
    service.database.query(`update plan set features = features || '{"aiPlatformKeys": ${isIncluded}}'`);
  const slot = () => ({ partnerId: service.world.partnerId, clientId: null, provider: 'openai' }) as const;
  const canBind = () => service.db.asSystem('credentials', (tx) => service.vault.canBind(tx, slot()));
  const states = () =>
    service.db.asSystem('credentials', async (tx) => (await service.vault.resolveCredentials(tx, [slot()])).map(({ reason }) => reason));
  const bound = 'of_ai';

  it('is part of the plan: without it none is chosen or bound, and the agents lose theirs with it and get it back', async () => {
    const card = async () => (await service.call('GET', '/credentials', { as: 'owner' })).body[0];
    const sweep = async () => {
      await service.runner.runCron('credentials.sweep');
      await service.runner.drain();
      return service.engine.values.get(bound)?.['apiKey'];
    };
    await includeKeys(false);
    const refused = await usePlatform();
    assert.deepEqual([refused.status, refused.body.code], [403, 'plan_feature_required']);
    await includeKeys(true);
    assert.equal((await usePlatform()).body.configured, true);
    await service.vault.bindConnection({ slot: slot(), projectId: 'p', externalId: bound }, { type: 'system', id: null });
    assert.deepEqual([await sweep(), await canBind(), await states()], ['sk-sandbox-platform', true, [null]]);
    await includeKeys(false);
    try {
      assert.deepEqual([await sweep(), await canBind(), await states()], ['removed', false, ['not_in_plan']]);
      const without = await card();
      assert.deepEqual([without.configured, without.notInPlan], [false, true]);
      const late = await service.vault.bindConnection({ slot: slot(), projectId: 'p', externalId: 'late' }, { type: 'system', id: null });
      assert.equal(late, undefined);
    } finally {
      await includeKeys(true);
    }
    const again = await card();
    assert.deepEqual([await sweep(), again.configured, again.notInPlan], ['sk-sandbox-platform', true, undefined]);
    await service.call('DELETE', '/credentials/openai', { as: 'owner' });
  });
});

describe('a user of a client', () => {
  it('cannot move its client to the key of the platform, which costs the agency credits', async () => {
    const { clientId } = service.world;
    const save = (as: 'owner' | 'clientUser', body: object) => service.call('PUT', '/credentials/openai', { as, body });
    const seen = async () => {
      const { body } = await service.call('GET', `/credentials?clientId=${clientId}`, { as: 'owner' });
      return body.map((row: { sourceMode: string; inherited?: boolean }) => [row.sourceMode, row.inherited ?? false]);
    };
    const own = { sourceMode: 'byok', data: { apiKey: 'sk-sandbox-agency' } };
    assert.equal((await save('owner', own)).status, 200);
    const refused = await save('clientUser', { sourceMode: 'platform' });
    assert.deepEqual([refused.status, refused.body.code, await seen()], [403, 'role_forbidden', [['byok', true]]]);
    assert.equal((await save('clientUser', own)).status, 200);
    assert.equal((await save('clientUser', { sourceMode: 'platform' })).body.code, 'role_forbidden');
    assert.deepEqual(await seen(), [['byok', false]]);
    assert.equal((await save('owner', { sourceMode: 'platform', clientId })).status, 200);
    for (const query of ['', `?clientId=${clientId}`]) await service.call('DELETE', `/credentials/openai${query}`, { as: 'owner' });
  });
});

describe('two people who replace one key', () => {
  it('do not lose the key of the first when the second names the state it had read', async () => {
    const first = await put(GOOD);
    const put2 = (apiKey: string, updatedAt: string) =>
      service.call('PUT', '/credentials/resend', {
        as: 'owner',
        headers: { 'if-match': `"${updatedAt}"` },
        body: { sourceMode: 'byok', data: { apiKey } },
      });
    const second = await put2(BETTER, first.body.updatedAt);
    assert.equal(second.status, 200);
    const stale = await put2('re_sandbox_3', first.body.updatedAt);
    assert.deepEqual([stale.status, stale.body.code, await opened()], [412, 'stale_record', BETTER]);
    await service.call('DELETE', '/credentials/resend', { as: 'owner' });
  });
});

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
