import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { z } from 'zod';
import type { RouteShape } from '@partner-portal/contract/define-route.ts';
import { routes } from '@partner-portal/contract/index.ts';
import { accounts } from '@partner-portal/service/modules/2-tenancy/accounts/index.ts';
import { inboxHandlers } from '@partner-portal/service/modules/3-product/conversations/index.ts';
import { addConversation } from '@partner-portal/service/modules/3-product/conversations/test-conversations.ts';
import { stopList } from '@partner-portal/service/modules/3-product/stop-list/index.ts';
import { clients } from '@partner-portal/service/modules/2-tenancy/clients/index.ts';
import { invitations } from '@partner-portal/service/modules/2-tenancy/invitations/index.ts';
import { nameReviews } from '@partner-portal/service/modules/2-tenancy/name-reviews/index.ts';
import { newsletter } from '@partner-portal/service/modules/2-tenancy/newsletter/index.ts';
import { partners } from '@partner-portal/service/modules/2-tenancy/partners/index.ts';
import { users } from '@partner-portal/service/modules/2-tenancy/users/index.ts';
import type { Notices } from '@partner-portal/service/platform/notify.ts';
import { type ProvisioningService, startProvisioningService } from '../harness/provisioning.ts';
import { startTestService, type TestService } from '../harness/service.ts';
import { addWorkflow, type Person } from '../harness/world.ts';
import { assertNothingHeldHere } from '../harness/held.ts';

let tenancy: TestService;
let product: ProvisioningService;
before(async () => {
  tenancy = await startTestService({
    modules: (platform) => [
      accounts({ ...platform, deletionDays: 30 }),
      partners(platform),
      clients(platform),
      users(platform),
      newsletter(platform),
      nameReviews(platform),
      stopList(platform),
      invitations(platform),
      { routes: inboxHandlers({ ...platform, notices: SILENT, templates: [] }) },
    ],
  });
  const invited = await tenancy.call('POST', '/invitations', { as: 'owner', body: { kind: 'team', email: 'new@portal.test' } });
  assert.equal(invited.status, 201, invited.text);
  const own = { scope: 'client', clientId: tenancy.world.otherClientId };
  const leaving = await tenancy.call('POST', '/account-deletion', {
    as: 'owner',
    body: { ...own, reason: 'Closed.', confirmName: 'Elm Road Physio' },
  });
  assert.equal(leaving.status, 201, leaving.text);
  await tenancy.call('POST', `/account-deletion/${leaving.body.id}/approve`, { as: 'owner', body: {} });
  const back = await tenancy.call('POST', '/account-reactivation', { as: 'otherClientUser', body: { message: 'Open again.' } });
  assert.equal(back.status, 201, back.text);
  await tenancy.call('POST', '/newsletter/subscribe', { body: { email: 'reader@portal.test' } });
  await addConversation(tenancy);
  const listed = { contact: '+13125550177' };
  assert.equal((await tenancy.call('POST', `/clients/${tenancy.world.clientId}/stop-list`, { as: 'owner', body: listed })).status, 201);
  const lookalike = { name: 'PayPal Security' };
  assert.equal((await tenancy.call('POST', '/clients', { as: 'owner', body: lookalike })).status, 201);
  product = await startProvisioningService();
  const { partnerId, clientId, otherClientId } = product.world;
  await product.db.asSystem('seed', async (tx) => {
    for (const templateName of ['missed-call-text-back', 'review-request'])
      for (const owner of [clientId, otherClientId]) await addWorkflow(tx, { partnerId, clientId: owner, templateName, name: '=SUM(1)' });
  });
  const body = { clientIds: [clientId, otherClientId], templateName: 'lead-qualifier' };
  const asked = await product.call('POST', '/agent-requests', { as: 'owner', body });
  assert.equal(asked.status, 201, asked.text);
  // Three calls that the sandbox keeps.
  for (let n = 0; n < 3; n += 1)
    await fetch(`${product.settings.sandbox()?.url}/calcom/v2/me`, { headers: { authorization: 'Bearer cal_sandbox' } });
});
after(async () => {
  await tenancy.close();
  await product.close();
  assertNothingHeldHere();
});

/** No list follows changes. */
const SILENT: Notices = { subscribe: () => () => undefined, close: () => Promise.resolve() };

const linesOf = (text: string): string[] => text.replace('\uFEFF', '').trimEnd().split('\r\n');

/** Where, as whom, and a filter that leaves nothing. */
const LISTS: [where: () => TestService, path: string, as: Person, none: string][] = [
  [() => tenancy, '/clients', 'owner', 'q=no%20such%20words'],
  [() => tenancy, '/clients', 'staff', 'q=no%20such%20words'],
  [() => tenancy, '/partners', 'staff', 'q=no%20such%20words'],
  [() => tenancy, '/users', 'staff', 'q=no%20such%20words'],
  [() => tenancy, '/newsletter/subscribers', 'staff', 'q=no%20such%20words'],
  [() => tenancy, '/provisioning/name-reviews', 'staff', 'status=rejected'],
  [() => tenancy, '/clients/:id/users', 'moderator', ''],
  [() => tenancy, '/clients/:id/stop-list', 'moderator', 'q=999'],
  [() => tenancy, '/clients/:id/stop-list', 'clientUser', 'q=999'],
  [() => tenancy, '/invitations', 'owner', 'status=revoked'],
  [() => tenancy, '/account-deletion', 'owner', 'status=rejected'],
  [() => tenancy, '/account-reactivation', 'staff', 'status=rejected'],
  [() => tenancy, '/account-reactivation', 'otherClientUser', 'status=approved'],
  [() => tenancy, '/chatbot/conversations', 'owner', 'q=no%20such%20words'],
  [() => tenancy, '/chatbot/conversations', 'clientUser', 'status=closed'],
  [() => product, '/agents', 'owner', 'q=no%20such%20words'],
  [() => product, '/agents', 'clientUser', 'health=failing'],
  [() => product, '/workflows', 'owner', ''],
  [() => product, '/workflows', 'staff', ''],
  [() => product, '/agent-requests', 'moderator', 'status=fulfilled'],
  [() => product, '/agent-requests', 'clientUser', 'open=false'],
  [() => product, '/provisioning/outbox', 'staff', 'q=no%20such%20words'],
];

describe('every list that grows', () => {
  const membersOf = (schema: unknown): object => (schema instanceof z.ZodObject ? schema.shape : {});
  const lists = Object.values<RouteShape>(routes).filter(
    ({ query, reply }) => 'cursor' in membersOf(query) || 'nextCursor' in membersOf(reply[200]),
  );
  const exportOf = (list: RouteShape): RouteShape | undefined =>
    Object.values<RouteShape>(routes).find(({ path, method }) => path === `${list.path}/export.csv` && method === 'GET');

  it('has a CSV export for the same people that takes the same filters', () => {
    assert.ok(lists.length > 30);
    assert.deepEqual(
      lists.filter((list) => exportOf(list)?.format !== 'csv').map(({ path }) => path),
      [],
    );
    for (const list of lists) {
      const csv = exportOf(list);
      assert.ok(csv);
      const filters = Object.keys(list.query?.shape ?? {}).filter((member) => !['cursor', 'limit', 'sort'].includes(member));
      assert.deepEqual(Object.keys(csv.query?.shape ?? {}).toSorted(), filters.toSorted(), list.path);
      assert.deepEqual(csv.access, list.access, list.path);
    }
  });
});

describe('the CSV export of a list', () => {
  for (const [where, pattern, as, none] of LISTS) {
    it(`holds the rows of ${pattern} as ${as} sees them, under the same filters`, async () => {
      const path = pattern.replace(':id', where().world.clientId);
      const list = await where().call('GET', path, { as });
      const file = await where().call('GET', `${path}/export.csv`, { as });
      assert.equal(file.status, 200, file.text);
      assert.match(String(file.headers['content-type']), /^text\/csv/);
      assert.match(String(file.headers['content-disposition']), /^attachment; filename="[\w.-]+\.csv"$/);
      const ids = list.body.data.map((row: { id: string }) => row.id);
      assert.ok(ids.length > 0, 'a list without rows shows nothing');
      assert.deepEqual(
        linesOf(file.text)
          .slice(1)
          .map((line) => line.split(',')[0]),
        ids,
      );
      if (none === '') return;
      const narrowed = await where().call('GET', `${path}/export.csv?${none}`, { as });
      assert.equal(linesOf(narrowed.text).length, 1);
    });
  }

  it('is closed to whom the list is closed, and refuses what the list refuses', async () => {
    const closed: [TestService, string, Person][] = [
      [tenancy, '/clients', 'clientUser'],
      [tenancy, '/partners', 'owner'],
      [tenancy, '/users', 'owner'],
      [tenancy, '/invitations', 'clientUser'],
      [product, '/provisioning/outbox', 'owner'],
    ];
    for (const [where, path, as] of closed) {
      assert.equal((await where.call('GET', `${path}/export.csv`, { as })).body.code, 'role_forbidden', path);
    }
    assert.equal((await tenancy.call('GET', '/clients/export.csv?status=sleepy', { as: 'owner' })).body.code, 'invalid_query');
    for (const [where, path] of [
      [tenancy, '/clients'],
      [product, '/agents'],
      [product, '/workflows'],
      [product, '/agent-requests'],
    ] as const) {
      const { partnerId, rivalClientId } = where.world;
      const scoped = await where.call('GET', `${path}/export.csv?partnerId=${partnerId}`, { as: 'owner' });
      assert.equal(scoped.body.code, 'scope_forbidden', path);
      if (path === '/clients') continue;
      const foreign = await where.call('GET', `${path}/export.csv?clientId=${rivalClientId}`, { as: 'owner' });
      assert.equal(foreign.body.code, 'not_found', path);
    }
  });

  it('disarms what a spreadsheet would run', async () => {
    const { text } = await product.call('GET', '/agents/export.csv', { as: 'owner' });
    assert.ok(text.includes("'=SUM(1)") && !text.includes(',=SUM(1)'));
  });
});
