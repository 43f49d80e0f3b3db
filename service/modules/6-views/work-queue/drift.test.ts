import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { startTestService, type TestService } from '@partner-portal/tests/harness/service.ts';
import type { SystemTx } from '#platform/db/tx.ts';
import { workQueue } from './index.ts';

/** Which results of comparisons with the engine wait for staff. How they come about: `4-setup/provisioning/drift`. */

let service: TestService;
before(async () => {
  service = await startTestService({ modules: (platform) => [workQueue(platform)] });
});
after(() => service.close());

type Item = { kind: string; itemId: string; title: string; detail: string; ownerId: string | null; since: string };
const items = async (): Promise<Item[]> =>
  (await service.call('GET', '/provisioning/queue', { as: 'staff' })).body.filter(({ kind }: Item) => kind === 'drift');
const seed = (write: (tx: SystemTx) => Promise<unknown>) => service.db.asSystem('seed', write);

const DAYS = ['2026-03-01T10:00:00.000Z', '2026-03-02T10:00:00.000Z', '2026-03-03T10:00:00.000Z'] as const;
/** An installed agent, and what the last comparison found of its flow. */
async function agent(
  tx: SystemTx,
  name: string,
  state: string,
  foundAt: string | null,
  of: { clientId?: string; partnerId?: string } = {},
) {
  const { partnerId = service.world.partnerId, clientId = null } = of;
  const flow = `flow of ${name}`;
  const { id } = await tx
    .insertInto('workflow')
    .values({ partnerId, clientId, templateName: name.toLowerCase(), templateVersion: 1, name, providerFlowId: flow })
    .returning('id')
    .executeTakeFirstOrThrow();
  await tx.insertInto('workflowDrift').values({ workflowId: id, partnerId, state, providerFlowId: flow, foundAt }).execute();
}

beforeEach(async () => {
  const { partnerId, rivalPartnerId, clientId } = service.world;
  await seed(async (tx) => {
    for (const table of ['workItemOwner', 'workflow', 'automationInstance', 'provisioningAttempt'] as const)
      await tx.deleteFrom(table).execute();
    await tx.updateTable('client').set({ status: 'active' }).execute();
    await tx.updateTable('partner').set({ status: 'active' }).where('isHouse', '=', false).execute();
    for (const id of [partnerId, rivalPartnerId])
      await tx
        .insertInto('automationInstance')
        .values({ partnerId: id, provider: 'embedded', status: 'ready', tenancyMode: 'shared' })
        .execute();
    await agent(tx, 'Win-back', 'changed', DAYS[1], { clientId });
    await agent(tx, 'Booking', 'missing', DAYS[2]);
    await agent(tx, 'In order', 'none', null);
    await agent(tx, 'Not looked at', 'unchecked', null);
  });
});

describe('agents that differ in the engine', () => {
  it('are one item of their agency, which waits since the first of them was found', async () => {
    const { partnerId, rivalPartnerId } = service.world;
    await seed((tx) => agent(tx, 'Lead qualifier', 'changed', DAYS[0], { partnerId: rivalPartnerId }));
    assert.deepEqual(
      (await items()).map(({ itemId, title, detail, since }) => [itemId, title, detail, since]),
      [
        [rivalPartnerId, '1 agent of Rival Agency differs in the engine', 'Lead qualifier: changed in the engine', DAYS[0]],
        [
          partnerId,
          '2 agents of Acme Agency differ in the engine',
          'Booking: gone from the engine\nWin-back for Oak Street Dental: changed in the engine',
          DAYS[1],
        ],
      ],
    );
  });

  it('are named by the first three, and counted', async () => {
    await seed(async (tx) => {
      for (const name of ['Alarm', 'Cleaner', 'Zones']) await agent(tx, name, 'changed', DAYS[2]);
    });
    const [item] = await items();
    assert.equal(item?.title, '5 agents of Acme Agency differ in the engine');
    assert.match(item.detail, /^Alarm: .*\nBooking: .*\nCleaner: .*\n2 more agents$/);
  });

  it('can be taken, which is noted in the log of staff, and not once they are in order', async () => {
    const { partnerId, housePartnerId, people } = service.world;
    const assign = (assigned: boolean) =>
      service.call('POST', '/provisioning/queue/assign', { as: 'staff', body: { kind: 'drift', itemId: partnerId, assigned } });
    assert.equal((await assign(true)).body.ownerId, people.staff.userId);
    assert.equal((await items())[0]?.ownerId, people.staff.userId);
    const entry = await service.db.asSystem('seed', (tx) =>
      tx.selectFrom('auditEntry').selectAll().where('action', '=', 'work_item.assigned').executeTakeFirst(),
    );
    assert.deepEqual(
      [entry?.partnerId, entry?.targetType, entry?.targetLabel],
      [housePartnerId, 'drift', '2 agents of Acme Agency differ in the engine'],
    );
    await seed((tx) => tx.updateTable('workItemOwner').set({ assignedAt: DAYS[0] }).execute());
    assert.equal((await items())[0]?.ownerId, null, 'it was found after someone took what was found before');
    assert.equal((await assign(true)).body.ownerId, people.staff.userId);
    assert.equal((await assign(false)).body.ownerId, null);
    await seed((tx) => tx.updateTable('workflowDrift').set({ state: 'none', foundAt: null }).execute());
    assert.equal((await assign(true)).body.code, 'not_found');
    assert.deepEqual(await items(), []);
  });

  const agentWith = (change: { providerFlowId: string | null }) => (tx: SystemTx) =>
    tx.updateTable('workflow').set(change).where('name', '=', 'Win-back').execute();
  const client = (status: string) => (tx: SystemTx) =>
    tx.updateTable('client').set({ status }).where('id', '=', service.world.clientId).execute();
  const setup = (status: string) => (tx: SystemTx) =>
    tx.updateTable('automationInstance').set({ status }).where('partnerId', '=', service.world.partnerId).execute();
  const agency = (status: string) => (tx: SystemTx) =>
    tx.updateTable('partner').set({ status }).where('id', '=', service.world.partnerId).execute();
  const AFTER: [string, (tx: SystemTx) => Promise<unknown>, number][] = [
    ['one of them is deleted', (tx) => tx.deleteFrom('workflow').where('name', '=', 'Win-back').execute(), 1],
    ['one of them is taken out of the engine', agentWith({ providerFlowId: null }), 1],
    ['the flow of one is replaced', agentWith({ providerFlowId: 'another' }), 1],
    ['the client of one is archived', client('archived'), 1],
    ['the client of one is suspended', client('suspended'), 2],
    ['their agency is set up', setup('provisioning'), 0],
    ['their agency is taken out of the engine', setup('deprovisioning'), 0],
    ['their agency has been taken out of the engine', setup('unprovisioned'), 0],
    ['their agency is suspended, so that no repair is possible', agency('suspended'), 0],
    ['their agency is deleted', agency('deleted'), 0],
  ];
  for (const [when, change, left] of AFTER)
    it(`are ${left || 'none'} of two that wait when ${when}`, async () => {
      const before = await items();
      assert.match(before[0]?.title ?? '', /^2 agents/);
      await seed(change);
      assert.deepEqual((await items()).map(({ title }) => title.slice(0, 1)), left ? [String(left)] : []); // prettier-ignore
    });

  it('are no second item of an agency whose setup failed', async () => {
    await seed((tx) =>
      tx.updateTable('automationInstance').set({ status: 'failed' }).where('partnerId', '=', service.world.partnerId).execute(),
    );
    const { body } = await service.call('GET', '/provisioning/queue', { as: 'staff' });
    assert.deepEqual(body.map(({ kind }: Item) => kind), ['failed_setup']); // prettier-ignore
  });

  it('are shown to staff, and taken by staff, alone', async () => {
    const others = { owner: 'role_forbidden', moderator: 'role_forbidden', clientUser: 'role_forbidden' };
    await service.assertRefused('GET', '/provisioning/queue', others);
    const body = { kind: 'drift', itemId: service.world.partnerId, assigned: true };
    await service.assertRefused('POST', '/provisioning/queue/assign', others, body);
  });
});
