import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { routes } from '@partner-portal/contract/index.ts';
import { bodyOf } from '@partner-portal/tests/harness/route-cases.ts';
import { startTestService, type TestService } from '@partner-portal/tests/harness/service.ts';
import { withClient } from '#platform/db/roles.ts';
import { plans } from './index.ts';

let service: TestService;
before(async () => {
  service = await startTestService({ modules: (platform) => [plans(platform)] });
});
after(() => service.close());

describe('the name of a plan', () => {
  it('is that of one plan, also when two are renamed at the same moment', async () => {
    const [first, second] = [await newPlan('First'), await newPlan('Second')];
    const taken = await rename(second, 'First');
    assert.deepEqual([taken.status, taken.body.code], [409, 'already_exists']);
    await withClient({ ...service.database.host.adminConfig, database: service.database.name }, async (client) => {
      await client.query('begin');
      await client.query("update plan set name = 'Wanted' where id = $1", [first]);
      const late = rename(second, 'Wanted');
      const waiting = "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
      while ((await client.query(waiting)).rowCount === 0);
      await client.query('commit');
      const refused = await late;
      assert.deepEqual([refused.status, refused.body.code], [409, 'already_exists']);
    });
    assert.equal((await rename(second, 'Another')).body.name, 'Another');
  });
});

it('has credit packs with an ID each, by which they are bought', async () => {
  const body = { ...bodyOf('createPlan', routes.createPlan), name: 'With packs' };
  const packs = (...ids: string[]) => ids.map((id, at) => ({ id, credits: 1_000 * (at + 1), priceMinor: 2_000 }));
  const create = (creditPacks: object[]) => service.call('POST', '/plans', { as: 'staff', body: { ...body, creditPacks } });
  const refused = await create(packs('pack-1000', 'pack-1000'));
  assert.deepEqual([refused.status, refused.body.code, refused.body.errors[0].field], [422, 'validation_failed', 'creditPacks']);
  const made = await create(packs('pack-1000', 'pack-2000'));
  assert.deepEqual([made.status, made.body.creditPacks.length], [201, 2]);
  const change = { creditPacks: packs('pack-2000', 'pack-2000') };
  assert.equal((await service.call('PATCH', `/plans/${made.body.id}`, { as: 'staff', body: change })).status, 422);
});

describe('the currency of a plan', () => {
  it('is one of ISO 4217, when the plan is created and when it changes', async () => {
    const body = bodyOf('createPlan', routes.createPlan);
    const refused = await service.call('POST', '/plans', { as: 'staff', body: { ...body, name: 'No currency', currency: 'ABC' } });
    assert.deepEqual([refused.status, refused.body.code, refused.body.errors[0].field], [422, 'validation_failed', 'currency']);
    const made = await service.call('POST', '/plans', { as: 'staff', body: { ...body, name: 'In forints', currency: 'HUF' } });
    assert.deepEqual([made.status, made.body.currency], [201, 'HUF']);
    const changed = await service.call('PATCH', `/plans/${made.body.id}`, { as: 'staff', body: { currency: 'XXX' } });
    assert.deepEqual([changed.status, changed.body.errors[0].field], [422, 'currency']);
  });

  it('stays while an agency is on the plan or about to be, whose amounts it would turn into others', async () => {
    const { planId, partnerId } = service.world;
    const set = (id: string, change: object) => service.call('PATCH', `/plans/${id}`, { as: 'staff', body: change });
    const refused = await set(planId, { currency: 'JPY', monthlyPriceMinor: 15_000 });
    assert.deepEqual(
      [refused.status, refused.body.errors?.[0]],
      [
        422,
        {
          field: 'currency',
          code: 'in_use',
          message: 'Agencies on this plan are invoiced in USD. Create another plan for another currency.',
        },
      ],
    );
    assert.equal((await set(planId, { currency: 'USD', description: 'Sent with its own currency.' })).status, 200);
    const next = await newPlan('Next period');
    assert.equal((await set(next, { currency: 'EUR' })).status, 200);
    await service.db.asSystem('seed', (tx) =>
      tx.updateTable('subscription').set({ pendingPlanId: next, pendingOverrides: '{}' }).where('partnerId', '=', partnerId).execute(),
    );
    assert.equal((await set(next, { currency: 'USD' })).body.errors?.[0].code, 'in_use');
  });
});

it('a plan becomes one for trials only while no agency is on it or about to be, since none could pay for it', async () => {
  const { planId } = service.world;
  const set = (id: string, change: object) => service.call('PATCH', `/plans/${id}`, { as: 'staff', body: change });
  const refused = await set(planId, { isTrial: true, trialDays: 14 });
  assert.deepEqual(
    [refused.status, refused.body.errors?.[0].field, refused.body.errors?.[0].code],
    [422, 'isTrial', 'in_use'],
    JSON.stringify(refused.body),
  );
  assert.equal((await set(planId, { isTrial: false, description: 'Sent with what it is.' })).status, 200);
  assert.equal((await set(await newPlan('For trials'), { isTrial: true, trialDays: 14 })).status, 200);
});

describe('a change of a plan', () => {
  it('is refused when the form was opened before another change, and made again on the new one', async () => {
    const id = await newPlan('Edited twice');
    const opened = (await service.call('GET', '/plans/all', { as: 'staff' })).body.find((plan: { id: string }) => plan.id === id).updatedAt;
    const change = (updatedAt: string, monthlyCredits: number) =>
      service.call('PATCH', `/plans/${id}`, { as: 'staff', body: { monthlyCredits }, headers: { 'if-match': `"${updatedAt}"` } });
    const first = await change(opened, 111);
    assert.deepEqual([first.status, first.body.monthlyCredits], [200, 111]);
    const late = await change(opened, 222);
    assert.deepEqual([late.status, late.body.code], [412, 'stale_record']);
    assert.equal((await change(first.body.updatedAt, 333)).body.monthlyCredits, 333);
  });
});

async function newPlan(name: string): Promise<string> {
  const made = await service.call('POST', '/plans', { as: 'staff', body: { ...bodyOf('createPlan', routes.createPlan), name } });
  assert.equal(made.status, 201);
  return made.body.id;
}

function rename(id: string, name: string) {
  return service.call('PATCH', `/plans/${id}`, { as: 'staff', body: { name } });
}
