import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { findBundle } from '@partner-portal/catalog/index.ts';
import { countLockWaits } from '@partner-portal/tests/harness/database.ts';
import { type ProvisioningService, startProvisioningService } from '@partner-portal/tests/harness/provisioning.ts';
import { until } from '@partner-portal/tests/harness/system.ts';
import { addClient, addWorkflow } from '@partner-portal/tests/harness/world.ts';
import { sql } from 'kysely';
import type { ReadBookings } from '#adapters/booking-reader.ts';
import { newId } from '#platform/ids.ts';
import { createLog } from '#platform/log.ts';
import { pollBookings } from './poll-bookings.ts';
import { claimBookingPoll, settleBookingPoll } from './store-bookings.ts';

let service: ProvisioningService;
let clientId: string;
let id: string;

before(async () => {
  service = await startProvisioningService();
});
after(() => service.close());

// Half an hour from now, so that no poll becomes due during the test.
const MINUTES = String((new Date().getUTCMinutes() + 30) % 60).padStart(2, '0');
const HOURLY = { every: 'hour', at: `00:${MINUTES}`, timezone: 'UTC', enabled: true };

beforeEach(async () => {
  // The sandbox stores bookings of earlier tests, so they are cancelled.
  for (const uid of booked.splice(0)) await cancel(uid);
  await service.db.asSystem('seed', (tx) => sql`update workflow_schedule set due_at = now() + interval '1 day' where enabled`.execute(tx));
  clientId = await service.db.asSystem('seed', (tx) => addClient(tx, service.world.partnerId, 'A client'));
  const { partnerId } = service.world;
  id = await service.db.asSystem('seed', (tx) => addWorkflow(tx, { partnerId, clientId, templateName: 'appointment-reminder' }));
  await service.saveKey('calcom', { clientId });
  const put = await service.call('PUT', `/workflows/${id}/schedule`, { as: 'owner', body: HOURLY });
  assert.equal(put.status, 200, put.text);
});

const MINUTE = 60_000;
const booked: string[] = [];
const inMinutes = (minutes: number): Date => new Date(Date.now() + minutes * MINUTE);
const calcom = (path: string, body: object) =>
  fetch(`${service.settings.sandbox()?.url}/calcom/v2${path}`, {
    method: 'POST',
    headers: { authorization: 'Bearer cal_sandbox', 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
const cancel = (uid: string) => calcom(`/bookings/${uid}/cancel`, {});
async function book(
  start: Date,
  attendee: object = { name: 'Ada Byron', email: 'ada@example.com', phoneNumber: '+13125550121' },
): Promise<string> {
  const made = await calcom('/bookings', { start: start.toISOString(), eventTypeId: 7, attendee });
  const { data } = (await made.json()) as { data: { uid: string } }; // the sandbox's own response
  booked.push(data.uid);
  return data.uid;
}

type Planned = {
  subject: string;
  status: string;
  reason: string | null;
  dueAt: Date;
  input: Record<string, unknown>;
  executionId: string | null;
};
const planned = async (): Promise<Planned[]> =>
  (
    await service.db.asSystem('seed', (tx) =>
      sql<Planned>`select subject, status, reason, due_at, input, execution_id from planned_run where workflow_id = ${id}::uuid order by due_at`.execute(
        tx,
      ),
    )
  ).rows;
const states = async () => (await planned()).map(({ subject, status }) => [subject, status]);
const makePollDue = () =>
  service.db.asSystem('seed', (tx) =>
    sql`update workflow_schedule set due_at = now() - interval '1 second' where workflow_id = ${id}::uuid`.execute(tx),
  );
const read = async () => (await service.call('GET', `/workflows/${id}/schedule`, { as: 'owner' })).body;
const checkOf = async () => {
  const { body } = await service.call('GET', `/credentials?clientId=${clientId}`, { as: 'owner' });
  return body.find((row: { provider: string; inherited?: boolean }) => row.provider === 'calcom' && !row.inherited).lastCheck;
};

describe('the hourly poll of bookings', () => {
  it('is the schedule of this agent, suggested hourly, and runs at once when it is enabled', async () => {
    const { kind, missingInputs, suggested, nextRunAt } = await read();
    assert.deepEqual([kind, missingInputs, suggested.every], ['bookings', [], 'hour']);
    assert.ok(new Date(nextRunAt) <= new Date());
  });

  it('plans one run per booking and lead time, with the booking as input, and starts each when due', async () => {
    const soon = await book(inMinutes(115));
    const later = await book(inMinutes(24 * 60 + 10), { name: 'Bob', email: '13125550188@sms.cal.com', phoneNumber: '+13125550188' });
    await book(inMinutes(40 * 60));
    assert.equal(await service.workflows.pollBookings(), 1);
    assert.deepEqual(await states(), [
      [`booking:${soon}`, 'waiting'],
      [`booking:${later}`, 'waiting'],
    ]);
    assert.equal(await service.workflows.runDuePlanned(), 1, 'the reminder two hours before is five minutes late and goes out');
    const [first, second] = await planned();
    assert.deepEqual([first?.status, second?.status], ['started', 'waiting']);
    assert.deepEqual(Object.keys(first?.input ?? {}).toSorted(), [
      'attendeeEmail',
      'attendeeName',
      'attendeePhone',
      'bookingUid',
      'startTime',
    ]);
    assert.deepEqual([second?.input['attendeeName'], second?.input['attendeeEmail']], ['Bob', undefined]);
    const { body: run } = await service.call('GET', `/executions/${first?.executionId}`, { as: 'owner' });
    assert.deepEqual([run.source, run.input.bookingUid], ['schedule', soon]);
    const { last, planned: shown } = await read();
    assert.deepEqual([last.outcome, last.reason, last.found, shown.waitingTotal], ['looked', null, 2, 1]);
    assert.equal((await checkOf()).ok, true);
  });

  it('plans each once, also with repeated and concurrent polls', async () => {
    await book(inMinutes(115));
    await Promise.all([service.workflows.pollBookings(), service.workflows.pollBookings()]);
    await service.workflows.runDuePlanned();
    for (let n = 0; n < 3; n += 1) {
      await makePollDue();
      assert.equal(await service.workflows.pollBookings(), 1);
      await service.workflows.runDuePlanned();
    }
    assert.equal((await planned()).length, 1);
    const { body } = await service.call('GET', `/workflows/${id}/executions`, { as: 'owner' });
    assert.equal(body.data.length, 1);
  });

  it('ends with the same plan when a slow poll is overtaken by another', async () => {
    await book(inMinutes(24 * 60 + 10));
    const arrived = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    let isFirst = true;
    const start = inMinutes(24 * 60 + 10);
    const slow: ReadBookings = async () => {
      if (isFirst) {
        isFirst = false;
        arrived.resolve();
        await release.promise;
      }
      return { ok: true, bookings: [{ uid: 'slow', start, attendees: [{ name: 'Ada', email: null, phone: null }] }], isWhole: true };
    };
    const first = poll(slow);
    await arrived.promise;
    // Its lease expires while the provider is slow.
    await service.db.asSystem('seed', (tx) =>
      sql`update workflow_schedule set claimed_until = now() - interval '1 second' where workflow_id = ${id}::uuid`.execute(tx),
    );
    await poll(slow);
    release.resolve();
    await first;
    assert.equal((await planned()).length, 1);
    assert.equal((await read()).last.outcome, 'looked');
  });

  it('cancels reminders of cancelled or moved bookings, and plans them again when they return', async () => {
    const uid = await book(inMinutes(24 * 60 + 10));
    await service.workflows.pollBookings();
    await cancel(uid);
    await makePollDue();
    await service.workflows.pollBookings();
    assert.deepEqual(
      (await planned()).map((one) => [one.status, one.reason]),
      [['cancelled', 'no_longer_due']],
    );
    const again: ReadBookings = async () => ({
      ok: true,
      bookings: [
        {
          uid,
          start: new Date((await planned())[0]?.input['startTime'] as string),
          attendees: [{ name: 'Ada', email: null, phone: null }],
        },
      ], // planned above
      isWhole: true,
    });
    await makePollDue();
    await poll(again);
    assert.deepEqual(await states(), [[`booking:${uid}`, 'waiting']]);
  });

  it('applies changed lead times from the next poll on', async () => {
    await book(inMinutes(24 * 60 + 10));
    await service.workflows.pollBookings();
    await service.call('PATCH', `/agents/${id}`, { as: 'owner', body: { config: { leadHours: [3] } } });
    await makePollDue();
    await service.workflows.pollBookings();
    assert.deepEqual(
      (await planned()).map((one) => one.status),
      ['cancelled'],
    );
  });

  it('plans a reminder by text that falls into quiet hours an hour before them', async () => {
    const clock = (at: Date) => at.toISOString().slice(11, 16);
    const begin = inMinutes(90);
    begin.setUTCSeconds(0, 0);
    const quietHours = `${clock(begin)}-${clock(inMinutes(8 * 60))}`;
    const config = JSON.stringify({ quietHours, fromNumber: '+13125550100', leadHours: [2] });
    await service.db.asSystem('seed', (tx) => sql`update workflow set config = ${config}::jsonb where id = ${id}::uuid`.execute(tx));
    await service.db.asSystem('seed', (tx) => sql`update client set timezone = 'UTC' where id = ${clientId}::uuid`.execute(tx));
    const visit = inMinutes(6 * 60);
    await book(visit);
    await book(visit, { name: 'Bo', email: 'bo@example.com' });
    await service.workflows.pollBookings();
    assert.deepEqual(
      (await planned()).map(({ dueAt, input }) => [input['attendeeName'], dueAt.getTime()]),
      [['Ada Byron', begin.getTime() - 60 * MINUTE]],
      'the mail of the other visit is due at its own hour, beyond this plan',
    );
  });

  it('cancels its reminders when it is disabled or deleted', async () => {
    for (const stop of ['off', 'remove'] as const) {
      await book(inMinutes(24 * 60 + 10 + (stop === 'off' ? 0 : 1)));
      await makePollDue();
      await service.workflows.pollBookings();
      assert.ok((await states()).some(([, status]) => status === 'waiting'));
      const path = `/workflows/${id}/schedule`;
      if (stop === 'off') await service.call('PUT', path, { as: 'owner', body: { ...HOURLY, enabled: false } });
      else await service.call('DELETE', path, { as: 'owner' });
      assert.ok(!(await states()).some(([, status]) => status === 'waiting'));
      if (stop === 'off') await service.call('PUT', path, { as: 'owner', body: HOURLY });
    }
  });

  it('does not call the provider for an agent that may not run, and shows the reason', async () => {
    await service.call('POST', `/agents/${id}/pause`, { as: 'owner' });
    let calls = 0;
    await poll(async () => {
      calls += 1;
      return { ok: true, bookings: [], isWhole: true };
    });
    const { last, nextRunAt } = await read();
    assert.deepEqual([calls, last.outcome, last.reason], [0, 'skipped', 'workflow_inactive']);
    assert.ok(new Date(nextRunAt) > new Date());
  });
});

describe('a daily poll', () => {
  const UNREAD: [what: string, stop: () => Promise<unknown>, goOn: () => Promise<unknown>][] = [
    ['finds its agent off', () => call('POST', `/agents/${id}/pause`), () => call('POST', `/agents/${id}/resume`)],
    ['finds its key refused', () => saveKey('cal_wrong'), () => service.saveKey('calcom', { clientId })],
    ['finds no key', () => call('DELETE', `/credentials/calcom?clientId=${clientId}`), () => service.saveKey('calcom', { clientId })],
  ];
  const call = (method: 'POST' | 'PUT' | 'DELETE', path: string, body?: object) =>
    service.call(method, path, { as: 'owner', ...(body === undefined ? {} : { body }) });
  const saveKey = (apiKey: string) => call('PUT', '/credentials/calcom', { clientId, sourceMode: 'byok', data: { apiKey } });
  for (const [what, stop, goOn] of UNREAD)
    it(`that ${what} is made up before a reminder of that hour is missed`, async () => {
      await call('PUT', `/workflows/${id}/schedule`, { ...HOURLY, every: 'day', at: '00:00' });
      await book(inMinutes(24 * 60 + 10));
      await stop();
      await service.workflows.pollBookings();
      assert.deepEqual(await states(), []);
      await goOn();
      const retriesIn = new Date((await read()).nextRunAt).getTime() - Date.now();
      assert.ok(retriesIn <= 57 * MINUTE, 'a later reminder is not sent any more');
      await makePollDue();
      await service.workflows.pollBookings();
      // Early in the day, the next reminder of the visit is due before the next poll as well.
      assert.equal((await planned()).filter(({ dueAt }) => dueAt.getTime() - Date.now() < 30 * MINUTE).length, 1);
      const { last, nextRunAt } = await read();
      assert.deepEqual([last.outcome, nextRunAt.slice(11, 16)], ['looked', '00:00']);
    });
});

describe('a poll that fails', () => {
  it('shows a refused key as failing, in the schedule and in the vault, and leaves planned reminders', async () => {
    await book(inMinutes(24 * 60 + 10));
    await service.workflows.pollBookings();
    await service.call('PUT', '/credentials/calcom', {
      as: 'owner',
      body: { clientId, sourceMode: 'byok', data: { apiKey: 'cal_wrong' } },
    });
    await makePollDue();
    await service.workflows.pollBookings();
    const { last } = await read();
    assert.deepEqual([last.outcome, last.reason], ['failed', 'key_refused']);
    const check = await checkOf();
    assert.deepEqual([check.ok, check.message], [false, 'Cal.com refused the key.']);
    assert.deepEqual(
      (await planned()).map((one) => one.status),
      ['waiting'],
    );
    // A valid key repairs both with the next poll.
    await service.saveKey('calcom', { clientId });
    await makePollDue();
    await service.workflows.pollBookings();
    assert.deepEqual([(await read()).last.outcome, (await checkOf()).ok], ['looked', true]);
  });

  it('shows that no key is stored', async () => {
    await service.call('DELETE', `/credentials/calcom?clientId=${clientId}`, { as: 'owner' });
    await service.workflows.pollBookings();
    assert.deepEqual([(await read()).last.outcome, (await read()).last.reason], ['failed', 'key_missing']);
  });

  it('plans nothing for two clients on the default key of the agency, shows why, and goes on for the one left on it', async () => {
    const uid = await book(inMinutes(24 * 60 + 10));
    const { partnerId } = service.world;
    await service.call('DELETE', `/credentials/calcom?clientId=${clientId}`, { as: 'owner' });
    await service.saveKey('calcom');
    // Agents of earlier tests, whose clients may inherit this key.
    await service.db.asSystem('seed', (tx) => sql`update workflow set is_active = false where id <> ${id}::uuid`.execute(tx));
    const lastOf = async (agent: string) => (await service.call('GET', `/workflows/${agent}/schedule`, { as: 'owner' })).body.last;
    const pollBoth = async () => {
      await service.db.asSystem('seed', (tx) =>
        sql`update workflow_schedule set due_at = now() - interval '1 second' where workflow_id in (${id}::uuid, ${other}::uuid)`.execute(
          tx,
        ),
      );
      assert.equal(await service.workflows.pollBookings(), 2);
      return [await lastOf(id), await lastOf(other)].map(({ outcome, reason }) => [outcome, reason]);
    };
    await service.workflows.pollBookings();
    assert.deepEqual(await states(), [[`booking:${uid}`, 'waiting']], 'alone on it');

    const otherClient = await service.db.asSystem('seed', (tx) => addClient(tx, partnerId, 'Another client'));
    const other = await service.db.asSystem('seed', (tx) =>
      addWorkflow(tx, { partnerId, clientId: otherClient, templateName: 'appointment-reminder' }),
    );
    await service.call('PUT', `/workflows/${other}/schedule`, { as: 'owner', body: HOURLY });
    const shared = ['failed', 'key_shared'];
    assert.deepEqual(await pollBoth(), [shared, shared]);
    const waiting = () =>
      service.db.asSystem('seed', async (tx) => {
        const found = await sql<{ id: string }>`select workflow_id as id from planned_run
          where workflow_id in (${id}::uuid, ${other}::uuid) and status = 'waiting'`.execute(tx);
        return found.rows.map((row) => row.id);
      });
    assert.deepEqual(await waiting(), [], 'what was planned before is cancelled');

    await service.call('POST', `/agents/${other}/pause`, { as: 'owner' });
    assert.deepEqual(await pollBoth(), [
      ['looked', null],
      ['skipped', 'workflow_inactive'],
    ]);
    assert.deepEqual(await waiting(), [id]);

    await service.call('POST', `/agents/${other}/resume`, { as: 'owner' });
    await service.saveKey('calcom', { clientId: otherClient });
    assert.deepEqual(await pollBoth(), [
      ['looked', null],
      ['looked', null],
    ]);
    assert.deepEqual((await waiting()).toSorted(), [id, other].toSorted(), 'each has a key of its own');
    await service.call('DELETE', '/credentials/calcom', { as: 'owner' });
  });

  it('retries within minutes when the provider is down, and plans what it could read when there are too many bookings', async () => {
    await service.workflows.pollBookings();
    await makePollDue();
    await poll(async () => ({ ok: false, problem: 'provider_down', message: 'Cal.com answered with an error (500).' }));
    const { last, nextRunAt } = await read();
    assert.deepEqual([last.outcome, last.reason], ['failed', 'provider_down']);
    assert.ok(new Date(nextRunAt).getTime() <= Date.now() + 5 * MINUTE);
    assert.equal((await checkOf()).ok, true, 'the key is not refused');
    await makePollDue();
    const start = inMinutes(24 * 60 + 10);
    await poll(async () => ({
      ok: true,
      bookings: [{ uid: 'many', start, attendees: [{ name: 'Ada', email: null, phone: null }] }],
      isWhole: false,
    }));
    assert.deepEqual([(await read()).last.reason, await states()], ['too_many_bookings', [['booking:many', 'waiting']]]);
  });

  it('is repeated after a crash', async () => {
    await poll(() => Promise.reject(new Error('the process crashed here')));
    assert.equal((await read()).last, null);
    assert.equal(await service.workflows.pollBookings(), 0, 'its lease holds');
    await service.db.asSystem('seed', (tx) =>
      sql`update workflow_schedule set claimed_until = now() - interval '1 second' where workflow_id = ${id}::uuid`.execute(tx),
    );
    assert.equal(await service.workflows.pollBookings(), 1);
    assert.equal((await read()).last.outcome, 'looked');
  });
});

describe('an agent that is deleted while a poll of its bookings is settled', () => {
  it('is deleted and nothing is planned, without a deadlock', async () => {
    const now = new Date();
    const by = newId();
    const due = await service.db.asSystem('seed', (tx) => claimBookingPoll(tx, { by, now, leaseSeconds: 60 }));
    assert.equal(due?.workflowId, id);
    const dueAt = inMinutes(60);
    const reminders = [{ subject: 'booking:one', label: 'Ada', dueAt, lastAt: inMinutes(90), input: {} }];
    const held = Promise.withResolvers<undefined>();
    const proceed = Promise.withResolvers<undefined>();
    // A deletion locks the agent first, then the rows that depend on it.
    const deleting = service.db.asSystem('seed', async (tx) => {
      await tx.selectFrom('workflow').select('id').where('id', '=', id).forUpdate().execute();
      held.resolve(undefined);
      await proceed.promise;
      await tx.deleteFrom('workflow').where('id', '=', id).execute();
    });
    await held.promise;
    const result = { outcome: 'looked', reason: null, nextDueAt: inMinutes(60), reminders, isWhole: true, now } as const;
    const settling = service.db.asSystem('seed', (tx) => settleBookingPoll(tx, by, due, result));
    await until('settling waits for the deletion', async () => (await countLockWaits(service.database)) > 0);
    proceed.resolve(undefined);
    await deleting;
    await settling;
    assert.deepEqual(await planned(), []);
  });
});

/** Polls once with the given response of the provider; the vault opens the key as always. */
function poll(readBookings: ReadBookings): Promise<number> {
  const { db, useCredential } = service;
  return pollBookings({
    db,
    readBookings,
    useCredential,
    clock: { now: () => new Date() },
    log: createLog('silent'),
    templateOf: (name) => findBundle(name)?.template,
  });
}
