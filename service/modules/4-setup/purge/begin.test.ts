import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { checksumRows, fillAccount } from '@partner-portal/tests/harness/account-rows.ts';
import { assertPurged, makeDue, purgeDeps, stateOf } from '@partner-portal/tests/harness/purge.ts';
import { startTestService, type TestService } from '@partner-portal/tests/harness/service.ts';
import { addClient, addPartner } from '@partner-portal/tests/harness/world.ts';
import { withClient } from '#platform/db/roles.ts';
import type { PurgeDeps } from './deps.ts';
import { runPurge } from './run-purge.ts';
import { createTurns, sweepPurges } from './work-through.ts';

let service: TestService;
let deps: PurgeDeps;
let made = 0;

before(async () => {
  service = await startTestService();
  deps = purgeDeps(service);
});
after(() => service?.close());

async function addAccount(): Promise<string> {
  made += 1;
  const { planId } = service.world;
  return service.db.asSystem('seed', (tx) => addPartner(tx, { name: `Agency ${made}`, slug: `agency-${made}`, planId }));
}
const run = (id: string, from: PurgeDeps = deps) => runPurge(from, id, { signal: new AbortController().signal, turn: createTurns() });
const statusOf = (id: string) =>
  service.db.asSystem(
    'seed',
    async (tx) => (await tx.selectFrom('partner').select('status').where('id', '=', id).executeTakeFirst())?.status,
  );
const change = (id: string, values: { purgeAfter: Date }) =>
  service.db.asSystem('seed', (tx) => tx.updateTable('deletionRequest').set(values).where('id', '=', id).execute());

describe('a purge', () => {
  it('begins once, when its time has come, and only for a suspended account', async () => {
    const [early, resumed, due] = [await addAccount(), await addAccount(), await addAccount()];
    await change(await makeDue(service, early, null), { purgeAfter: new Date(Date.now() + 60_000) });
    await makeDue(service, resumed, null);
    await service.db.asSystem('seed', (tx) =>
      tx.updateTable('partner').set({ status: 'active', suspensionCause: null }).where('id', '=', resumed).execute(),
    );
    const requestId = await makeDue(service, due, null);
    const begun = await Promise.all([sweepPurges(deps), sweepPurges(deps), sweepPurges(deps)]);
    assert.equal(
      begun.reduce((sum, one) => sum + one, 0),
      1,
    );
    assert.deepEqual([await statusOf(early), await statusOf(resumed), await statusOf(due)], ['suspended', 'active', 'deleted']);
    const { purge, steps } = await stateOf(service, requestId);
    assert.deepEqual([purge?.status, steps.length], ['running', 6]);
    assert.equal(await run(requestId), 'completed');
    await assertPurged(service, requestId);
  });

  it('waits for the decision about a reactivation that was requested in time, and begins once that is rejected', async () => {
    const add = (partnerId: string, clientId: string | null) =>
      service.db.asSystem('seed', async (tx) => {
        const { id } = await tx
          .insertInto('reactivationRequest')
          .values({ partnerId, clientId, scope: clientId === null ? 'partner' : 'client', message: 'Keep us', requesterRole: 'PARTNER' })
          .returning('id')
          .executeTakeFirstOrThrow();
        return id;
      });
    const agency = await addAccount();
    const owning = await addAccount();
    const clientId = await service.db.asSystem('seed', (tx) => addClient(tx, owning, 'Oak Street'));
    const [ofAgency, ofClient] = [await makeDue(service, agency, null), await makeDue(service, owning, clientId)];
    const asked = [await add(agency, null), await add(owning, clientId)];
    // That of another account holds nothing.
    const [other, ofItsClient] = [await addAccount(), await addAccount()];
    const due = await makeDue(service, other, null);
    await add(other, await service.db.asSystem('seed', (tx) => addClient(tx, other, 'Its client')));
    const dueClient = await makeDue(service, ofItsClient, await service.db.asSystem('seed', (tx) => addClient(tx, ofItsClient, 'Due')));
    await add(ofItsClient, null);
    const begunOf = async () =>
      Promise.all([ofAgency, ofClient, due, dueClient].map(async (id) => (await stateOf(service, id)).purge !== undefined));
    await sweepPurges(deps);
    assert.deepEqual(await begunOf(), [false, false, true, true]);
    assert.equal(await statusOf(agency), 'suspended');
    await service.db.asSystem('seed', (tx) =>
      tx.updateTable('reactivationRequest').set({ status: 'rejected', decidedAt: new Date() }).where('id', 'in', asked).execute(),
    );
    assert.equal(await sweepPurges(deps), 2);
    assert.deepEqual(await begunOf(), [true, true, true, true]);
  });

  it('that waits for a reactivation reminds the side that decides two days before its day, and then each week', async () => {
    const { partnerId, clientId, people } = service.world;
    const agency = await addAccount();
    const [day, asked] = [86_400_000, Date.now() - 86_400_000];
    const at = (days: number): Date => new Date(asked + days * day);
    for (const [of, client] of [
      [agency, null],
      [partnerId, clientId],
    ] as const) {
      await change(await makeDue(service, of, client), { purgeAfter: at(30) });
      const row = { partnerId: of, clientId: client, scope: client === null ? ('partner' as const) : ('client' as const) };
      await service.db.asSystem('seed', (tx) =>
        tx
          .insertInto('reactivationRequest')
          .values({ ...row, message: 'Keep us', requesterRole: 'PARTNER', createdAt: at(0) })
          .execute(),
      );
    }
    const reminders = async (person: 'staff' | 'owner' | 'moderator') =>
      (
        await service.db.asSystem('seed', (tx) =>
          tx
            .selectFrom('notification')
            .select(['title', 'body'])
            .where('userId', '=', people[person].userId)
            .where('dedupeKey', 'like', 'reactivation-waits:%')
            .execute(),
        )
      ).length;
    const sweepAt = async (days: number) => {
      await sweepPurges({ ...deps, clock: { now: () => at(days) } });
      return [await reminders('staff'), await reminders('owner'), await reminders('moderator')];
    };
    assert.deepEqual(await sweepAt(27.9), [0, 0, 0]);
    assert.deepEqual(await sweepAt(28.1), [1, 1, 0]);
    assert.deepEqual(await sweepAt(31), [1, 1, 0]);
    assert.deepEqual(await sweepAt(35.1), [2, 2, 0]);
    // An agency that is suspended cannot decide.
    await service.db.asSystem('seed', (tx) => tx.updateTable('partner').set({ status: 'suspended' }).where('id', '=', partnerId).execute());
    assert.deepEqual(await sweepAt(42.1), [4, 2, 0]);
    await service.db.asSystem('seed', async (tx) => {
      await tx
        .updateTable('reactivationRequest')
        .set({ status: 'rejected', decidedAt: at(43) })
        .where('partnerId', 'in', [partnerId, agency])
        .execute();
      await tx.updateTable('deletionRequest').set({ status: 'cancelled' }).where('partnerId', 'in', [partnerId, agency]).execute();
      await tx.updateTable('partner').set({ status: 'active', suspensionCause: null }).where('id', '=', partnerId).execute();
    });
    assert.deepEqual(await sweepAt(49.1), [4, 2, 0]);
  });

  it('is continued later while a transaction from before it is open, and says so', async () => {
    const requestId = await makeDue(service, await addAccount(), null);
    await withClient({ ...service.database.host.adminConfig, database: service.database.name }, async (client) => {
      await client.query('begin; select pg_current_xact_id()');
      await sweepPurges(deps);
      assert.equal(await run(requestId, { ...deps, barrierWaitMs: 1 }), 'later');
      const { purge, steps } = await stateOf(service, requestId);
      assert.equal(purge?.status, 'running');
      assert.match(steps.find(({ name }) => name === 'delete_rows')?.problem ?? '', /still open in the database/);
      await client.query('rollback');
    });
    await service.db.asSystem('seed', (tx) =>
      tx
        .updateTable('purge')
        .set({ dueAt: new Date(0) })
        .where('deletionRequestId', '=', requestId)
        .execute(),
    );
    assert.equal(await run(requestId), 'completed');
  });

  it('is held by one worker; another one, and one that lost its claim, change nothing', async () => {
    const requestId = await makeDue(service, await addAccount(), null);
    await sweepPurges(deps);
    const both = await Promise.all([run(requestId), run(requestId)]);
    assert.deepEqual(both.toSorted(), ['completed', 'lost']);

    const partnerId = await addAccount();
    await fillAccount(service.database, [{ partnerId, clientId: null }], 'held');
    const second = await makeDue(service, partnerId, null);
    await sweepPurges(deps);
    let transactions = 0;
    let left: Record<string, string> = {};
    // After some of its transactions, another worker takes over.
    const losing: PurgeDeps = {
      ...deps,
      db: {
        ...deps.db,
        asSystem: async (reason, work) => {
          transactions += 1;
          if (transactions === 12) left = await checksumRows(service.database, 't.partner_id = $1', [partnerId]);
          if (transactions === 12)
            await deps.db.asSystem('seed', (tx) =>
              tx.updateTable('purge').set({ claimedBy: crypto.randomUUID() }).where('deletionRequestId', '=', second).execute(),
            );
          return deps.db.asSystem(reason, work);
        },
      },
    };
    assert.equal(await run(second, losing), 'lost');
    assert.ok(Object.keys(left).length > 50);
    assert.deepEqual({ ...(await checksumRows(service.database, 't.partner_id = $1', [partnerId])), purge: '' }, { ...left, purge: '' });
  });

  it('destroys the key before it deletes a row', async () => {
    const partnerId = await addAccount();
    await fillAccount(service.database, [{ partnerId, clientId: null }], 'sealed');
    const requestId = await makeDue(service, partnerId, null);
    await sweepPurges(deps);
    const sent: string[] = [];
    const stop = service.db.onStatement(({ name }) => void (name && sent.push(name)));
    await run(requestId);
    stop();
    const [erased, window] = [sent.indexOf('data_keys_erase'), sent.indexOf('purge_window')];
    assert.ok(erased > 0 && window > erased, `${erased} ${window}`);
    const [key] = await service.db.asSystem('seed', (tx) =>
      tx.selectFrom('partnerDataKey').select(['sealedKey', 'destroyedAt']).where('partnerId', '=', partnerId).execute(),
    );
    assert.ok(key?.sealedKey === null && key.destroyedAt !== null);
  });
});

it('a purge gives the others their turn after each batch', async () => {
  const turn = createTurns();
  const order: string[] = [];
  const work = async (name: string): Promise<void> => {
    for (let n = 0; n < 3; n += 1) await turn(async () => void order.push(name));
  };
  await Promise.all([work('large'), work('small')]);
  assert.deepEqual(order, ['large', 'small', 'large', 'small', 'large', 'small']);
  await assert.rejects(turn(() => Promise.reject(new Error('one fails'))));
  await turn(async () => void order.push('next'));
  assert.equal(order.at(-1), 'next');
});
