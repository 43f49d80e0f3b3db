import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { startVaultService, type VaultService } from '@partner-portal/tests/harness/vault.ts';
import { addWorkflow } from '@partner-portal/tests/harness/world.ts';
import { Secret } from '#platform/secret.ts';

let service: VaultService;

before(async () => {
  service = await startVaultService({ platformKeys: { openai: new Secret('sk-sandbox-platform') } });
});
after(() => service.close());
beforeEach(async () => {
  await service.db.asSystem('seed', async (tx) => {
    await tx.deleteFrom('credential').execute();
    await tx.deleteFrom('workflow').execute();
    await tx.deleteFrom('chatbot').execute();
  });
});

const data = { apiKey: 're_sandbox_1' };
const put = (provider: string, body: object, as: Parameters<VaultService['call']>[2] = { as: 'owner' }) =>
  service.call('PUT', `/credentials/${provider}`, { ...as, body });
const list = (as: 'owner' | 'staff' | 'clientUser' | 'rivalOwner' | 'moderator' | 'otherClientUser', query = '') =>
  service.call('GET', `/credentials${query}`, { as });

describe('saving a key', () => {
  it('returns the summary without any part of the value', async () => {
    const saved = await put('resend', { sourceMode: 'byok', data });
    assert.equal(saved.status, 200);
    const { id, updatedAt, ...rest } = saved.body;
    assert.deepEqual(rest, {
      provider: 'resend',
      clientId: null,
      sourceMode: 'byok',
      configured: true,
      lastCheck: null,
      usedByAgents: 0,
      usedByChatbots: 0,
      live: 'unused',
      lastUsedAt: null,
    });
    assert.match(updatedAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    assert.match(id, /^[0-9a-f-]{36}$/);
    assert.doesNotMatch(saved.text, /re_sandbox_1/);
  });

  it('seals it: the row opens to exactly what was saved', async () => {
    await put('resend', { sourceMode: 'byok', data });
    const opened = await service.db.asSystem('credentials', (tx) =>
      service.vault.openForBinding(
        tx,
        { partnerId: service.world.partnerId, clientId: null, provider: 'resend' },
        { type: 'system', id: null },
      ),
    );
    assert.equal(opened?.props['apiKey'], 're_sandbox_1');
  });

  it('replaces a key in place and changes updatedAt', async () => {
    const first = await put('resend', { sourceMode: 'byok', data });
    const second = await put('resend', { sourceMode: 'byok', data: { apiKey: 're_sandbox_2' } });
    assert.equal(second.body.id, first.body.id);
    assert.ok(second.body.updatedAt > first.body.updatedAt);
  });

  it('leaves the stored key for byok without data, and requires one when none is stored', async () => {
    const missing = await put('resend', { sourceMode: 'byok' });
    assert.deepEqual([missing.status, missing.body.code, missing.body.errors[0].field], [422, 'validation_failed', 'data']);
    await put('resend', { sourceMode: 'byok', data });
    const unchanged = await put('resend', { sourceMode: 'byok' });
    assert.deepEqual([unchanged.status, unchanged.body.configured], [200, true]);
  });

  it('accepts the platform key for the language models only', async () => {
    const openai = await put('openai', { sourceMode: 'platform' });
    assert.deepEqual([openai.status, openai.body.configured], [200, true]);
    const anthropic = await put('anthropic', { sourceMode: 'platform' });
    assert.deepEqual([anthropic.status, anthropic.body.configured], [200, false], 'there is no platform key for it here');
    for (const provider of ['calcom', 'resend', 'twilio', 'postgres']) {
      const refused = await put(provider, { sourceMode: 'platform' });
      assert.deepEqual([refused.status, refused.body.code], [422, 'source_mode_not_allowed'], provider);
    }
  });

  it('deletes an own key when the platform’s is chosen', async () => {
    await put('openai', { sourceMode: 'byok', data: { apiKey: 'sk-sandbox-own' } });
    await put('openai', { sourceMode: 'platform' });
    const back = await put('openai', { sourceMode: 'byok' });
    assert.equal(back.body.code, 'validation_failed');
  });

  it('refuses unknown providers, the code capability and invalid bodies', async () => {
    assert.deepEqual((await put('stripe', { sourceMode: 'byok', data })).status, 404);
    const code = await put('code', { sourceMode: 'byok', data });
    assert.deepEqual([code.status, code.body.code], [422, 'not_a_stored_credential']);
    const twilio = await put('twilio', { sourceMode: 'byok', data: { accountSid: 'AC 1' } });
    assert.deepEqual(
      [twilio.status, twilio.body.errors.map((error: { field: string }) => error.field)],
      [422, ['data.accountSid', 'data.authToken']],
    );
    const mode = await put('resend', { sourceMode: 'borrowed', data });
    assert.deepEqual([mode.status, mode.body.code], [422, 'validation_failed']);
    const nested = await put('resend', { sourceMode: 'byok', data: 'text' });
    assert.deepEqual([nested.status, nested.body.code], [422, 'validation_failed']);
  });

  it('refuses a SQL host that is not public', async () => {
    const sql = { host: '10.0.0.7', port: 5432, database: 'd', user: 'u', password: 'p', ssl: false };
    const refused = await put('postgres', { sourceMode: 'byok', data: sql });
    assert.deepEqual([refused.status, refused.body.code], [422, 'private_address']);
    const taken = await put('postgres', { sourceMode: 'byok', data: { ...sql, host: '93.184.216.34' } });
    assert.equal(taken.status, 200);
    assert.doesNotMatch(taken.text, /93\.184/);
  });

  it('ends many concurrent saves in one row that opens', async () => {
    const keys = Array.from({ length: 8 }, (_, n) => ({ apiKey: `re_sandbox_${n}` }));
    const replies = await Promise.all(keys.map((key) => put('resend', { sourceMode: 'byok', data: key })));
    assert.deepEqual(new Set(replies.map((reply) => `${reply.status} ${reply.body.id}`)).size, 1);
    const rows = await service.db.asSystem('credentials', (tx) => tx.selectFrom('credential').select(['keyVersion']).execute());
    assert.deepEqual(rows, [{ keyVersion: 8 }]);
  });

  it('is audited without the value', async () => {
    await put('resend', { sourceMode: 'byok', data });
    const [line] = await service.db.asSystem('credentials', (tx) =>
      tx
        .selectFrom('auditEntry')
        .select(['action', 'targetType', 'targetLabel', 'changes'])
        .where('action', '=', 'credential.saved')
        .orderBy('id', 'desc')
        .limit(1)
        .execute(),
    );
    assert.deepEqual(line, {
      action: 'credential.saved',
      targetType: 'credential',
      targetLabel: 'resend',
      changes: { sourceMode: [null, 'byok'], data: ['changed', 'changed'] },
    });
  });

  it('is for partner admins and client users, each in their own scope', async () => {
    await service.assertRefused(
      'PUT',
      '/credentials/resend',
      { staff: 'role_forbidden', moderator: 'partner_role_forbidden' },
      { sourceMode: 'byok', data },
    );
    const { clientId, otherClientId, rivalClientId, rivalPartnerId } = service.world;
    const own = await put('resend', { sourceMode: 'byok', data }, { as: 'clientUser' });
    assert.deepEqual([own.status, own.body.clientId], [200, clientId]);
    const other = await put('resend', { sourceMode: 'byok', data, clientId: otherClientId }, { as: 'clientUser' });
    assert.deepEqual([other.status, other.body.code], [404, 'not_found']);
    const rival = await put('resend', { sourceMode: 'byok', data, clientId: rivalClientId });
    assert.deepEqual([rival.status, rival.body.code], [404, 'not_found']);
    const scoped = await put('resend', { sourceMode: 'byok', data, partnerId: rivalPartnerId });
    assert.deepEqual([scoped.status, scoped.body.code], [403, 'scope_forbidden']);
    const forClient = await put('resend', { sourceMode: 'byok', data, clientId: otherClientId });
    assert.deepEqual([forClient.status, forClient.body.clientId], [200, otherClientId]);
  });
});

describe('the list of keys', () => {
  it('shows a partner its own rows, and to no one else', async () => {
    const { clientId, partnerId, rivalPartnerId } = service.world;
    await put('resend', { sourceMode: 'byok', data });
    await put('resend', { sourceMode: 'byok', data, clientId });
    const mine = await list('owner');
    assert.deepEqual(
      mine.body.map((row: { clientId: string | null }) => row.clientId),
      [null, clientId],
    );
    assert.equal((await list('moderator')).body.length, 2);
    assert.deepEqual((await list('rivalOwner')).body, []);
    assert.deepEqual((await list('staff')).body, [], 'staff without partnerId see their own house');
    assert.equal((await list('staff', `?partnerId=${partnerId}`)).body.length, 2);
    assert.equal((await list('staff', `?clientId=${clientId}`)).body.length, 1);
    assert.equal((await list('staff', `?clientId=${clientId}&partnerId=${rivalPartnerId}`)).status, 404);
    assert.equal((await list('staff', `?partnerId=${clientId}`)).status, 404);
    assert.deepEqual([(await list('owner', `?partnerId=${partnerId}`)).body.code], ['scope_forbidden']);
    assert.deepEqual([(await service.call('GET', '/credentials')).status], [401]);
  });

  it('shows a client its own rows and the defaults it inherits, under its own id', async () => {
    const { clientId, otherClientId, rivalClientId } = service.world;
    await put('resend', { sourceMode: 'byok', data });
    await put('twilio', { sourceMode: 'byok', data: { accountSid: 'AC1', authToken: 'sandbox' } });
    await put('twilio', { sourceMode: 'byok', data: { accountSid: 'AC2', authToken: 'sandbox' }, clientId });
    const shape = (rows: { provider: string; clientId: string; inherited?: boolean }[]) =>
      rows.map((row) => [row.provider, row.clientId, row.inherited]);
    const expected = [
      ['resend', clientId, true],
      ['twilio', clientId, undefined],
    ];
    assert.deepEqual(shape((await list('clientUser')).body), expected);
    assert.deepEqual(shape((await list('owner', `?clientId=${clientId}`)).body), expected);
    assert.deepEqual(shape((await list('otherClientUser')).body), [
      ['resend', otherClientId, true],
      ['twilio', otherClientId, true],
    ]);
    assert.equal((await list('clientUser', `?clientId=${otherClientId}`)).status, 404);
    assert.equal((await list('owner', `?clientId=${rivalClientId}`)).status, 404);
    assert.equal((await list('owner', '?clientId=nothing')).body.code, 'invalid_query');
  });

  it('counts the agents that use each row', async () => {
    const { clientId, otherClientId, partnerId } = service.world;
    await put('twilio', { sourceMode: 'byok', data: { accountSid: 'AC1', authToken: 'sandbox' } });
    await put('twilio', { sourceMode: 'byok', data: { accountSid: 'AC2', authToken: 'sandbox' }, clientId });
    await service.db.asSystem('seed', async (tx) => {
      for (const scope of [clientId, otherClientId, null])
        await addWorkflow(tx, { partnerId, clientId: scope, templateName: 'missed-call-text-back' });
    });
    const counts = (rows: { usedByAgents: number }[]) => rows.map((row) => row.usedByAgents);
    assert.deepEqual(counts((await list('owner')).body), [2, 1], 'the default serves the agency and the client without an own key');
    assert.deepEqual(counts((await list('otherClientUser')).body), [1]);
    assert.deepEqual(counts((await list('clientUser')).body), [1]);
  });

  it('counts the chatbots that answer with each row while they are on', async () => {
    const { clientId, otherClientId, partnerId } = service.world;
    await put('openai', { sourceMode: 'byok', data });
    const bot = { partnerId, isActive: true, name: 'Assistant', greeting: 'Hello.', provider: 'openai', model: 'test' };
    await service.db.asSystem('seed', async (tx) => {
      for (const one of [clientId, otherClientId])
        await tx
          .insertInto('chatbot')
          .values({ ...bot, clientId: one })
          .execute();
    });
    const counts = async (as: 'owner' | 'clientUser' | 'otherClientUser') =>
      (await list(as)).body.map((row: { usedByChatbots: number }) => row.usedByChatbots);
    assert.deepEqual([await counts('owner'), await counts('clientUser'), await counts('otherClientUser')], [[2], [1], [1]]);
    await put('openai', { sourceMode: 'byok', data, clientId });
    assert.deepEqual(
      [await counts('owner'), await counts('clientUser')],
      [[1, 1], [1]],
      'a client with a key of its own does not use the default',
    );
    await service.db.asSystem('seed', async (tx) => {
      await tx.updateTable('chatbot').set({ isActive: false }).where('clientId', '=', clientId).execute();
    });
    assert.deepEqual([await counts('owner'), await counts('clientUser')], [[1, 0], [0]]);
  });

  it('lists no use of a key of the platform, which is neither the client’s nor the agency’s', async () => {
    const { partnerId, clientId } = service.world;
    const open = () =>
      service.db.asSystem('credentials', (tx) =>
        service.vault.openModelKey(tx, { partnerId, clientId, provider: 'openai' }, { type: 'system', id: null }),
      );
    const uses = () => service.database.query('select provider, purpose, served_client_id from credential_use');
    await service.database.query('delete from credential_use');
    await put('openai', { sourceMode: 'platform' });
    await open();
    assert.deepEqual(await uses(), []);
    await put('openai', { sourceMode: 'byok', data });
    await open();
    assert.deepEqual(await uses(), [{ provider: 'openai', purpose: 'ai_call', served_client_id: clientId }]);
  });

  it('takes one statement besides entering the scope', async () => {
    assert.ok((await service.countStatements(() => list('owner'))) <= 4);
    assert.ok((await service.countStatements(() => put('resend', { sourceMode: 'byok', data }))) <= 11);
  });
});

describe('removing a key', () => {
  it('is final for its scope and makes the partner’s default count', async () => {
    const { clientId } = service.world;
    await put('resend', { sourceMode: 'byok', data });
    await put('resend', { sourceMode: 'byok', data, clientId });
    const path = `/credentials/resend?clientId=${clientId}`;
    assert.equal((await service.call('DELETE', path, { as: 'owner' })).status, 204);
    assert.equal((await service.call('DELETE', path, { as: 'owner' })).status, 404);
    assert.deepEqual(
      (await list('clientUser')).body.map((row: { inherited?: boolean }) => row.inherited),
      [true],
    );
    assert.equal((await service.call('DELETE', '/credentials/code', { as: 'owner' })).body.code, 'not_a_stored_credential');
    assert.equal((await service.call('DELETE', '/credentials/stripe', { as: 'owner' })).status, 404);
  });

  it('never affects another scope', async () => {
    const { otherClientId, rivalClientId } = service.world;
    await put('resend', { sourceMode: 'byok', data });
    await service.assertRefused('DELETE', '/credentials/resend', {
      staff: 'role_forbidden',
      moderator: 'partner_role_forbidden',
      rivalOwner: 'not_found',
      clientUser: 'not_found',
    });
    assert.equal((await service.call('DELETE', `/credentials/resend?clientId=${rivalClientId}`, { as: 'owner' })).status, 404);
    assert.equal((await service.call('DELETE', `/credentials/resend?clientId=${otherClientId}`, { as: 'clientUser' })).status, 404);
    assert.equal((await list('owner')).body.length, 1);
    assert.equal((await service.call('DELETE', '/credentials/resend', { as: 'owner' })).status, 204);
  });
});

describe('testing a key', () => {
  const test = (provider: string, as: 'owner' | 'clientUser' = 'owner') => service.call('POST', `/credentials/${provider}/test`, { as });

  it('calls each provider and records the result', async () => {
    const cases: [string, object, object][] = [
      ['openai', { apiKey: 'sk-sandbox' }, { apiKey: 'sk-wrong' }],
      ['anthropic', { apiKey: 'sk-ant-sandbox' }, { apiKey: 'wrong' }],
      ['calcom', { apiKey: 'cal_sandbox' }, { apiKey: 'wrong' }],
      ['resend', { apiKey: 're_sandbox' }, { apiKey: 'wrong' }],
      ['twilio', { accountSid: 'AC1', authToken: 'sandbox' }, { accountSid: 'AC1', authToken: 'wrong' }],
    ];
    for (const [provider, good, bad] of cases) {
      await put(provider, { sourceMode: 'byok', data: good });
      const accepted = await test(provider);
      assert.deepEqual([accepted.status, accepted.body.ok], [200, true], `${provider}: ${accepted.text}`);
      await put(provider, { sourceMode: 'byok', data: bad });
      const refused = await test(provider);
      assert.deepEqual([refused.body.ok, /refused the key/.test(refused.body.message)], [false, true], `${provider}: ${refused.text}`);
    }
    const rows: { lastCheck: { ok: boolean; at: string } }[] = (await list('owner')).body;
    assert.deepEqual(
      rows.map((row) => row.lastCheck.ok),
      [false, false, false, false, false],
    );
  });

  it('clears the last check when the key is replaced', async () => {
    await put('resend', { sourceMode: 'byok', data: { apiKey: 'wrong' } });
    await test('resend');
    const replaced = await put('resend', { sourceMode: 'byok', data });
    assert.equal(replaced.body.lastCheck, null);
  });

  it('uses the key of the platform in platform mode', async () => {
    await put('openai', { sourceMode: 'platform' });
    assert.equal((await test('openai')).body.ok, true);
    await put('anthropic', { sourceMode: 'platform' });
    assert.match((await test('anthropic')).body.message, /offers no Anthropic key/);
  });

  it('writes the use ledger and the audit log', async () => {
    const saved = await put('resend', { sourceMode: 'byok', data });
    await test('resend');
    const found = await service.db.asSystem('credentials', async (tx) => ({
      uses: await tx
        .selectFrom('credentialUse')
        .select(['purpose', 'actorType', 'actorId'])
        .where('credentialId', '=', saved.body.id)
        .execute(),
      audit: await tx.selectFrom('auditEntry').select('action').where('targetId', '=', saved.body.id).orderBy('id').execute(),
    }));
    assert.deepEqual(found.uses, [{ purpose: 'test', actorType: 'user', actorId: service.world.people.owner.userId }]);
    assert.deepEqual(
      found.audit.map((line) => line.action),
      ['credential.saved', 'credential.tested'],
    );
    assert.notEqual((await list('owner')).body[0].lastUsedAt, null);
  });

  it('is for credentials stored in the own scope', async () => {
    await put('resend', { sourceMode: 'byok', data });
    await service.assertRefused('POST', '/credentials/resend/test', {
      staff: 'role_forbidden',
      moderator: 'partner_role_forbidden',
      rivalOwner: 'not_found',
      clientUser: 'not_found',
    });
    assert.equal((await test('code')).body.code, 'not_a_stored_credential');
    assert.equal((await test('stripe')).status, 404);
  });
});

describe('requirements and readiness', () => {
  it('show per client which agent needs which key and whether it is stored', async () => {
    const { clientId, otherClientId, partnerId } = service.world;
    const [own, other] = await service.db.asSystem('seed', async (tx) => [
      await addWorkflow(tx, { partnerId, clientId, templateName: 'missed-call-text-back', name: 'Text-back' }),
      await addWorkflow(tx, { partnerId, clientId: otherClientId, templateName: 'daily-sql-report', name: 'Report' }),
    ]);
    await put('twilio', { sourceMode: 'byok', data: { accountSid: 'AC1', authToken: 'wrong' } });
    await put('resend', { sourceMode: 'byok', data, clientId: otherClientId });
    const all = await service.call('GET', '/credentials/requirements', { as: 'owner' });
    assert.equal(all.status, 200);
    const states = all.body.map((need: { clientName: string; provider: string; state: string }) => [
      need.clientName,
      need.provider,
      need.state,
    ]);
    assert.deepEqual(states, [
      ['Elm Road Physio', 'postgres', 'missing'],
      ['Elm Road Physio', 'resend', 'ok'],
      ['Oak Street Dental', 'twilio', 'inherited'],
    ]);
    assert.deepEqual(all.body[2].agents, [{ id: own, name: 'Text-back', stepNames: ['Send text'] }]);

    await service.call('POST', '/credentials/twilio/test', { as: 'owner' });
    const grid = await service.call('GET', `/clients/${clientId}/readiness`, { as: 'owner' });
    assert.deepEqual(grid.body, [
      {
        agentId: own,
        agentName: 'Text-back',
        clientId,
        clientName: 'Oak Street Dental',
        cells: [{ provider: 'twilio', state: 'failing', message: 'Twilio refused the key.' }],
      },
    ]);
    const clientView = await service.call('GET', '/credentials/requirements', { as: 'otherClientUser' });
    assert.deepEqual(
      clientView.body.map((need: { agents: { id: string }[] }) => need.agents[0]?.id),
      [other, other],
    );
  });

  it('stay inside the scope of the caller', async () => {
    const { clientId, rivalClientId, partnerId } = service.world;
    await service.assertRefused('GET', `/clients/${clientId}/readiness`, { clientUser: 'role_forbidden', rivalOwner: 'not_found' });
    assert.equal((await service.call('GET', `/clients/${clientId}/readiness`, { as: 'moderator' })).status, 200);
    assert.equal((await service.call('GET', `/clients/${clientId}/readiness`, { as: 'staff' })).status, 200);
    assert.equal((await service.call('GET', `/clients/${rivalClientId}/readiness`, { as: 'owner' })).status, 404);
    assert.equal((await service.call('GET', '/clients/nothing/readiness', { as: 'owner' })).status, 404);
    await service.assertRefused('GET', `/credentials/requirements?partnerId=${partnerId}`, {
      owner: 'scope_forbidden',
      clientUser: 'scope_forbidden',
    });
    assert.equal((await service.call('GET', `/credentials/requirements?partnerId=${partnerId}`, { as: 'staff' })).status, 200);
    assert.equal((await service.call('GET', `/credentials/requirements?clientId=${rivalClientId}`, { as: 'owner' })).status, 404);
  });
});
