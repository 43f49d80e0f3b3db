import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startTestService, type TestService } from '@partner-portal/tests/harness/service.ts';
import { addClient } from '@partner-portal/tests/harness/world.ts';
import { chatbot } from '../index.ts';

let service: TestService;
before(async () => {
  service = await startTestService({
    modules: (platform) => [chatbot({ ...platform, publicBaseUrl: platform.baseUrl })],
  });
});
after(() => service.close());

describe('the chatbots of an agency', () => {
  it('are listed for each client, with or without settings, and for no other agency', async () => {
    const { clientId, otherClientId, rivalClientId } = service.world;
    const body = { clientId, name: 'Ava', isActive: true, allowedOrigins: ['https://oak.example'] };
    assert.equal((await service.call('PATCH', '/chatbot/settings', { as: 'owner', body })).status, 200);
    const { status, body: list } = await service.call('GET', '/chatbot', { as: 'moderator' });
    assert.equal(status, 200);
    const of = (id: string) => list.data.find((row: { clientId: string }) => row.clientId === id);
    const { clientName, clientStatus, name, isActive, sites, passages, agentRoutes } = of(clientId);
    assert.deepEqual(
      { clientName, clientStatus, name, isActive, sites, passages, agentRoutes },
      { clientName: 'Oak Street Dental', clientStatus: 'active', name: 'Ava', isActive: true, sites: 1, passages: 0, agentRoutes: 0 },
    );
    assert.deepEqual([of(otherClientId).id, of(otherClientId).isActive, of(otherClientId).updatedAt], [null, false, null]);
    assert.equal(of(rivalClientId), undefined);
    const rival = await service.call('GET', '/chatbot', { as: 'rivalOwner' });
    assert.deepEqual(
      rival.body.data.map((row: { clientId: string }) => row.clientId),
      [rivalClientId],
    );
    await service.assertRefused('GET', '/chatbot', { staff: 'role_forbidden', clientUser: 'role_forbidden' });
  });

  it('are paged, each client once', async () => {
    for (const name of ['Third', 'Fourth', 'Fifth'])
      await service.db.asSystem('seed', (tx) => addClient(tx, service.world.partnerId, name));
    const seen: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const { body } = await service.call('GET', `/chatbot?limit=2&cursor=${cursor}`, { as: 'owner' });
      seen.push(...body.data.map((row: { clientName: string }) => row.clientName));
      cursor = body.nextCursor;
    }
    assert.deepEqual(seen.toSorted(), ['Elm Road Physio', 'Fifth', 'Fourth', 'Oak Street Dental', 'Third']);
  });
});
