import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type ExecutionService, startExecutionService } from '@partner-portal/tests/harness/executions.ts';
import { addClient, type NewWorkflow, noonZone } from '@partner-portal/tests/harness/world.ts';
import { sql } from 'kysely';
import { Temporal } from 'temporal-polyfill';

let service: ExecutionService;

before(async () => {
  service = await startExecutionService();
});
after(() => service.close());

// Hours from now, so that no due time and no midnight falls into the test.
const DAILY = { every: 'day', at: '07:30', timezone: noonZone(), enabled: true };

/** Adds a report agent with its own client. */
async function addReport(agent: Partial<NewWorkflow> = {}): Promise<string> {
  const clientId = await service.db.asSystem('seed', (tx) => addClient(tx, service.world.partnerId, 'A client'));
  return service.addAgent({ clientId, templateName: 'daily-sql-report', ...agent });
}

async function addScheduled(agent: Partial<NewWorkflow> = {}): Promise<string> {
  const id = await addReport(agent);
  assert.equal((await service.call('PUT', `/workflows/${id}/schedule`, { as: 'owner', body: DAILY })).status, 200);
  return id;
}

/** Makes the schedule due, `minutes` ago. */
const makeDue = (id: string, minutes = 0) =>
  service.query(
    "update workflow_schedule set due_at = date_trunc('minute', now()) - make_interval(mins => $2::int) where workflow_id = $1",
    [id, minutes],
  );
/** The local date of the business. */
const daysAgo = (days: number): string => Temporal.Now.plainDateISO(DAILY.timezone).subtract({ days }).toString();
const runsOf = (id: string) =>
  service.query<{ id: string; source: string; input: Record<string, unknown> }>(
    'select e.id, e.source, p.input from execution e join execution_payload p on p.id = e.id where e.workflow_id = $1 order by e.id',
    [id],
  );
const read = async (id: string) => (await service.call('GET', `/workflows/${id}/schedule`, { as: 'owner' })).body;

describe('the schedule of a workflow', () => {
  it('is on its records and in both lists, for staff and partner', async () => {
    const [id, without] = [await addScheduled(), await addReport()];
    await service.call('PUT', `/workflows/${id}/schedule`, {
      as: 'owner',
      body: { ...DAILY, every: 'week', weekdays: [2], enabled: false },
    });
    const schedule = { ...DAILY, every: 'week', weekdays: [2], enabled: false, kind: 'run' };
    for (const list of ['/agents', '/workflows'])
      for (const as of ['staff', 'owner', 'moderator'] as const) {
        const listed = (await service.call('GET', `${list}?limit=2`, { as })).body.data as { id: string }[];
        const alone = [await service.call('GET', `${list}/${without}`, { as }), await service.call('GET', `${list}/${id}`, { as })];
        const found = [...listed, ...alone.map(({ body }) => body as { id: string; schedule: unknown })];
        assert.deepEqual(
          found.map((one) => [one.id, (one as { schedule?: unknown }).schedule]),
          [0, 1].flatMap(() => [
            [without, null],
            [id, schedule],
          ]),
          `${list} as ${as}`,
        );
      }
  });

  it('is shown to its own client, and that of no other agent to any client', async () => {
    const own = await service.addAgent({ templateName: 'daily-sql-report' });
    const foreign = await addScheduled();
    assert.equal((await service.call('PUT', `/workflows/${own}/schedule`, { as: 'owner', body: DAILY })).status, 200);
    for (const path of ['/agents', '/workflows']) {
      const { status, body } = await service.call('GET', `${path}/${own}`, { as: 'clientUser' });
      assert.deepEqual([status, body.schedule], [200, { ...DAILY, weekdays: [], kind: 'run' }]);
      const listed = (await service.call('GET', path, { as: 'clientUser' })).body.data as { id: string; schedule: unknown }[];
      assert.deepEqual(listed.find(({ id }) => id === own)?.schedule, { ...DAILY, weekdays: [], kind: 'run' });
      assert.equal((await service.call('GET', `${path}/${foreign}`, { as: 'clientUser' })).status, 404);
    }
    const { partnerId, clientId } = service.world;
    const asked = await service.db.asTenant({ kind: 'tenant', partnerId, clientId }, (tx) =>
      sql<{ own: object | null; foreign: object | null }>`
        select schedule_shown(${own}) as own, schedule_shown(${foreign}) as foreign`.execute(tx),
    );
    assert.deepEqual(asked.rows, [{ own: { ...DAILY, weekdays: [], kind: 'run' }, foreign: null }]);
  });

  it('is saved with its next due time, read by staff and partner, and audited', async () => {
    const id = await addReport();
    const none = await read(id);
    assert.deepEqual([none.schedule, none.nextRunAt, none.last, none.missingInputs], [null, null, null, []]);
    assert.deepEqual(none.suggested, { every: 'day', at: '07:00', weekdays: [], timezone: 'America/Chicago' });
    const saved = await service.call('PUT', `/workflows/${id}/schedule`, { as: 'owner', body: { ...DAILY, weekdays: [5, 1, 1] } });
    assert.equal(saved.status, 200, saved.text);
    assert.deepEqual(saved.body.schedule, { ...DAILY, weekdays: [1, 5] });
    assert.ok(new Date(saved.body.nextRunAt) > new Date());
    for (const as of ['staff', 'owner', 'moderator'] as const) {
      const reply = await service.call('GET', `/workflows/${id}/schedule`, { as });
      assert.deepEqual(reply.body, saved.body);
    }
    const [line] = await service.query<{ action: string; changes: object }>(
      'select action, changes from audit_entry where target_id = $1',
      [id],
    );
    assert.equal(line?.action, 'workflow.schedule_changed');
    assert.deepEqual(Object.keys(line?.changes ?? {}).toSorted(), ['at', 'enabled', 'every', 'timezone', 'weekdays']);
  });

  it('can be set by staff, disabled and deleted; repeating either changes nothing', async () => {
    const id = await addReport();
    const put = (body: object) => service.call('PUT', `/workflows/${id}/schedule`, { as: 'staff', body });
    assert.equal((await put(DAILY)).status, 200);
    const off = await put({ ...DAILY, enabled: false });
    assert.deepEqual([off.body.schedule.enabled, off.body.nextRunAt], [false, null]);
    assert.equal((await put({ ...DAILY, enabled: false })).body.updatedAt, off.body.updatedAt);
    for (let n = 0; n < 2; n += 1) assert.equal((await service.call('DELETE', `/workflows/${id}/schedule`, { as: 'owner' })).status, 204);
    assert.equal((await read(id)).schedule, null);
    const lines = await service.query<{ action: string }>('select action from audit_entry where target_id = $1 order by id', [id]);
    assert.deepEqual(
      lines.map((one) => one.action),
      ['workflow.schedule_changed', 'workflow.schedule_changed', 'workflow.schedule_removed'],
    );
  });

  it('is refused to clients, moderators, other partners and without a session', async () => {
    const id = await addScheduled();
    const path = `/workflows/${id}/schedule`;
    const closed = {
      clientUser: 'role_forbidden',
      otherClientUser: 'role_forbidden',
      rivalOwner: 'not_found',
      rivalClientUser: 'role_forbidden',
    };
    await service.assertRefused('GET', path, closed);
    await service.assertRefused('PUT', path, { ...closed, moderator: 'partner_role_forbidden' }, DAILY);
    await service.assertRefused('DELETE', path, { ...closed, moderator: 'partner_role_forbidden' });
    assert.ok((await read(id)).schedule);
  });

  it('names each invalid value', async () => {
    const id = await addReport();
    const bad: [object, string][] = [
      [{ at: '7:30' }, 'at'],
      [{ at: '24:00' }, 'at'],
      [{ every: 'minute' }, 'every'],
      [{ timezone: 'Mars/Base' }, 'timezone'],
      [{ weekdays: [0] }, 'weekdays.0'],
      [{ every: 'week' }, 'weekdays'],
    ];
    for (const [change, field] of bad) {
      const reply = await service.call('PUT', `/workflows/${id}/schedule`, { as: 'owner', body: { ...DAILY, ...change } });
      assert.deepEqual([reply.status, reply.body.errors?.[0]?.field], [422, field], reply.text);
    }
    const good = await service.call('PUT', `/workflows/${id}/schedule`, { as: 'owner', body: { ...DAILY, every: 'week', weekdays: [1] } });
    assert.equal(good.status, 200);
  });

  it('is refused for an agent whose required inputs only an event can provide', async () => {
    const id = await addReport({ templateName: 'missed-call-text-back' });
    const reply = await service.call('PUT', `/workflows/${id}/schedule`, { as: 'owner', body: DAILY });
    assert.deepEqual([reply.status, reply.body.code], [409, 'invalid_state']);
    const shown = await read(id);
    assert.deepEqual([shown.suggested, shown.missingInputs[0].key], [null, 'callerNumber']);
  });

  it('is not overwritten by a caller with a stale version', async () => {
    const id = await addScheduled();
    const { updatedAt } = await read(id);
    const put = (tag: string, at: string) =>
      service.call('PUT', `/workflows/${id}/schedule`, { as: 'owner', body: { ...DAILY, at }, headers: { 'if-match': `"${tag}"` } });
    assert.equal((await put(updatedAt, '08:00')).status, 200);
    assert.equal((await put(updatedAt, '09:00')).body.code, 'stale_record');
  });
});

describe('a due schedule', () => {
  it('starts one execution about the day before of the business, and the next due time is in the future', async () => {
    const id = await addScheduled();
    await makeDue(id);
    assert.equal(await service.workflows.runDueSchedules(), 1);
    assert.equal(await service.workflows.runDueSchedules(), 0);
    const [run, ...more] = await runsOf(id);
    assert.equal(more.length, 0);
    assert.equal(run?.source, 'schedule');
    assert.deepEqual(run?.input, { runDate: daysAgo(1) });
    const after = await read(id);
    assert.deepEqual([after.last.outcome, after.last.reason, after.last.executionId], ['started', null, run?.id]);
    assert.ok(new Date(after.nextRunAt) > new Date());
  });

  it('starts one execution, also with concurrent processes', async () => {
    const ids = await Promise.all([addScheduled(), addScheduled(), addScheduled()]);
    await Promise.all(ids.map((id) => makeDue(id)));
    const started = await Promise.all(Array.from({ length: 6 }, () => service.workflows.runDueSchedules()));
    assert.equal(
      started.reduce((sum, n) => sum + n),
      3,
    );
    for (const id of ids) assert.equal((await runsOf(id)).length, 1);
  });

  it('starts one execution when its process crashed before it was settled', async () => {
    const id = await addScheduled();
    await makeDue(id);
    const [before] = await service.query<{ due_at: Date }>('select due_at from workflow_schedule where workflow_id = $1', [id]);
    await service.workflows.runDueSchedules();
    // After such a crash: the execution exists, and the old due time has an expired lease.
    await service.query(
      "update workflow_schedule set due_at = $2, claimed_by = uuidv7(), claimed_until = now() - interval '1 second' where workflow_id = $1",
      [id, before?.due_at],
    );
    assert.equal(await service.workflows.runDueSchedules(), 1);
    const runs = await runsOf(id);
    assert.equal(runs.length, 1);
    assert.equal((await read(id)).last.executionId, runs[0]?.id);
  });

  it('is not claimed by others while the lease is valid', async () => {
    const id = await addScheduled();
    await makeDue(id);
    await service.query(
      "update workflow_schedule set claimed_by = uuidv7(), claimed_until = now() + interval '1 minute' where workflow_id = $1",
      [id],
    );
    assert.equal(await service.workflows.runDueSchedules(), 0);
    await service.query("update workflow_schedule set claimed_until = now() - interval '1 minute' where workflow_id = $1", [id]);
    assert.equal(await service.workflows.runDueSchedules(), 1);
  });

  it('is caught up once after days of downtime, not once for each day', async () => {
    const id = await addScheduled();
    await makeDue(id, 5 * 24 * 60);
    assert.equal(await service.workflows.runDueSchedules(), 1);
    assert.equal(await service.workflows.runDueSchedules(), 0);
    const runs = await runsOf(id);
    assert.equal(runs.length, 1);
    assert.deepEqual(runs[0]?.input, { runDate: daysAgo(1) });
  });

  it('is skipped with the reason, and the next due time is set, when the agent is paused, its account is suspended or the credits are used', async () => {
    const { partnerId } = service.world;
    const cases: [string, string, string][] = [
      [
        'workflow_inactive',
        'update workflow set is_active = false where partner_id = $1',
        'update workflow set is_active = true where partner_id = $1',
      ],
      ['account_suspended', "update partner set status = 'suspended' where id = $1", "update partner set status = 'active' where id = $1"],
      [
        'quota_exceeded',
        'update partner_quota set used = 10000 where partner_id = $1',
        'update partner_quota set used = 0 where partner_id = $1',
      ],
    ];
    for (const [reason, spoil, mend] of cases) {
      const id = await addScheduled();
      await makeDue(id);
      await service.query(spoil, [partnerId]);
      assert.equal(await service.workflows.runDueSchedules(), 0);
      await service.query(mend, [partnerId]);
      const skipped = await read(id);
      assert.deepEqual([skipped.last.outcome, skipped.last.reason, skipped.last.executionId], ['skipped', reason, null]);
      assert.ok(new Date(skipped.nextRunAt) > new Date());
      await makeDue(id);
      assert.equal(await service.workflows.runDueSchedules(), 1, `${reason}: runs again`);
    }
  });

  it('does not exist while the schedule is disabled', async () => {
    const id = await addScheduled();
    await service.call('PUT', `/workflows/${id}/schedule`, { as: 'owner', body: { ...DAILY, enabled: false } });
    assert.equal(await service.workflows.runDueSchedules(), 0);
    await service.call('PUT', `/workflows/${id}/schedule`, { as: 'owner', body: DAILY });
    await makeDue(id);
    assert.equal(await service.workflows.runDueSchedules(), 1);
  });

  it('takes a number of statements that does not grow with the schedules', async () => {
    const cost = async (count: number): Promise<number> => {
      const ids = await Promise.all(Array.from({ length: count }, () => addScheduled()));
      await Promise.all(ids.map((id) => makeDue(id)));
      // Facts that never change are read once per workflow and process; they are not counted here.
      await Promise.all(ids.map((id) => service.call('POST', `/workflows/${id}/trigger`, { as: 'owner', body: { input: {} } })));
      await service.executions.flushNotices();
      return service.countStatements(async () => {
        assert.equal(await service.workflows.runDueSchedules(), count);
        await service.executions.flushNotices();
      });
    };
    const one = await cost(1);
    assert.ok(one <= 10, `${one} statements`);
    assert.ok((await cost(8)) <= one + 1);
  });
});
