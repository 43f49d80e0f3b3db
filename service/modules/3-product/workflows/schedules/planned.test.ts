import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type ExecutionService, startExecutionService } from '@partner-portal/tests/harness/executions.ts';
import { until } from '@partner-portal/tests/harness/system.ts';
import { addClient } from '@partner-portal/tests/harness/world.ts';
import { sql } from 'kysely';
import { runDuePlanned } from './run-planned.ts';

let service: ExecutionService;

before(async () => {
  service = await startExecutionService();
});
after(() => service.close());

const QUOTE = { customerName: 'Ada Byron', quoteUrl: 'https://oak.example/quote/1', customerEmail: 'ada@example.com' };
/** What the result of each reminder has. */
const REMINDED = { startTime: '2027-01-05T15:00:00.000Z', leadHours: 24 };
const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString();

async function addFollowUp(templateName = 'quote-follow-up'): Promise<string> {
  const clientId = await service.db.asSystem('seed', (tx) => addClient(tx, service.world.partnerId, 'A client'));
  return service.addAgent({ clientId, templateName });
}

/** Starts an execution by an event and dispatches it. */
async function start(id: string, input: object): Promise<string> {
  const reply = await service.ingest(id, input);
  assert.equal(reply.status, 202, reply.text);
  await service.executions.dispatcher.runOnce();
  return reply.body.executionId;
}
const end = (run: string, output: object, status = 'SUCCEEDED') => service.report(run, { status, output });

type Planned = {
  id: string;
  status: string;
  reason: string | null;
  dueAt: Date;
  kind: string;
  executionId: string | null;
  input: Record<string, unknown>;
};
const plannedOf = (id: string) =>
  service.query<Planned>(
    `select id, status, reason, due_at as "dueAt", kind, execution_id as "executionId", input from planned_run where workflow_id = $1 and input <> '{}' order by due_at, id`,
    [id],
  );
/** Makes waiting planned runs due, `minutes` ago. */
const makeDue = (id: string, minutes = 1) =>
  service.query(
    `update planned_run set due_at = now() - make_interval(mins => $2::int), try_at = now() - make_interval(mins => $2::int), last_at = last_at - (due_at - now()) - make_interval(mins => $2::int)
     where workflow_id = $1 and status = 'waiting'`,
    [id, minutes],
  );
/** Lets the first waiting planned run start before its time. */
const tryFirst = (id: string) =>
  service.query(
    `update planned_run set try_at = now() - interval '1 minute'
      where id = (select id from planned_run where workflow_id = $1 and status = 'waiting' order by due_at limit 1)`,
    [id],
  );
/** Moves the planned runs of an agent into the past. */
const age = (id: string, days: number) =>
  service.query(
    `update planned_run set due_at = due_at - make_interval(days => $2::int), last_at = last_at - make_interval(days => $2::int), ended_at = ended_at - make_interval(days => $2::int)
      where workflow_id = $1`,
    [id, days],
  );
const runsOf = (id: string) =>
  service.query<{ id: string; source: string; input: Record<string, unknown> }>(
    'select e.id, e.source, p.input from execution e join execution_payload p on p.id = e.id where e.workflow_id = $1 order by e.id',
    [id],
  );

describe('an execution that requests a follow-up', () => {
  it('plans it when it ends; it starts once when due with the same input, and plans the next', async () => {
    const id = await addFollowUp();
    const first = await start(id, { ...QUOTE, sentAt: inDays(-2) });
    const next = inDays(3);
    await end(first, { nudge: 1, nextNudgeAt: next });
    const [waits, ...more] = await plannedOf(id);
    assert.deepEqual([waits?.status, waits?.kind, waits?.dueAt.toISOString(), more.length], ['waiting', 'nudge', next, 0]);
    assert.equal(await service.workflows.runDuePlanned(), 0, 'not before it is due');
    await makeDue(id);
    const started = await Promise.all([
      service.workflows.runDuePlanned(),
      service.workflows.runDuePlanned(),
      service.workflows.runDuePlanned(),
    ]);
    assert.equal(
      started.reduce((sum, n) => sum + n),
      1,
    );
    const [, second, ...none] = await runsOf(id);
    assert.deepEqual([second?.source, none.length], ['schedule', 0]);
    assert.equal(second?.input['quoteUrl'], QUOTE.quoteUrl);
    await service.executions.dispatcher.runOnce();
    const factsOf = (run: string | undefined) => service.engine.calls.find(({ body }) => body.executionId === run)?.body.facts;
    assert.deepEqual([factsOf(first)?.['isPlanned'], factsOf(second?.id)?.['isPlanned']], [false, true]);
    await end(second?.id ?? '', { nudge: 2, nextNudgeAt: inDays(5) });
    assert.deepEqual(
      (await plannedOf(id)).map((one) => one.status),
      ['started', 'waiting'],
    );
  });

  it('is recorded as started also when its row was locked while its execution started', async () => {
    const id = await addFollowUp();
    await end(await start(id, { ...QUOTE, sentAt: inDays(-2) }), { nudge: 1, nextNudgeAt: inDays(3) });
    await makeDue(id);
    const accepting = Promise.withResolvers<undefined>();
    const held = Promise.withResolvers<undefined>();
    const running = runDuePlanned({
      ...service,
      accept: async (event) => {
        const accepted = await service.executions.accept(event);
        accepting.resolve(undefined);
        await held.promise;
        return accepted;
      },
    });
    let isOver = false;
    void running.finally(() => (isOver = true));
    await accepting.promise;
    await service.db.asSystem('sweep', async (tx) => {
      await sql`select from planned_run where workflow_id = ${id} for update`.execute(tx);
      held.resolve(undefined);
      await until('the run waits for the row or has ended', async () => {
        const { rows } = await sql`select from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))`.execute(tx);
        return isOver || rows.length > 0;
      });
    });
    assert.equal(await running, 1);
    assert.deepEqual(
      (await plannedOf(id)).map((one) => one.status),
      ['started'],
    );
  });

  it('counts a quote without a date from its first execution', async () => {
    const id = await addFollowUp();
    const run = await start(id, QUOTE);
    await end(run, { skipped: true, reason: 'not_due', nextNudgeAt: inDays(2) });
    const [waits] = await plannedOf(id);
    const [row] = await service.query<{ startedAt: Date }>('select started_at as "startedAt" from execution where id = $1', [run]);
    assert.equal(waits?.input['sentAt'], row?.startedAt.toISOString());
  });

  it('keeps the days of a quote without a date when a later event says that it was viewed, until one says that it was answered', async () => {
    const id = await addFollowUp();
    const times = [inDays(2), inDays(5)];
    const later = [inDays(4), inDays(7)];
    const output = ([nextNudgeAt, ...laterNudges]: string[]) => ({ skipped: true, reason: 'not_due', nextNudgeAt, laterNudges });
    const first = await start(id, QUOTE);
    await end(first, output(times));
    const waiting = async () => (await plannedOf(id)).filter(({ status }) => status === 'waiting');
    const [before] = await waiting();
    await end(
      await start(id, { customerName: 'Ada King', quoteUrl: QUOTE.quoteUrl, answered: 'viewed', customerEmail: null }),
      output(later),
    );
    assert.deepEqual(
      (await waiting()).map(({ dueAt, input }) => [dueAt.toISOString(), input['sentAt'], input['customerName'], input['customerEmail']]),
      times.map((time) => [time, before?.input['sentAt'], 'Ada King', QUOTE.customerEmail]),
    );
    await service.query("update planned_run set try_at = now() - interval '1 minute' where workflow_id = $1 and status = 'waiting'", [id]);
    assert.equal(await service.workflows.runDuePlanned(), 2);
    await end(await start(id, { ...QUOTE, answered: 'viewed' }), output(later));
    assert.deepEqual(await waiting(), [], 'those that have started are not planned again');
    const answer = await start(id, { ...QUOTE, answered: true });
    await start(id, { ...QUOTE, answered: 'viewed' });
    await end(answer, { skipped: true, reason: 'answered' });
    assert.deepEqual(await waiting(), [], 'viewed after its answer');
    await end(await start(id, QUOTE), output(later));
    assert.deepEqual(
      (await waiting()).map(({ dueAt }) => dueAt.toISOString()),
      later,
      'sent again',
    );
  });

  const FAILED = { status: 'FAILED', error: { message: 'Twilio could not be reached' } };
  const dueTimes = async (id: string) =>
    (await plannedOf(id)).filter(({ status }) => status === 'waiting').map(({ dueAt }) => dueAt.toISOString());

  const OVER: [what: string, sentAt: string, output: object][] = [
    ['has just gone out', inDays(-12), { nudge: 3, contacted: QUOTE.customerEmail, mailId: 'm1' }],
    ['went out before', inDays(-12), { skipped: true, reason: 'already_nudged' }],
    ['is long past', inDays(-60), { skipped: true, reason: 'all_done' }],
  ];
  for (const [what, sentAt, output] of OVER)
    it(`is none for a quote whose last nudge ${what} when it is viewed`, async () => {
      const id = await addFollowUp();
      await end(await start(id, { ...QUOTE, sentAt }), output);
      const view = async () => {
        const next = { skipped: true, reason: 'not_due', nextNudgeAt: inDays(2), laterNudges: [inDays(5), inDays(10)] };
        await end(await start(id, { ...QUOTE, answered: 'viewed' }), next);
        return dueTimes(id);
      };
      assert.deepEqual(await view(), []);
      await age(id, 31);
      await service.workflows.forgetOldPlanned();
      assert.deepEqual(await view(), []);
      await end(await start(id, { ...QUOTE, sentAt: inDays(-1) }), { skipped: true, reason: 'not_due', nextNudgeAt: inDays(1) });
      assert.equal((await dueTimes(id)).length, 1, 'sent again');
    });

  it('is none for a quote whose planned nudge went out 31 days ago when it is viewed, also after a state that was not understood', async () => {
    const id = await addFollowUp();
    const output = { skipped: true, reason: 'not_due', nextNudgeAt: inDays(2) };
    await end(await start(id, QUOTE), output);
    await makeDue(id);
    assert.equal(await service.workflows.runDuePlanned(), 1);
    await service.executions.dispatcher.runOnce();
    const planned = (await runsOf(id)).find(({ source }) => source === 'schedule');
    await end(planned?.id ?? '', { nudge: 1, contacted: QUOTE.customerEmail, mailId: 'm1' });
    await age(id, 31);
    await service.workflows.forgetOldPlanned();
    await end(await start(id, { ...QUOTE, answered: 'in negotiation' }), { skipped: true, reason: 'answer_not_understood' });
    await end(await start(id, { ...QUOTE, answered: 'viewed' }), output);
    assert.deepEqual(await dueTimes(id), []);
    await age(id, 101);
    await service.workflows.forgetOldPlanned();
    assert.deepEqual(await plannedOf(id), []);
  });

  it('is planned once by a repeated report, and not at all for a time not in the future', async () => {
    const id = await addFollowUp();
    const run = await start(id, { ...QUOTE, sentAt: inDays(-2) });
    const output = { nudge: 1, nextNudgeAt: inDays(3) };
    await Promise.all([end(run, output), end(run, output), end(run, { nudge: 1, nextNudgeAt: inDays(4) })]);
    assert.equal((await plannedOf(id)).length, 1);
    for (const nextNudgeAt of ['soon', '2027-13-45T99:99:99Z', '', 'infinity', inDays(-1), inDays(500), { at: 1 }]) {
      const other = await addFollowUp();
      assert.equal((await end(await start(other, QUOTE), { nudge: 1, nextNudgeAt })).body.applied, true);
      assert.deepEqual(await plannedOf(other), [], JSON.stringify(nextNudgeAt));
    }
  });

  it('is planned by a failed execution as well, which knew it before it failed, and once when that is run again', async () => {
    const id = await addFollowUp('appointment-reminder');
    const visit = { attendeeName: 'Ada', startTime: inDays(1), attendeePhone: '+13125550121' };
    const later = { startTime: visit.startTime, leadHours: 24, nextReminderAt: inDays(0.9), laterReminders: [inDays(0.95)] };
    const times = [later.nextReminderAt, ...later.laterReminders];
    const failed = await start(id, visit);
    await service.report(failed, { ...FAILED, output: later });
    assert.deepEqual(await dueTimes(id), times);
    const rerun = async () => {
      const { body } = await service.call('POST', `/executions/${failed}/rerun`, { as: 'owner', body: {} });
      await service.executions.dispatcher.runOnce();
      return body.executionId as string;
    };
    await end(await rerun(), { ...later, contacted: visit.attendeePhone });
    assert.deepEqual(await dueTimes(id), times, 'the rerun');
    await tryFirst(id);
    assert.equal(await service.workflows.runDuePlanned(), 1);
    await service.report(await rerun(), { ...FAILED, output: later });
    assert.equal((await plannedOf(id)).filter(({ status }) => status === 'started').length, 1, 'what has started is not planned again');
    const none = await addFollowUp('appointment-reminder');
    await service.report(await start(none, visit), FAILED);
    assert.deepEqual(await plannedOf(none), [], 'nothing is known of one that failed before it decided');
  });

  it('is planned with all later ones, each of which goes out also when one before it failed', async () => {
    const id = await addFollowUp();
    const times = [inDays(2), inDays(5), inDays(10)];
    await end(await start(id, { ...QUOTE, sentAt: inDays(0) }), {
      skipped: true,
      reason: 'not_due',
      nextNudgeAt: times[0],
      laterNudges: times.slice(1),
    });
    assert.deepEqual(await dueTimes(id), times);
    await tryFirst(id);
    await service.query('update workflow set is_active = false where id = $1', [id]);
    assert.equal(await service.workflows.runDuePlanned(), 0);
    await service.query('update workflow set is_active = true where id = $1', [id]);
    assert.deepEqual(await dueTimes(id), times.slice(1), 'one was cancelled while the agent was off');
    await tryFirst(id);
    assert.equal(await service.workflows.runDuePlanned(), 1);
    await service.executions.dispatcher.runOnce();
    const second = (await runsOf(id)).at(-1)?.id ?? '';
    await service.report(second, FAILED);
    assert.deepEqual(await dueTimes(id), times.slice(2), 'one failed');
    await tryFirst(id);
    assert.equal(await service.workflows.runDuePlanned(), 1);
  });

  it('replaces the later ones with those of the newest run, drops what is no time, and keeps a bound', async () => {
    const id = await addFollowUp();
    const quote = { ...QUOTE, sentAt: inDays(-2) };
    await end(await start(id, quote), { nudge: 0, nextNudgeAt: inDays(1), laterNudges: [inDays(2), inDays(3)] });
    const next = inDays(4);
    await end(await start(id, quote), {
      nudge: 1,
      nextNudgeAt: next,
      laterNudges: [next, 'soon', { at: 1 }, null, inDays(-1), inDays(500)],
    });
    assert.deepEqual(await dueTimes(id), [next]);
    await end(await start(id, quote), { nudge: 1, nextNudgeAt: next, laterNudges: Array.from({ length: 50 }, (_, n) => inDays(5 + n)) });
    assert.equal((await dueTimes(id)).length, 11);
    await end(await start(id, { ...quote, answered: true }), { skipped: true, reason: 'answered' });
    assert.deepEqual(await dueTimes(id), []);
  });

  it('of a quote without a date counts from its first execution also when that failed and is run again later', async () => {
    const id = await addFollowUp();
    const first = await start(id, QUOTE);
    const times = [inDays(2), inDays(5)];
    await service.report(first, { ...FAILED, output: { nudge: 1, nextNudgeAt: times[0], laterNudges: times.slice(1) } });
    const { body } = await service.call('POST', `/executions/${first}/rerun`, { as: 'owner', body: {} });
    await service.executions.dispatcher.runOnce();
    await end(body.executionId, { nudge: 1, nextNudgeAt: inDays(3), laterNudges: [inDays(6)] });
    assert.deepEqual(await dueTimes(id), times);
  });

  it('has one plan per quote: the newest report replaces the one before', async () => {
    const id = await addFollowUp();
    await end(await start(id, { ...QUOTE, sentAt: inDays(-1) }), { nudge: 0, nextNudgeAt: inDays(2) });
    await end(await start(id, { ...QUOTE, sentAt: inDays(1) }), { nudge: 0, nextNudgeAt: inDays(4) });
    await end(await start(id, { ...QUOTE, quoteUrl: 'https://oak.example/quote/2' }), { nudge: 0, nextNudgeAt: inDays(3) });
    assert.deepEqual(
      (await plannedOf(id)).map(({ status, reason }) => [status, reason]),
      [
        ['cancelled', 'replaced'],
        ['waiting', null],
        ['waiting', null],
      ],
    );
  });

  it('stops when the quote is answered, also while a nudge is in progress', async () => {
    const id = await addFollowUp();
    const nudge = await start(id, QUOTE);
    await end(await start(id, QUOTE), { nudge: 1, nextNudgeAt: inDays(2) });
    await end(await start(id, { ...QUOTE, answered: true }), { skipped: true, reason: 'answered' });
    assert.deepEqual(
      (await plannedOf(id)).map(({ status, reason }) => [status, reason]),
      [['cancelled', 'answered']],
    );
    await end(nudge, { nudge: 1, nextNudgeAt: inDays(5) });
    assert.deepEqual(
      (await plannedOf(id)).filter((one) => one.status === 'waiting'),
      [],
    );
    // The same quote sent again is followed up again.
    await end(await start(id, QUOTE), { nudge: 0, nextNudgeAt: inDays(2) });
    assert.equal((await plannedOf(id)).filter((one) => one.status === 'waiting').length, 1);
  });

  it('stops when it is not clear whether the quote was answered, until a later event says that it was not', async () => {
    const id = await addFollowUp();
    await end(await start(id, QUOTE), { nudge: 1, nextNudgeAt: inDays(2) });
    await end(await start(id, { ...QUOTE, answered: 'perhaps' }), { skipped: true, reason: 'answer_not_understood' });
    const statuses = async () => (await plannedOf(id)).map(({ status }) => status);
    assert.deepEqual(await statuses(), ['cancelled']);
    await end(await start(id, { ...QUOTE, answered: 'open' }), { nudge: 1, nextNudgeAt: inDays(3) });
    assert.deepEqual(await statuses(), ['cancelled', 'waiting']);
  });

  it('stores the address of a sent mail, so that the agent knows it the next time', async () => {
    const id = await addFollowUp();
    await end(await start(id, QUOTE), { nudge: 1, contacted: 'Ada@Example.com' });
    const again = await start(id, QUOTE);
    const sent = service.engine.calls.find((call) => call.body.executionId === again);
    assert.equal(typeof sent?.body.facts['lastContactAt'], 'string');
  });

  it('goes by the newest time of a visit with an id, in any calendar, and ends once the visit was cancelled', async () => {
    const id = await addFollowUp('appointment-reminder');
    const visit = { attendeeName: 'Ada', startTime: inDays(2), attendeeEmail: 'ada@example.com', bookingUid: '1284460191' };
    const remind = async (change: object, output: object) => end(await start(id, { ...visit, ...change }), { skipped: true, ...output });
    await remind({}, { reason: 'not_due', startTime: visit.startTime, nextReminderAt: inDays(1) });
    await remind({ startTime: inDays(4) }, { reason: 'not_due', startTime: inDays(4), nextReminderAt: inDays(3) });
    const plan = async () => (await plannedOf(id)).map(({ status, reason }) => [status, reason]);
    assert.deepEqual(await plan(), [
      ['cancelled', 'replaced'],
      ['waiting', null],
    ]);
    await remind({ bookingUid: '1284460192' }, { reason: 'not_due', startTime: visit.startTime, nextReminderAt: inDays(1) });
    assert.equal((await plan()).length, 3, 'another visit');
    await remind({ cancelled: 'cancelled' }, { reason: 'booking_cancelled' });
    assert.deepEqual(
      new Set((await plan()).map(([status, reason]) => `${status} ${reason}`)),
      new Set(['cancelled no_longer_due', 'cancelled replaced', 'waiting null']),
      'only the one that was cancelled',
    );
    await remind({ bookingUid: '1284460192', startTime: inDays(0.01) }, { reason: 'not_due', startTime: inDays(0.01) });
    assert.deepEqual(
      (await plan()).filter(([status]) => status === 'waiting'),
      [],
      'too near for a reminder',
    );
  });

  for (const [what, report, known] of [
    [
      'was texted and mailed',
      { status: 'SUCCEEDED', output: { ...REMINDED, contacted: '+13125550121', mailed: 'ada@example.com', mailId: 'm1' } },
      ['lastContactAt', 'lastMailAt'],
    ],
    ['was texted', { status: 'SUCCEEDED', output: { ...REMINDED, contacted: '+13125550121' } }, ['lastContactAt']],
    ['was mailed', { status: 'SUCCEEDED', output: { ...REMINDED, mailed: 'ada@example.com', mailId: 'm1' } }, ['lastMailAt']],
    [
      'was mailed by a run whose text failed',
      { status: 'FAILED', error: { message: 'no' }, output: { ...REMINDED, mailed: 'ada@example.com', mailId: 'm1' } },
      ['lastMailAt'],
    ],
    [
      'was texted by a run whose mail failed',
      {
        status: 'FAILED',
        error: { message: 'no', stepName: 'send_mail' },
        steps: [
          { name: 'send_mail', status: 'failed', error: 'x' },
          { name: 'send_text', status: 'succeeded' },
        ],
        output: { ...REMINDED, contacted: '+13125550121', mailed: 'ada@example.com' },
      },
      ['lastContactAt'],
    ],
    ['could not be mailed', { status: 'FAILED', error: { message: 'no' }, output: { ...REMINDED, mailed: 'ada@example.com' } }, []],
    ['is another', { status: 'SUCCEEDED', output: { ...REMINDED, mailed: 'bo@example.com', mailId: 'm1' } }, []],
  ] as const)
    it(`knows by which way the customer of a visit was reached, text and mail by themselves: who ${what}`, async () => {
      const id = await addFollowUp('appointment-reminder');
      const visit = { attendeeName: 'Ada', startTime: inDays(2), attendeeEmail: 'Ada@example.com', attendeePhone: '+13125550121' };
      await service.report(await start(id, visit), { ...report });
      const again = await start(id, visit);
      const sent = service.engine.calls.find((call) => call.body.executionId === again);
      assert.deepEqual(
        ['lastContactAt', 'lastMailAt'].filter((fact) => typeof sent?.body.facts[fact] === 'string'),
        known,
      );
    });

  /** What an event is said of, which its run is given: when the agent last reached its person, and mailed it. */
  const saidOf = async (id: string, event: object): Promise<unknown[]> => {
    const run = await start(id, event);
    const facts = service.engine.calls.find((call) => call.body.executionId === run)?.body.facts;
    // A run under way would count as a contact.
    await service.query('delete from under_way where execution_id = $1', [run]);
    return ['lastContactAt', 'lastMailAt'].map((fact) => typeof facts?.[fact] === 'string');
  };

  it('knows whom it reached by the visit, so that each of two visits on one phone is reminded of, and each once', async () => {
    const id = await addFollowUp('appointment-reminder');
    const visit = { attendeeName: 'Ada', startTime: inDays(1), attendeePhone: '+13125550121', attendeeEmail: 'ada@example.com' };
    const first = { ...visit, bookingUid: 'v-1' };
    const reminded = { contacted: '+13125550121', mailed: 'ada@example.com', mailId: 'm1', startTime: visit.startTime, leadHours: 24 };
    await end(await start(id, first), reminded);
    assert.deepEqual(await saidOf(id, { ...visit, bookingUid: 'v-2' }), [false, false]);
    assert.deepEqual(await saidOf(id, { ...visit, attendeeName: 'Bo' }), [false, false], 'a visit without an id');
    assert.deepEqual(await saidOf(id, { ...first, attendeePhone: '+13125550122', attendeeEmail: 'bo@example.com' }), [false, false]);
    assert.deepEqual(await saidOf(id, first), [true, true]);
    await end(await start(id, { ...first, attendeeEmail: '' }), { skipped: true, reason: 'already_reminded', startTime: visit.startTime });
    assert.deepEqual(await saidOf(id, first), [true, true], 'also after a repeat');
  });

  it('counts what was sent before that was recorded for any visit of the person, but not for what was planned', async () => {
    const id = await addFollowUp('appointment-reminder');
    const visit = { attendeeName: 'Ada', startTime: inDays(1), attendeePhone: '+13125550121', bookingUid: 'v-1' };
    await end(await start(id, visit), { skipped: true, reason: 'not_due', startTime: visit.startTime, nextReminderAt: inDays(0.5) });
    await service.query(
      `insert into planned_run (partner_id, workflow_id, kind, origin, subject, due_at, last_at, input, status, reason, ended_at)
        select partner_id, id, 'reminder', 'run', 'before +13125550121', now(), now() + interval '1 day', '{}', 'started', 'sent', now() from workflow where id = $1`,
      [id],
    );
    assert.deepEqual(await saidOf(id, { ...visit, bookingUid: 'v-2' }), [true, false]);
    assert.deepEqual(await saidOf(id, { ...visit, attendeePhone: '+13125550122' }), [false, false], 'another person');
    await makeDue(id);
    assert.equal(await service.workflows.runDuePlanned(), 1);
    await service.executions.dispatcher.runOnce();
    const planned = (await runsOf(id)).find(({ source }) => source === 'schedule');
    const sent = service.engine.calls.find((call) => call.body.executionId === planned?.id);
    assert.equal(sent?.body.facts['lastContactAt'], null);
  });

  it('knows whom it nudged about a quote, by mail or by text, whichever contact the event names first', async () => {
    const id = await addFollowUp();
    const quote = { ...QUOTE, customerPhone: '+13125550121' };
    await end(await start(id, quote), { nudge: 1, contacted: '+13125550121' });
    assert.deepEqual(await saidOf(id, quote), [true, false]);
    assert.deepEqual(await saidOf(id, { ...quote, quoteUrl: 'https://oak.example/quote/2' }), [false, false], 'another quote');
    await end(await start(id, { ...quote, quoteUrl: 'https://oak.example/quote/3' }), { nudge: 1, contacted: 'Ada@example.com' });
    assert.deepEqual(await saidOf(id, { ...quote, quoteUrl: 'https://oak.example/quote/3' }), [true, true]);
  });

  it('keeps what it knows of messages that were sent for as long as a quote may be followed up', async () => {
    const id = await addFollowUp();
    await end(await start(id, QUOTE), { nudge: 1, contacted: 'ada@example.com' });
    await age(id, 95);
    await service.workflows.forgetOldPlanned();
    assert.deepEqual(await saidOf(id, QUOTE), [true, true]);
    await age(id, 10);
    await service.workflows.forgetOldPlanned();
    assert.deepEqual(await saidOf(id, QUOTE), [false, false]);
  });

  it('works for reminders of visits from an event', async () => {
    const id = await addFollowUp('appointment-reminder');
    const visit = { attendeeName: 'Ada', startTime: inDays(2), attendeeEmail: 'ada@example.com' };
    await end(await start(id, visit), { skipped: true, reason: 'not_due', nextReminderAt: inDays(1) });
    const [waits] = await plannedOf(id);
    assert.deepEqual([waits?.kind, waits?.status], ['reminder', 'waiting']);
    await makeDue(id);
    assert.equal(await service.workflows.runDuePlanned(), 1);
  });

  const visitKnownToThePoll = async () => {
    const id = await addFollowUp('appointment-reminder');
    const schedule = { every: 'hour', at: '00:30', timezone: 'UTC', enabled: true };
    const put = await service.call('PUT', `/workflows/${id}/schedule`, { as: 'owner', body: schedule });
    assert.equal(put.status, 200, put.text);
    await service.query(
      `insert into planned_run (partner_id, client_id, workflow_id, kind, origin, subject, due_at, last_at, input, status, ended_at)
        select partner_id, client_id, id, 'reminder', 'bookings', 'booking:v-1', now(), now(), '{"a": 1}', 'started', now() from workflow where id = $1`,
      [id],
    );
    return id;
  };
  const followUp = async (id: string) => {
    const visit = { attendeeName: 'Ada', startTime: inDays(1), attendeeEmail: 'ada@example.com', bookingUid: 'v-1' };
    await end(await start(id, visit), { ...REMINDED, nextReminderAt: inDays(0.9) });
    return (await plannedOf(id)).filter(({ status }) => status === 'waiting').length;
  };

  it('plans no reminder of a booking that the poll knows, and plans it once the schedule is off or the key is shared', async () => {
    const id = await visitKnownToThePoll();
    assert.equal(await followUp(id), 0);
    await service.query("update workflow_schedule set last_reason = 'key_shared' where workflow_id = $1", [id]);
    assert.equal(await followUp(id), 1);
    for (const method of ['PUT', 'DELETE'] as const) {
      const off = await visitKnownToThePoll();
      const body = { every: 'hour', at: '00:30', timezone: 'UTC', enabled: false };
      await service.call(method, `/workflows/${off}/schedule`, { as: 'owner', ...(method === 'PUT' ? { body } : {}) });
      assert.equal(await followUp(off), 1, method);
    }
  });

  it('plans nothing of a visit that was cancelled, also when the run of its booking is run again 89 days later', async () => {
    const id = await addFollowUp('appointment-reminder');
    const visit = { attendeeName: 'Ada', startTime: inDays(120), attendeeEmail: 'ada@example.com', bookingUid: 'v-2' };
    const booked = await start(id, visit);
    await service.report(booked, { status: 'FAILED', error: { code: 'engine_limit', message: 'x', stepName: 'still_booked' } });
    await end(await start(id, { ...visit, cancelled: true }), { skipped: true, reason: 'booking_cancelled' });
    await age(id, 89);
    await service.workflows.forgetOldPlanned();
    const again = await service.call('POST', `/executions/${booked}/rerun`, { as: 'owner', body: {} });
    assert.equal(again.status, 202, again.text);
    await service.executions.dispatcher.runOnce();
    const { body } = await service.call('GET', `/executions/${again.body.executionId}`, { as: 'owner' });
    assert.equal(body.output.reason, 'booking_cancelled');
    assert.deepEqual(await plannedOf(id), []);
    await age(id, 12);
    await service.workflows.forgetOldPlanned();
    assert.deepEqual(await service.query('select 1 from planned_run where workflow_id = $1', [id]), []);
  });

  it('takes no more statements when it ends', async () => {
    const cost = async (output: object): Promise<number> => {
      const id = await addFollowUp();
      const run = await start(id, QUOTE);
      await service.executions.flushNotices();
      return service.countStatements(async () => {
        await end(run, output);
        await service.executions.flushNotices();
      });
    };
    assert.equal(await cost({ nudge: 1, nextNudgeAt: inDays(2) }), await cost({ done: 1 }));
  });
});

describe('a planned run that is due', () => {
  for (const [what, isSent, ends] of [
    ['is left to an earlier one of its visit that waits to be sent, which is then the newest reminder', false, ['started', 'skipped']],
    ['starts when the earlier one of its visit was sent', true, ['started', 'started']],
  ] as const)
    it(what, async () => {
      const id = await addFollowUp('appointment-reminder');
      const reminder = (subject: string, hours: number) =>
        service.query(
          `insert into planned_run (partner_id, workflow_id, kind, origin, subject, due_at, last_at, input, try_at)
            select partner_id, id, 'reminder', 'bookings', $2, now() - make_interval(mins => $3), now() + interval '50 minutes', $4, now() - interval '1 minute'
            from workflow where id = $1`,
          [id, subject, hours, JSON.stringify({ attendeeName: 'Ada', startTime: inDays(0.1), attendeePhone: '+13125550121' })],
        );
      await reminder('booking:b1', 2);
      assert.equal(await service.workflows.runDuePlanned(), 1);
      if (isSent) await service.executions.dispatcher.runOnce();
      await reminder('booking:b1', 1);
      await reminder('booking:b2', 1);
      await service.workflows.runDuePlanned();
      const planned = await service.query<{ subject: string; status: string; reason: string | null }>(
        'select subject, status, reason from planned_run where workflow_id = $1 order by subject, due_at',
        [id],
      );
      const own = planned.filter(({ subject }) => subject === 'booking:b1');
      assert.deepEqual(
        own.map(({ status }) => status),
        ends,
      );
      assert.equal(own[1]?.reason, isSent ? null : 'earlier_waits');
      assert.equal(planned.find(({ subject }) => subject === 'booking:b2')?.status, 'started', 'another visit');
    });

  it('is left to a later one of its quote that is due as well, such as when the credits were used until then', async () => {
    const id = await addFollowUp();
    const times = [inDays(2), inDays(5), inDays(10)];
    await end(await start(id, QUOTE), { skipped: true, reason: 'not_due', nextNudgeAt: times[0], laterNudges: times.slice(1) });
    await service.query(
      `update planned_run set due_at = due_at - interval '6 days', last_at = last_at - interval '6 days',
          try_at = case when due_at < now() + interval '3 days' then now() - interval '1 minute' else now() + interval '5 minutes' end
        where workflow_id = $1 and due_at < now() + interval '9 days'`,
      [id],
    );
    assert.equal(await service.workflows.runDuePlanned(), 0);
    assert.deepEqual(
      (await plannedOf(id)).map(({ status, reason }) => [status, reason]),
      [
        ['skipped', 'later_is_due'],
        ['waiting', null],
        ['waiting', null],
      ],
    );
    await service.query(
      "update planned_run set try_at = now() - interval '1 minute' where workflow_id = $1 and status = 'waiting' and due_at < now()",
      [id],
    );
    assert.equal(await service.workflows.runDuePlanned(), 1);
  });

  const plan = async (): Promise<string> => {
    const id = await addFollowUp();
    await end(await start(id, QUOTE), { nudge: 1, nextNudgeAt: inDays(2) });
    return id;
  };

  it('is cancelled while the agent is paused or its account suspended; later ones continue after that', async () => {
    const cases: [string, string, string][] = [
      ['workflow_inactive', 'update workflow set is_active = false', 'update workflow set is_active = true'],
      ['account_suspended', "update partner set status = 'suspended' where not is_house", "update partner set status = 'active'"],
    ];
    for (const [reason, spoil, mend] of cases) {
      const came = await plan();
      const ahead = await plan();
      await makeDue(came);
      await service.query(spoil);
      assert.equal(await service.workflows.runDuePlanned(), 0);
      await service.query(mend);
      assert.deepEqual(
        (await plannedOf(came)).map((one) => [one.status, one.reason]),
        [['cancelled', reason]],
      );
      await makeDue(ahead);
      assert.equal(await service.workflows.runDuePlanned(), 1);
    }
  });

  it('is not sent when it waited for the engine until the quote was answered', async () => {
    const id = await addFollowUp();
    const first = await start(id, { ...QUOTE, sentAt: inDays(-1.9) });
    await end(first, { skipped: true, reason: 'not_due', nextNudgeAt: inDays(0.1), laterNudges: [inDays(3)] });
    await tryFirst(id);
    const { answer } = service.engine;
    service.engine.answer = () => 'unreachable';
    assert.equal(await service.workflows.runDuePlanned(), 1);
    const [, nudge] = await runsOf(id);
    const answered = await start(id, { ...QUOTE, answered: true });
    service.engine.answer = answer;
    service.engine.calls.length = 0;
    await service.query('update dispatch set due_at = created_at');
    await service.executions.dispatcher.runOnce();
    assert.deepEqual(
      service.engine.calls.map(({ body }) => body.executionId),
      [answered],
    );
    const { body } = await service.call('GET', `/executions/${nudge?.id}`, { as: 'owner' });
    assert.deepEqual([body.status, body.output.reason, body.creditsCharged], ['SUCCEEDED', 'answered', 0]);
  });

  it('is not made by a view of an answered quote, nor is one sent, also when the view has the day of the quote', async () => {
    const id = await addFollowUp();
    const quote = { ...QUOTE, sentAt: inDays(-3) };
    await end(await start(id, { ...QUOTE, answered: true }), { skipped: true, reason: 'answered' });
    service.engine.calls.length = 0;
    for (const event of [quote, QUOTE]) {
      const view = await start(id, { ...event, answered: 'viewed' });
      const { body } = await service.call('GET', `/executions/${view}`, { as: 'owner' });
      assert.deepEqual([body.status, body.output.reason, body.creditsCharged], ['SUCCEEDED', 'answered', 0]);
    }
    assert.equal(service.engine.calls.length, 0);
    const again = await start(id, { ...QUOTE, sentAt: inDays(0.01), answered: 'viewed' });
    assert.deepEqual(
      service.engine.calls.map(({ body }) => body.executionId),
      [again],
      'sent again',
    );
  });

  it('is not sent once its quote was answered when version 0.2.0 planned it, by the text of the link', async () => {
    const id = await addFollowUp();
    const quote = { ...QUOTE, quoteUrl: 'oak.example/quote/1' };
    await end(await start(id, quote), { skipped: true, reason: 'not_due', nextNudgeAt: inDays(2) });
    await service.query(
      `update planned_run set subject = 'quote:' || encode(sha256(convert_to(input->>'quoteUrl', 'UTF8')), 'hex') where workflow_id = $1`,
      [id],
    );
    await end(await start(id, { ...quote, answered: true }), { skipped: true, reason: 'answered' });
    await makeDue(id);
    service.engine.calls.length = 0;
    assert.equal(await service.workflows.runDuePlanned(), 1);
    await service.executions.dispatcher.runOnce();
    assert.deepEqual(service.engine.calls, []);
  });

  const VISIT = { attendeeName: 'Ada', attendeePhone: '+13125550121', bookingUid: 'evt_1' };
  const THEN = inDays(3);
  /** A quote of which a nudge waits, and a visit of which a reminder does; the event that ends the plan. */
  const PLANS = [
    ['quote-follow-up', QUOTE, { skipped: true, reason: 'not_due', nextNudgeAt: inDays(1) }, { ...QUOTE, answered: true }, 'answered'],
    [
      'appointment-reminder',
      { ...VISIT, startTime: THEN },
      { skipped: true, reason: 'not_due', startTime: THEN, nextReminderAt: inDays(1) },
      { ...VISIT, startTime: THEN, cancelled: true },
      'no_longer_due',
    ],
    [
      'appointment-reminder',
      { ...VISIT, startTime: THEN },
      { skipped: true, reason: 'not_due', startTime: THEN, nextReminderAt: inDays(1) },
      { ...VISIT, startTime: inDays(5) },
      'replaced',
    ],
  ] as const;
  const USED = 'update partner_quota set used = monthly_credits + purchased_credits';
  const REFUSALS = [
    ['the credits are used', 402, USED, 'update partner_quota set used = 0'],
    ['its agent is off', 409, 'update workflow set is_active = false', 'update workflow set is_active = true'],
    ['its client is suspended', 403, "update client set status = 'suspended'", "update client set status = 'active'"],
  ] as const;
  /** Plans by an event, and returns the agent. */
  const planBy = async ([template, event, output]: (typeof PLANS)[number]): Promise<string> => {
    const id = await addFollowUp(template);
    await end(await start(id, event), output);
    assert.deepEqual(
      (await plannedOf(id)).map(({ status }) => status),
      ['waiting'],
    );
    return id;
  };
  /** Lets what waits become due, and returns the events that are handed to the engine. */
  const handedOver = async (id: string) => {
    await makeDue(id);
    service.engine.calls.length = 0;
    await service.workflows.runDuePlanned();
    await service.executions.dispatcher.runOnce();
    return service.engine.calls.map(({ body }) => body.input);
  };

  for (const [why, status, spoil, mend] of REFUSALS)
    it(`is cancelled by an event that answers its quote, or cancels or moves its visit, also when that is refused because ${why}`, async () => {
      for (const one of PLANS) {
        const id = await planBy(one);
        await service.query(spoil);
        assert.equal((await service.ingest(id, one[3])).status, status);
        await service.query(mend);
        assert.deepEqual(
          (await plannedOf(id)).map((planned) => [planned.status, planned.reason]),
          [['cancelled', one[4]]],
        );
        assert.deepEqual(await handedOver(id), []);
      }
    });

  it('is cancelled by an event that names no more than the quote that was answered or the visit that was cancelled', async () => {
    for (const [one, named] of [
      [PLANS[0], { quoteUrl: QUOTE.quoteUrl, answered: true }],
      [PLANS[1], { bookingUid: VISIT.bookingUid, cancelled: true }],
    ] as const) {
      const id = await planBy(one);
      const { status, text } = await service.ingest(id, named);
      assert.equal(status, 202, text);
      assert.deepEqual(
        (await plannedOf(id)).map((planned) => planned.status),
        ['cancelled'],
      );
    }
  });

  it('stays when an event that is refused repeats the visit, or is an earlier one again', async () => {
    const [, , one] = PLANS;
    const id = await planBy(one);
    const moved = { ...VISIT, startTime: inDays(5) };
    const key = { 'idempotency-key': 'moved-1' };
    const { body } = await service.ingest(id, moved, { headers: key });
    await service.executions.dispatcher.runOnce();
    await end(body.executionId, { skipped: true, reason: 'not_due', startTime: moved.startTime, nextReminderAt: inDays(4) });
    await end(await start(id, one[1]), one[2]);
    assert.equal((await service.ingest(id, moved, { headers: key })).status, 202, 'a repeat');
    await service.query(USED);
    assert.equal((await service.ingest(id, { ...VISIT, startTime: THEN.replace('Z', '+00:00') })).status, 402);
    await service.query('update partner_quota set used = 0');
    assert.deepEqual(
      (await handedOver(id)).map(({ startTime }) => startTime),
      [THEN],
    );
  });

  it('is not sent for the time from which its visit was moved, when the run of the move failed or its agent was off at its turn', async () => {
    const [, , one] = PLANS;
    const failed = await planBy(one);
    await service.report(await start(failed, one[3]), { status: 'FAILED', error: { code: 'timeout', message: 'x' } });
    assert.deepEqual(await handedOver(failed), []);
    const off = await planBy(one);
    assert.equal((await service.ingest(off, one[3])).status, 202);
    await service.query('update workflow set is_active = false where id = $1', [off]);
    await service.executions.dispatcher.runOnce();
    await service.query('update workflow set is_active = true where id = $1', [off]);
    assert.deepEqual(await handedOver(off), []);
  });

  it('is not sent when it waited for the engine until its visit was moved', async () => {
    const [, , one] = PLANS;
    const id = await planBy(one);
    await makeDue(id);
    const { answer } = service.engine;
    service.engine.answer = () => 'unreachable';
    await service.workflows.runDuePlanned();
    await service.executions.dispatcher.runOnce();
    const [, reminder] = await runsOf(id);
    const moved = await start(id, one[3]);
    service.engine.answer = answer;
    service.engine.calls.length = 0;
    await service.query('update dispatch set due_at = created_at');
    await service.executions.dispatcher.runOnce();
    assert.deepEqual(
      service.engine.calls.map(({ body }) => body.executionId),
      [moved],
    );
    const { body } = await service.call('GET', `/executions/${reminder?.id}`, { as: 'owner' });
    assert.deepEqual([body.status, body.output.reason, body.creditsCharged], ['SUCCEEDED', 'moved', 0]);
  });

  it('is not sent after an answer whose run failed, also when it is claimed before its start is recorded', async () => {
    const id = await planBy(PLANS[0]);
    const held = await service.query(
      "update planned_run set claimed_by = uuidv7() where workflow_id = $1 and status = 'waiting' returning 1",
      [id],
    );
    assert.equal(held.length, 1, 'being claimed, so that the answer leaves it');
    await service.report(await start(id, PLANS[0][3]), { status: 'FAILED', error: { code: 'engine_limit', message: 'x' } });
    await service.query('update planned_run set claimed_by = null where workflow_id = $1', [id]);
    await makeDue(id);
    service.engine.calls.length = 0;
    const started = await runDuePlanned({
      ...service,
      accept: async (event) => {
        const accepted = await service.executions.accept(event);
        await service.executions.dispatcher.runOnce();
        return accepted;
      },
    });
    assert.deepEqual([started, service.engine.calls], [1, []]);
  });

  it('is not sent by a rerun once its quote was answered, or its visit cancelled or moved', async () => {
    for (const one of PLANS) {
      const id = await planBy(one);
      await handedOver(id);
      const [, planned] = await runsOf(id);
      await service.report(planned?.id ?? '', { status: 'FAILED', error: { message: 'Resend could not be reached' } });
      await start(id, one[3]);
      service.engine.calls.length = 0;
      const { status } = await service.call('POST', `/executions/${planned?.id}/rerun`, { as: 'owner', body: {} });
      assert.equal(status, 202);
      await service.executions.dispatcher.runOnce();
      assert.deepEqual(service.engine.calls, [], one[4]);
    }
  });

  it('is cancelled by an event that writes its quote or visit another way', async () => {
    const ended = async (template: string, event: object, output: object, ending: object): Promise<unknown[]> => {
      const id = await addFollowUp(template);
      await end(await start(id, event), output);
      await end(await start(id, ending), { skipped: true, reason: 'answered' in ending ? 'answered' : 'booking_cancelled' });
      return (await plannedOf(id)).map(({ status }) => status);
    };
    const visit = { attendeeName: 'Ada', attendeePhone: '+13125550121', attendeeEmail: 'Ada@example.com' };
    const waits = { skipped: true, reason: 'not_due', startTime: THEN, nextReminderAt: inDays(1) };
    const cancels = { cancelled: true, attendeeEmail: 'ada@example.com' };
    for (const startTime of [
      THEN.replace('Z', '+00:00'),
      new Date(new Date(THEN).getTime() - 6 * 3_600_000).toISOString().replace('Z', '-06:00'),
    ])
      assert.deepEqual(
        await ended('appointment-reminder', { ...visit, startTime: THEN }, waits, { ...visit, ...cancels, startTime }),
        ['cancelled'],
        startTime,
      );
    const known = { ...visit, startTime: THEN, bookingUid: ' evt_1' };
    assert.deepEqual(await ended('appointment-reminder', known, waits, { ...known, cancelled: true, bookingUid: 'evt_1' }), ['cancelled']);
    const quote = { ...QUOTE, quoteUrl: 'HTTPS://Oak.example:443/quote/9' };
    assert.deepEqual(
      await ended('quote-follow-up', quote, PLANS[0][2], { ...QUOTE, quoteUrl: 'https://oak.example/quote/9', answered: true }),
      ['cancelled'],
    );
  });

  it('is postponed while the credits are used, and skipped when it would be too late', async () => {
    const id = await plan();
    await makeDue(id);
    await service.query('update partner_quota set used = 10000 where partner_id = $1', [service.world.partnerId]);
    assert.equal(await service.workflows.runDuePlanned(), 0);
    await service.query('update partner_quota set used = 0 where partner_id = $1', [service.world.partnerId]);
    assert.deepEqual(
      (await plannedOf(id)).map((one) => [one.status, one.reason]),
      [['waiting', 'quota_exceeded']],
    );
    await service.query(
      "update planned_run set try_at = now() - interval '1 second', last_at = now() - interval '1 minute' where workflow_id = $1",
      [id],
    );
    assert.equal(await service.workflows.runDuePlanned(), 0);
    assert.deepEqual(
      (await plannedOf(id)).map((one) => [one.status, one.reason]),
      [['missed', 'too_late']],
    );
  });

  it('starts one execution when its process crashed before it was settled, and none when the outcome can no longer be known', async () => {
    const id = await plan();
    await makeDue(id);
    await service.workflows.runDuePlanned();
    const expireLease = (hours: number) =>
      service.query(
        `update planned_run set status = 'waiting', try_at = now() - interval '1 second', execution_id = null, ended_at = null, claimed_by = uuidv7(), claimed_until = now() - make_interval(hours => $2::int)
         where workflow_id = $1`,
        [id, hours],
      );
    await expireLease(1);
    assert.equal(await service.workflows.runDuePlanned(), 1);
    assert.equal((await runsOf(id)).length, 2, 'the event and its one follow-up');
    await expireLease(30);
    assert.equal(await service.workflows.runDuePlanned(), 0);
    assert.deepEqual(
      (await plannedOf(id)).map((one) => one.reason),
      ['in_doubt'],
    );
  });

  it('is shown with its contact to the partner and to staff', async () => {
    const id = await plan();
    const { body } = await service.call('GET', `/workflows/${id}/schedule`, { as: 'moderator' });
    assert.deepEqual([body.kind, body.planned.waitingTotal, body.planned.waiting[0].label], ['events', 1, 'Ada Byron']);
    await makeDue(id);
    await service.workflows.runDuePlanned();
    const after = await service.call('GET', `/workflows/${id}/schedule`, { as: 'staff' });
    assert.deepEqual([after.body.planned.waitingTotal, after.body.planned.recent[0].status], [0, 'started']);
  });

  it('is deleted a month after it ended', async () => {
    const [, , one] = PLANS;
    const id = await planBy(one);
    await makeDue(id);
    await service.workflows.runDuePlanned();
    await age(id, 31);
    await service.workflows.forgetOldPlanned();
    assert.deepEqual(await plannedOf(id), []);
  });
});
