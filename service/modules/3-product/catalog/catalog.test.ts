import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { type ExecutionService, startExecutionService } from '@partner-portal/tests/harness/executions.ts';

let service: ExecutionService;

before(async () => {
  service = await startExecutionService();
});
after(() => service.close());
beforeEach(async () => {
  await service.query('delete from workflow');
  await service.addAgent({ name: 'Text back' });
});

describe('the catalog', () => {
  it('shows what each template lacks for a chosen client, and a client sees only the texts for clients', async () => {
    const asOwner = (await service.call('GET', `/agents/catalog?clientId=${service.world.clientId}`, { as: 'owner' })).body;
    assert.equal(asOwner.length, 12);
    const texting = asOwner.find((entry: { name: string }) => entry.name === 'missed-call-text-back');
    assert.deepEqual([texting.ready, texting.missingConnections, texting.installed], [false, ['twilio'], true]);
    const keyless = asOwner.find((entry: { name: string }) => entry.name === 'lead-intake-cleaner');
    assert.deepEqual([keyless.ready, keyless.missingConnections, keyless.installed], [true, [], false]);
    const asClient = (await service.call('GET', '/agents/catalog/missed-call-text-back', { as: 'clientUser' })).body;
    assert.deepEqual(
      [asClient.summary, asClient.steps, asClient.config, asClient.requiredConnections],
      [asClient.clientSummary, [], [], []],
    );
    assert.ok(asClient.inputs.length > 0);
  });

  it('says to its client what a template is and takes, to the agency and staff also what a run costs', async () => {
    const { clientId } = service.world;
    const ofAgency = ['templateVersion', 'creditsPerRun', 'timeoutMinutes', 'hoursSavedPerRun', 'ready'];
    for (const person of ['owner', 'moderator', 'staff'] as const)
      for (const entry of (await service.call('GET', `/agents/catalog?clientId=${clientId}`, { as: person })).body)
        assert.deepEqual(
          ofAgency.filter((member) => entry[member] === undefined),
          [],
          person,
        );
    const one = (await service.call('GET', '/agents/catalog/missed-call-text-back', { as: 'clientUser' })).body;
    for (const entry of [one, ...(await service.call('GET', '/agents/catalog', { as: 'clientUser' })).body]) {
      assert.deepEqual(
        ofAgency.filter((member) => member in entry),
        [],
      );
      const hidden = [
        entry.steps,
        entry.config,
        entry.requiredConnections,
        entry.missingConnections,
        entry.changelog,
        entry.sampleConversation,
      ];
      assert.deepEqual([hidden, entry.sampleInput], [[[], [], [], [], [], []], {}]);
      assert.ok(entry.title && entry.summary && entry.icon && entry.category && typeof entry.installed === 'boolean');
    }
  });

  it('counts a partner’s key for its clients, a client’s own first, and a platform key only where one exists', async () => {
    const { partnerId, clientId, otherClientId } = service.world;
    const ready = async (client: string) =>
      (await service.call('GET', `/agents/catalog/missed-call-text-back?clientId=${client}`, { as: 'owner' })).body.ready;
    await service.query(`insert into credential (partner_id, provider, source_mode, sealed) values ($1, 'twilio', 'byok', '\\x01')`, [
      partnerId,
    ]);
    assert.deepEqual([await ready(clientId), await ready(otherClientId)], [true, true]);
    await service.query(`insert into credential (partner_id, client_id, provider, source_mode) values ($1, $2, 'twilio', 'byok')`, [
      partnerId,
      otherClientId,
    ]);
    assert.deepEqual([await ready(clientId), await ready(otherClientId)], [true, false]);
    await service.query(`insert into credential (partner_id, provider, source_mode) values ($1, 'openai', 'platform')`, [partnerId]);
    const qualifier = (await service.call('GET', '/agents/catalog/lead-qualifier', { as: 'owner' })).body;
    assert.deepEqual(qualifier.missingConnections, ['openai', 'resend']);
    await service.query('delete from credential');
  });

  it('filters, and refuses unknown or foreign values', async () => {
    const quote = (await service.call('GET', '/agents/catalog/quote-follow-up', { as: 'owner' })).body;
    assert.ok(Date.parse(quote.sampleInput.sentAt) < Date.now(), 'a sample that can be run unchanged');
    const found = (await service.call('GET', '/agents/catalog?category=calls', { as: 'moderator' })).body;
    assert.ok(found.length >= 1 && found.every((entry: { category: string }) => entry.category === 'calls'));
    assert.deepEqual((await service.call('GET', '/agents/catalog?q=no%20such%20words', { as: 'owner' })).body, []);
    assert.equal((await service.call('GET', '/agents/catalog/nothing', { as: 'owner' })).status, 404);
    assert.equal((await service.call('GET', `/agents/catalog?clientId=${service.world.rivalClientId}`, { as: 'owner' })).status, 404);
    assert.equal(
      (await service.call('GET', `/agents/catalog?partnerId=${service.world.partnerId}`, { as: 'owner' })).body.code,
      'scope_forbidden',
    );
    assert.equal((await service.call('GET', `/agents/catalog?partnerId=${service.world.partnerId}`, { as: 'staff' })).status, 200);
    assert.equal((await service.call('GET', '/agents/catalog')).status, 401);
  });
});
