import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { decideFollowUp, FOLLOW_UPS_MAX, type FollowUpRequest, type KnownRun } from '#schema/models/plan-follow-up.ts';
import { type ExecutionService, startExecutionService } from '@partner-portal/tests/harness/executions.ts';
import { addClient } from '@partner-portal/tests/harness/world.ts';
import { newId } from '#platform/ids.ts';

/** The SQL function `plan_follow_up` and its model must make the same decision for every combination. */

let service: ExecutionService;
before(async () => {
  service = await startExecutionService();
});
after(() => service.close());

const HOUR_MS = 3_600_000;
/** Due times lie hours apart from every bound, so that the database's clock may differ from this one. */
const NOW = new Date();
const inHours = (hours: number): Date => new Date(NOW.getTime() + hours * HOUR_MS);
const STARTED_AT = inHours(-2);

/** The first of the requested times is the next one, the others are later ones. */
const REQUESTED: Date[][] = [
  [],
  [inHours(-1)],
  [inHours(24)],
  [inHours(399 * 24)],
  [inHours(401 * 24)],
  [inHours(24), inHours(48), inHours(72)],
  [inHours(-1), inHours(48), inHours(401 * 24)],
];
const run = (status: KnownRun['status'], dueHours: number, over: Partial<KnownRun> = {}): KnownRun => ({
  status,
  reason: null,
  origin: 'run',
  dueAt: inHours(dueHours),
  isNewer: false,
  ...over,
});
const started = (count: number): KnownRun[] => Array.from({ length: count }, (_, n) => run('started', -100 - n));
const KNOWN: { [name: string]: KnownRun[] } = {
  none: [],
  waiting: [run('waiting', 48)],
  'waiting for the same time': [run('waiting', 24)],
  'started at the same time': [run('started', 24)],
  'skipped at the same time': [run('skipped', 24)],
  'cancelled at the same time': [run('cancelled', 24, { reason: 'workflow_inactive' })],
  'answered by an earlier event': [run('cancelled', -1, { reason: 'answered' })],
  'answered by a later event': [run('cancelled', -1, { reason: 'answered', isNewer: true })],
  'planned by the poll of bookings': [run('waiting', 48, { origin: 'bookings' })],
  'below the bound': [...started(FOLLOW_UPS_MAX - 1), run('waiting', 48)],
  'at the bound': started(FOLLOW_UPS_MAX),
  'waiting for a later event': [run('waiting', 48, { isNewer: true })],
  'ended by a later event': [run('waiting', 24), run('cancelled', -1, { reason: 'no_longer_due', isNewer: true })],
};
/** Sorts after, and before, every id of an execution. */
const LATER_ID = 'ffffffff-ffff-7fff-bfff-ffffffffffff';
const EARLIER_ID = '00000000-0000-7000-8000-000000000000';

/** A quote is answered, and a visit cancelled. */
const endedBy = (kind: FollowUpRequest['kind'], reason: string) => ({
  isAnswered: kind === 'nudge' && reason === 'answered',
  isCancelled: kind === 'reminder' && reason === 'booking_cancelled',
});

type Case = { id: string; name: string; request: FollowUpRequest; known: KnownRun[] };
const casesOf = (isPolled: boolean): Case[] =>
  (['nudge', 'reminder'] as const).flatMap((kind) =>
    (['', 'answered', 'booking_cancelled'] as const).flatMap((reason) =>
      REQUESTED.flatMap((requested) =>
        Object.entries(KNOWN).flatMap(([name, known]) =>
          [false, true].map((isPlanned) => ({
            id: newId(),
            name: `${kind}, ${reason}, ${requested.map((at) => at.toISOString()).join(' and ') || 'no time'}, ${name}, ${isPlanned ? 'planned' : 'of an event'}`,
            request: { kind, ...endedBy(kind, reason), requested, isPlanned, isPolled, now: NOW },
            known,
          })),
        ),
      ),
    ),
  );

function outputOf({ kind, isAnswered, isCancelled, requested }: FollowUpRequest): object {
  const [at = null, ...later] = requested.map((one) => one.toISOString());
  return {
    ...(kind === 'nudge'
      ? { nudge: 1, nextNudgeAt: at, laterNudges: later }
      : { startTime: inHours(30).toISOString(), nextReminderAt: at, laterReminders: later }),
    ...(isAnswered ? { reason: 'answered' } : {}),
    ...(isCancelled ? { reason: 'booking_cancelled' } : {}),
  };
}

/** Inserts the executions and their planned runs; each case is a subject of its own. */
async function insertCases(workflowId: string, cases: readonly Case[]): Promise<void> {
  const { partnerId, clientId } = service.world;
  await service.query(
    `insert into execution (id, partner_id, client_id, workflow_id, status, source, summary, template_version, credits_held, due_at, started_at)
      select id, $1, $2, $3, status, source, 'x', 1, 0, now(), $5 from unnest($4::uuid[], $6::text[], $7::text[]) as c(id, source, status)`,
    [
      partnerId,
      clientId,
      workflowId,
      cases.map(({ id }) => id),
      STARTED_AT,
      cases.map(({ request }) => (request.isPlanned ? 'schedule' : 'ingest')),
      cases.map((_, n) => (n % 3 === 0 ? 'FAILED' : 'SUCCEEDED')),
    ],
  );
  await service.query(
    `insert into execution_payload (id, partner_id, client_id, input)
      select id, $1, $2, jsonb_build_object('quoteUrl', id, 'bookingUid', id, 'sentAt', '2027-01-05T06:00:00Z') from unnest($3::uuid[]) as c(id)`,
    [partnerId, clientId, cases.map(({ id }) => id)],
  );
  const rows = cases.flatMap(({ id, request, known }) =>
    known.map((one) => ({ ...one, id, kind: request.kind, by: one.isNewer ? LATER_ID : EARLIER_ID })),
  );
  await service.query(
    `insert into planned_run (partner_id, client_id, workflow_id, kind, origin, subject, due_at, last_at, input, status, reason, ended_at, asked_by, try_at)
      select $1, $2, $3, r.kind, r."origin", case r.kind when 'nudge' then 'quote:' || encode(sha256(convert_to(r.id, 'UTF8')), 'hex') else 'booking:' || r.id end,
        r."dueAt", r."dueAt", '{"seeded": true}', r.status, r.reason, case when r.status <> 'waiting' then now() end, r.by, case r.status when 'waiting' then r."dueAt" end
      from jsonb_to_recordset($4::jsonb) as r(id text, kind text, "origin" text, "dueAt" timestamptz, status text, reason text, by uuid)`,
    [partnerId, clientId, workflowId, JSON.stringify(rows)],
  );
}

it('plan_follow_up decides as core does, for every request and every plan of its subject', async () => {
  for (const isPolled of [false, true]) await compareCases(isPolled);
});

async function compareCases(isPolled: boolean): Promise<void> {
  const workflowId = await service.addAgent({ templateName: isPolled ? 'appointment-reminder' : 'quote-follow-up' });
  await service.query(
    `insert into workflow_schedule (workflow_id, partner_id, kind, every, at, timezone, enabled, due_at)
      select id, partner_id, 'bookings', 'hour', '00:00', 'UTC', $2, case when $2 then now() end from workflow where id = $1`,
    [workflowId, isPolled],
  );
  const cases = casesOf(isPolled);
  await insertCases(workflowId, cases);
  await service.query(
    `update execution_payload p set output = c.output from jsonb_to_recordset($1::jsonb) as c(id uuid, output jsonb) where p.id = c.id`,
    [JSON.stringify(cases.map(({ id, request }) => ({ id, output: outputOf(request) })))],
  );
  await service.query('select plan_follow_up($1, id) from unnest($2::uuid[]) as c(id)', [
    service.world.partnerId,
    cases.map(({ id }) => id),
  ]);
  type Row = { subject: string; status: KnownRun['status']; reason: string | null; dueAt: Date; lastAt: Date; by: string | null };
  const rows = await service.query<Row>(
    `select case when p.kind = 'nudge' then (select c.id from unnest($2::text[]) as c(id) where p.subject = 'quote:' || encode(sha256(convert_to(c.id, 'UTF8')), 'hex'))
        else substr(p.subject, 9) end as subject, p.status, p.reason, p.due_at as "dueAt", p.last_at as "lastAt", p.asked_by as "by"
      from planned_run p where p.workflow_id = $1 order by p.due_at, p.id`,
    [workflowId, cases.map(({ id }) => id)],
  );
  const bySubject = Map.groupBy(rows, (row) => row.subject);
  for (const { id, name, request, known } of cases) {
    const { cancels, plans, records: record } = decideFollowUp(request, known);
    const found = bySubject.get(id) ?? [];
    const planned = found.filter((row) => row.by === id && row.status === 'waiting');
    assert.deepEqual(
      planned.map(({ dueAt, lastAt }) => ({ dueAt, lastAt })),
      plans,
      name,
    );
    const records = found.filter((row) => row.by === id && row.status === 'cancelled');
    assert.deepEqual(
      records.map(({ reason }) => reason),
      record === null ? [] : [record],
      name,
    );
    const isLeft = ({ origin }: KnownRun) => cancels === null || (isPolled && request.kind === 'reminder' && origin === 'bookings');
    const left = known.filter((one) => one.status === 'waiting' && isLeft(one));
    assert.equal(found.filter((row) => row.by !== id && row.status === 'waiting').length, left.length, name);
    const ended = known.filter(
      (one) => one.status === 'waiting' && !left.includes(one) && !plans.some(({ dueAt }) => dueAt.getTime() === one.dueAt.getTime()),
    );
    for (const one of ended) assert.equal(found.find((row) => row.dueAt.getTime() === one.dueAt.getTime())?.reason, cancels, name);
  }
  assert.equal(cases.length, 1092);
}

it('a test plans no follow-up, and cancels none; a run of another source does', async () => {
  const workflowId = await service.addAgent({ templateName: 'quote-follow-up', clientId: null });
  const { partnerId } = service.world;
  const ended = async (source: string): Promise<{ status: string; reason: string | null }[]> => {
    const id = newId();
    await service.query(
      `insert into execution (id, partner_id, workflow_id, status, source, summary, template_version, credits_held, due_at)
        values ($1, $2, $3, 'SUCCEEDED', $4, 'x', 1, 0, now())`,
      [id, partnerId, workflowId, source],
    );
    await service.query(
      `insert into execution_payload (id, partner_id, input, output) values ($1, $2, '{"quoteUrl":"https://a.example/1"}', $3)`,
      [id, partnerId, JSON.stringify({ nudge: 1, nextNudgeAt: inHours(source === 'test' ? 48 : 24).toISOString() })],
    );
    await service.query('select plan_follow_up($1, $2)', [partnerId, id]);
    return service.query('select status, reason from planned_run where workflow_id = $1 order by id', [workflowId]);
  };
  assert.deepEqual(await ended('test'), []);
  assert.deepEqual(await ended('ingest'), [{ status: 'waiting', reason: null }]);
  assert.deepEqual(await ended('test'), [{ status: 'waiting', reason: null }]);
});

const newClient = (): Promise<string> => service.db.asSystem('seed', (tx) => addClient(tx, service.world.partnerId, 'A client'));

it('an answer ends the follow-up of a quote whose link came in another spelling: subjects are what was understood', async () => {
  const workflowId = await service.addAgent({ templateName: 'quote-follow-up', clientId: await newClient() });
  const { partnerId } = service.world;
  const ended = async (payload: { input: object; understood?: object; output: object }): Promise<void> => {
    const id = newId();
    await service.query(
      `insert into execution (id, partner_id, workflow_id, status, source, summary, template_version, credits_held, due_at)
        values ($1, $2, $3, 'SUCCEEDED', 'ingest', 'x', 6, 0, now())`,
      [id, partnerId, workflowId],
    );
    await service.query(`insert into execution_payload (id, partner_id, input, understood, output) values ($1, $2, $3, $4, $5)`, [
      id,
      partnerId,
      JSON.stringify(payload.input),
      payload.understood === undefined ? null : JSON.stringify(payload.understood),
      JSON.stringify(payload.output),
    ]);
    await service.query('select plan_follow_up($1, $2)', [partnerId, id]);
  };
  const plan = () =>
    service.query<{ status: string; reason: string | null }>(
      `select status, reason from planned_run where workflow_id = $1 and origin = 'run' and input <> '{}' order by id`,
      [workflowId],
    );
  const nudge = { nudge: 1, nextNudgeAt: inHours(48).toISOString() };
  await ended({ input: { quoteUrl: 'https://x.example/q/1' }, output: nudge });
  await ended({ input: { quoteUrl: 'x.example/q/2' }, understood: { quoteUrl: 'https://x.example/q/2' }, output: nudge });
  assert.deepEqual(
    (await plan()).map(({ status }) => status),
    ['waiting', 'waiting'],
    'two quotes',
  );
  await ended({
    input: { quoteUrl: 'x.example/q/1', answered: 'accepted' },
    understood: { quoteUrl: 'https://x.example/q/1', answered: true },
    output: { skipped: true, reason: 'answered' },
  });
  assert.deepEqual(
    (await plan()).map(({ status, reason }) => [status, reason]),
    [
      ['cancelled', 'answered'],
      ['waiting', null],
    ],
  );
});

it('events about one quote that plan nothing leave one record, however many they are', async () => {
  const workflowId = await service.addAgent({ templateName: 'quote-follow-up', clientId: await newClient() });
  const { partnerId } = service.world;
  const ended = async (output: object): Promise<void> => {
    const id = newId();
    await service.query(
      `insert into execution (id, partner_id, workflow_id, status, source, summary, template_version, credits_held, due_at)
        values ($1, $2, $3, 'SUCCEEDED', 'ingest', 'x', 6, 0, now())`,
      [id, partnerId, workflowId],
    );
    await service.query(
      `insert into execution_payload (id, partner_id, input, output) values ($1, $2, '{"quoteUrl":"https://x.example/q"}', $3)`,
      [id, partnerId, JSON.stringify(output)],
    );
    await service.query('select plan_follow_up($1, $2)', [partnerId, id]);
  };
  for (let n = 0; n < 5; n += 1) await ended({ skipped: true, reason: 'not_due' });
  for (let n = 0; n < 3; n += 1) await ended({ skipped: true, reason: 'answered' });
  const rows = await service.query<{ reason: string }>('select reason from planned_run where workflow_id = $1 order by id', [workflowId]);
  assert.deepEqual(
    rows.map(({ reason }) => reason),
    ['done', 'answered'],
  );
});

for (const { sentAt, understood, kept } of [
  { sentAt: '01/05/2027', understood: { sentAt: null }, kept: false },
  { sentAt: '', understood: null, kept: false },
  { sentAt: undefined, understood: null, kept: false },
  { sentAt: '2027-01-05', understood: { sentAt: '2027-01-05T00:00:00-06:00' }, kept: true },
  { sentAt: '2027-01-05T06:00:00Z', understood: null, kept: true },
])
  it(`a quote that was sent “${sentAt}” counts ${kept ? 'from there' : 'from its first run, since that is not understood'}`, async () => {
    const workflowId = await service.addAgent({ templateName: 'quote-follow-up', clientId: await newClient() });
    const { partnerId } = service.world;
    const id = newId();
    await service.query(
      `insert into execution (id, partner_id, workflow_id, status, source, summary, template_version, credits_held, due_at, started_at)
        values ($1, $2, $3, 'SUCCEEDED', 'ingest', 'x', 6, 0, now(), $4)`,
      [id, partnerId, workflowId, STARTED_AT],
    );
    await service.query(`insert into execution_payload (id, partner_id, input, understood, output) values ($1, $2, $3, $4, $5)`, [
      id,
      partnerId,
      JSON.stringify({ quoteUrl: 'https://x.example/q/1', sentAt }),
      understood === null ? null : JSON.stringify(understood),
      JSON.stringify({ skipped: true, reason: 'not_due', nextNudgeAt: inHours(48).toISOString() }),
    ]);
    await service.query('select plan_follow_up($1, $2)', [partnerId, id]);
    const [planned] = await service.query<{ sentAt: string }>(
      `select input->>'sentAt' as "sentAt" from planned_run where workflow_id = $1`,
      [workflowId],
    );
    if (kept) assert.equal(planned?.sentAt, sentAt);
    else assert.equal(new Date(planned?.sentAt ?? '').getTime(), STARTED_AT.getTime());
  });

describe('an event that was accepted while a run of an earlier one is in progress', () => {
  type Event = { input: object; rerunOf?: string; source?: string };
  /** An agent whose runs begin and end in the order of the calls. */
  const agent = async () => {
    const workflowId = await service.addAgent({ templateName: 'appointment-reminder', clientId: await newClient() });
    const { partnerId } = service.world;
    return {
      async begin({ input, rerunOf, source = 'ingest' }: Event): Promise<string> {
        const id = newId();
        await service.query(
          `insert into execution (id, partner_id, workflow_id, status, source, summary, template_version, credits_held, due_at, started_at, rerun_of)
            values ($1, $2, $3, 'SUCCEEDED', $4, 'x', 7, 0, now(), $5, $6)`,
          [id, partnerId, workflowId, source, STARTED_AT, rerunOf ?? null],
        );
        await service.query('insert into execution_payload (id, partner_id, input) values ($1, $2, $3)', [
          id,
          partnerId,
          JSON.stringify(input),
        ]);
        return id;
      },
      async end(id: string, output: object): Promise<void> {
        await service.query('update execution_payload set output = $2 where id = $1', [id, JSON.stringify(output)]);
        await service.query('select plan_follow_up($1, $2)', [partnerId, id]);
      },
      /** Starts what waits as the run `id`. */
      startWaiting: (id: string) =>
        service.query(
          `update planned_run set status = 'started', execution_id = $2, try_at = null, ended_at = now() where workflow_id = $1 and status = 'waiting'`,
          [workflowId, id],
        ),
      async waiting(): Promise<Date[]> {
        const rows = await service.query<{ due: Date }>(
          `select due_at as due from planned_run where workflow_id = $1 and status = 'waiting' order by due_at`,
          [workflowId],
        );
        return rows.map(({ due }) => due);
      },
      async inputs(): Promise<Record<string, unknown>[]> {
        const rows = await service.query<{ input: Record<string, unknown> }>(
          `select input from planned_run where workflow_id = $1 and status = 'waiting' order by due_at`,
          [workflowId],
        );
        return rows.map(({ input }) => input);
      },
    };
  };
  const at = (hours: number): string => inHours(hours).toISOString();
  const visit = (hours: number) => ({ bookingUid: 'v-1', startTime: at(hours) });
  const reminded = { contacted: '+13125550121', startTime: at(24), leadHours: 24, nextReminderAt: at(22) };
  const moved = { skipped: true, reason: 'not_due', startTime: at(72), nextReminderAt: at(48) };

  it('prevents the next reminder of a visit that it cancels', async () => {
    const { begin, end, waiting } = await agent();
    const reminder = await begin({ input: visit(24) });
    const cancel = await begin({ input: { ...visit(24), cancelled: true } });
    await end(cancel, { skipped: true, reason: 'booking_cancelled' });
    await end(reminder, reminded);
    assert.deepEqual(await waiting(), []);
    await end(await begin({ input: visit(24) }), reminded);
    assert.deepEqual(await waiting(), [inHours(22)], 'booked again');
  });
  it('keeps the reminder of a visit at the time to which it was moved', async () => {
    const { begin, end, waiting } = await agent();
    const reminder = await begin({ input: visit(24) });
    const change = await begin({ input: visit(72) });
    await end(change, moved);
    await end(reminder, reminded);
    assert.deepEqual(await waiting(), [inHours(48)]);
  });
  it('keeps a visit without one that was moved too near for a reminder', async () => {
    const { begin, end, waiting } = await agent();
    const reminder = await begin({ input: visit(24) });
    await end(await begin({ input: visit(0.5) }), { skipped: true, reason: 'not_due', startTime: at(0.5) });
    await end(reminder, reminded);
    assert.deepEqual(await waiting(), []);
  });
  it('prevents the next nudge of a quote whose answer is not understood', async () => {
    const { begin, end, waiting } = await agent();
    const quote = { quoteUrl: 'https://x.example/1' };
    const nudge = await begin({ input: quote });
    await end(await begin({ input: { ...quote, answered: 'In Bearbeitung' } }), { skipped: true, reason: 'answer_not_understood' });
    await end(nudge, { nudge: 1, nextNudgeAt: at(72) });
    assert.deepEqual(await waiting(), []);
    await end(await begin({ input: quote }), { nudge: 1, nextNudgeAt: at(72) });
    assert.deepEqual(await waiting(), [inHours(72)], 'a later event says that it was not answered');
  });
  for (const first of ['answer', 'sending'])
    it(`keeps the nudges of a quote that was sent again after its answer, when the run of the ${first} ends first`, async () => {
      const { begin, end, waiting } = await agent();
      const quote = { quoteUrl: 'https://x.example/1' };
      const answer = await begin({ input: { ...quote, answered: true } });
      const sending = await begin({ input: quote });
      const ends = [
        () => end(answer, { skipped: true, reason: 'answered' }),
        () => end(sending, { skipped: true, reason: 'not_due', nextNudgeAt: at(72) }),
      ];
      for (const ended of first === 'answer' ? ends : ends.toReversed()) await ended();
      assert.deepEqual(await waiting(), [inHours(72)]);
      await end(await begin({ input: { ...quote, answered: true } }), { skipped: true, reason: 'answered' });
      assert.deepEqual(await waiting(), [], 'answered again');
    });
  it('plans no nudge of an answered quote that the customer sees then, until it is sent again', async () => {
    const { begin, end, waiting } = await agent();
    const quote = { quoteUrl: 'https://x.example/1' };
    const output = { skipped: true, reason: 'not_due', nextNudgeAt: at(72) };
    const answer = await begin({ input: { ...quote, answered: true } });
    const view = await begin({ input: { ...quote, answered: false } });
    await end(answer, { skipped: true, reason: 'answered' });
    await end(view, output);
    assert.deepEqual(await waiting(), []);
    await end(await begin({ input: { ...quote, answered: false, sentAt: at(-1) } }), output);
    assert.deepEqual(await waiting(), [], 'the day on which it was sent before');
    await end(await begin({ input: { ...quote, answered: false, sentAt: at(1) } }), output);
    assert.deepEqual(await waiting(), [inHours(72)], 'sent again');
  });
  it('gets the days of a quote that is sent with one and viewed without, whichever run ends first, and goes on with what the later event says', async () => {
    for (const first of ['sending', 'view']) {
      const { begin, end, waiting, inputs } = await agent();
      const quote = { quoteUrl: 'https://x.example/1', customerName: 'Ada Byron', customerEmail: 'ada@example.com' };
      const before = await begin({ input: { ...quote, sentAt: at(-50) } });
      const sending = await begin({ input: { ...quote, sentAt: at(-30) } });
      const view = await begin({ input: { ...quote, answered: false, customerName: 'Ada King', customerEmail: '' } });
      const ends = [
        () => end(sending, { skipped: true, reason: 'not_due', nextNudgeAt: at(18), laterNudges: [at(90)] }),
        () => end(view, { skipped: true, reason: 'not_due', nextNudgeAt: at(48), laterNudges: [at(120)] }),
      ];
      for (const ended of first === 'sending' ? ends : ends.toReversed()) await ended();
      assert.deepEqual(await waiting(), [inHours(18), inHours(90)], first);
      const [{ customerName, customerEmail, sentAt } = {}] = await inputs();
      assert.deepEqual([customerName, customerEmail, sentAt], ['Ada King', quote.customerEmail, at(-30)], first);
      await end(before, { skipped: true, reason: 'not_due', nextNudgeAt: at(20) });
      assert.deepEqual(await waiting(), [inHours(18), inHours(90)], 'a day before that one');
    }
  });
  it('counts as later than a planned run of the earlier event and than its rerun, but not than a rerun with a corrected event', async () => {
    const { begin, end, waiting, startWaiting } = await agent();
    const first = await begin({ input: visit(24) });
    await end(first, { skipped: true, reason: 'not_due', startTime: at(24), nextReminderAt: at(1) });
    const change = await begin({ input: visit(72) });
    const planned = await begin({ input: visit(24), source: 'schedule' });
    await startWaiting(planned);
    await end(change, moved);
    await end(planned, reminded);
    assert.deepEqual(await waiting(), [inHours(48)], 'a planned run');
    const again = await begin({ input: visit(24), source: 'rerun', rerunOf: planned });
    await end(again, reminded);
    await end(await begin({ input: visit(24), source: 'rerun', rerunOf: again }), reminded);
    assert.deepEqual(await waiting(), [inHours(48)], 'a rerun');
    await end(await begin({ input: visit(26), source: 'rerun', rerunOf: again }), { startTime: at(26), nextReminderAt: at(24) });
    assert.deepEqual(await waiting(), [inHours(24)], 'a corrected event');
  });
  it('gives way to what the planned runs of its own visit go on with', async () => {
    const { begin, end, waiting, startWaiting } = await agent();
    await end(await begin({ input: visit(24) }), { skipped: true, reason: 'not_due', startTime: at(24), nextReminderAt: at(1) });
    const planned = await begin({ input: visit(24), source: 'schedule' });
    await startWaiting(planned);
    await end(planned, reminded);
    assert.deepEqual(await waiting(), [inHours(22)]);
  });
});
