import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type ProvisioningService, startProvisioningService } from '@partner-portal/tests/harness/provisioning.ts';
import { addClient, addWorkflow, type Person } from '@partner-portal/tests/harness/world.ts';

let service: ProvisioningService;
before(async () => {
  service = await startProvisioningService();
});
after(() => service.close());

type Ready = { clientId: string; state: string; missingConnections: string[]; missingSettings: { key: string }[] };
const read = async (ids: readonly string[], as: Person = 'owner', templateName = 'missed-call-text-back') =>
  service.call('GET', `/agent-requests/readiness?templateName=${templateName}&clientIds=${ids.join(',')}`, { as });
const seed = <T>(work: Parameters<typeof service.db.asSystem<T>>[1]): Promise<T> => service.db.asSystem('seed', work);

describe('the readiness of clients for an agent', () => {
  it('says for each client what it lacks, in the order of the call, and changes nothing', async () => {
    const { clientId, otherClientId, partnerId } = service.world;
    const archived = await seed((tx) => addClient(tx, partnerId, 'Archived'));
    await seed((tx) => tx.updateTable('client').set({ status: 'archived' }).where('id', '=', archived).execute());
    const { status, body } = await read([otherClientId, archived, clientId]);
    assert.equal(status, 200);
    const found = body as Ready[]; // checked by its schema
    assert.deepEqual(
      found.map(({ clientId: id }) => id),
      [otherClientId, archived, clientId],
    );
    assert.deepEqual([found[0]?.state, found[0]?.missingConnections, found[1]?.state], ['missing', ['twilio'], 'not_allowed']);
    assert.equal((await read([otherClientId], 'moderator')).status, 200);
    const requests = await service.call('GET', `/agent-requests?clientId=${otherClientId}`, { as: 'owner' });
    assert.equal(requests.body.data.length, 0);
    await service.saveKey('twilio');
    assert.equal((await read([otherClientId])).body[0].state, 'ready');
  });

  it('names a required setting until the business profile of the client fills it', async () => {
    const { otherClientId } = service.world;
    const profile = (businessProfile: object) =>
      seed((tx) =>
        tx
          .updateTable('client')
          .set({ businessProfile: JSON.stringify(businessProfile) })
          .where('id', '=', otherClientId)
          .execute(),
      );
    const lacking = async (): Promise<string[]> =>
      ((await read([otherClientId], 'owner', 'review-request')).body as Ready[])[0]?.missingSettings.map(({ key }) => key) ?? [];
    await profile({});
    assert.deepEqual(await lacking(), ['reviewUrl', 'fromNumber']);
    await profile({ reviewUrl: 'https://reviews.example/oak' });
    assert.deepEqual(await lacking(), ['fromNumber']);
  });

  it('counts an agent as present once it is installed, not while it is only added', async () => {
    const { clientId } = service.world;
    const templateName = 'lead-intake-cleaner';
    const add = (providerFlowId: string | null) =>
      seed((tx) => addWorkflow(tx, { partnerId: service.world.partnerId, clientId, templateName, providerFlowId }));
    const stateOf = async () => ((await read([clientId], 'owner', templateName)).body as Ready[])[0]?.state;
    const agentId = await add(null);
    assert.equal(await stateOf(), 'ready');
    await seed((tx) => tx.deleteFrom('workflow').where('id', '=', agentId).execute());
    await add('flow-of-this-test');
    assert.equal(await stateOf(), 'has_agent');
  });

  it('is refused for a client of another agency, an unknown template and users of clients', async () => {
    const { clientId, otherClientId } = service.world;
    const foreign = await seed((tx) => addClient(tx, service.world.rivalPartnerId, 'Foreign'));
    assert.equal((await read([otherClientId, foreign])).body.code, 'not_found');
    assert.equal((await read([otherClientId], 'owner', 'no-such-agent')).body.code, 'validation_failed');
    assert.equal((await read([clientId], 'clientUser')).body.code, 'role_forbidden');
    assert.equal((await read([])).body.code, 'invalid_query');
  });
});
