import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { clients } from '@partner-portal/service/modules/2-tenancy/clients/index.ts';
import { invitations } from '@partner-portal/service/modules/2-tenancy/invitations/index.ts';
import { metering } from '@partner-portal/service/modules/1-ledger/metering/index.ts';
import { users } from '@partner-portal/service/modules/2-tenancy/users/index.ts';
import { startTestService, type TestService } from '../harness/service.ts';
import { assertNothingHeldHere } from '../harness/held.ts';

const UNKNOWN = '0198c2f4-7a10-7c3e-9b52-4f1d2a6e8c01';
let service: TestService;
before(async () => {
  service = await startTestService({
    modules: (platform) => [clients(platform), invitations(platform), metering(platform), users(platform)],
  });
});
after(async () => {
  await service.close();
  assertNothingHeldHere();
});

/** A foreign id must be indistinguishable from a missing one, so both are requested and the responses compared. */
describe('a filter by a record that does not exist for this caller', () => {
  for (const path of ['/invitations', '/metering/ledger', '/metering/ledger/export.csv', '/metering/usage']) {
    it(`is answered 404 by ${path}, for a foreign client as for an unknown one, and its own client is served`, async () => {
      const foreign = await service.call('GET', `${path}?clientId=${service.world.rivalClientId}`, { as: 'owner' });
      const unknown = await service.call('GET', `${path}?clientId=${UNKNOWN}`, { as: 'owner' });
      assert.deepEqual([foreign.status, foreign.body.code], [404, 'not_found']);
      assert.deepEqual({ ...foreign.body, requestId: '' }, { ...unknown.body, requestId: '' });
      assert.equal((await service.call('GET', `${path}?clientId=${service.world.clientId}`, { as: 'owner' })).status, 200);
    });
  }

  it('is answered 404 for a workflow of the ledger', async () => {
    assert.equal((await service.call('GET', `/metering/ledger?workflowId=${UNKNOWN}`, { as: 'owner' })).status, 404);
  });

  for (const path of ['/clients', '/users', '/invitations', '/metering/ledger', '/metering/quota']) {
    it(`is answered 404 by ${path} when staff name an agency that is not there, and one that is there is served`, async () => {
      const unknown = await service.call('GET', `${path}?partnerId=${UNKNOWN}`, { as: 'staff' });
      assert.deepEqual([unknown.status, unknown.body.code], [404, 'not_found']);
      assert.equal((await service.call('GET', `${path}?partnerId=${service.world.partnerId}`, { as: 'staff' })).status, 200);
    });
  }
});
