import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
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

const REQUESTED: (Date | null)[] = [null, inHours(-1), inHours(24), inHours(399 * 24), inHours(401 * 24)];
const run = (status: KnownRun['status'], dueHours: number, over: Partial<KnownRun> = {}): KnownRun => ({
  status,
  reason: null,
  origin: 'run',
  dueAt: inHours(dueHours),
  endedAt: status === 'waiting' ? null : inHours(-3),
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
  'answered before the execution': [run('cancelled', -3, { reason: 'answered' })],
  'answered during the execution': [run('cancelled', -1, { reason: 'answered', endedAt: inHours(-1) })],
  'planned by the poll of bookings': [run('waiting', 48, { origin: 'bookings' })],
  'below the bound': [...started(FOLLOW_UPS_MAX - 1), run('waiting', 48)],
  'at the bound': started(FOLLOW_UPS_MAX),
};

/** A quote is answered, and a visit cancelled. */
const endedBy = (kind: FollowUpRequest['kind'], reason: string) => ({
  isAnswered: kind === 'nudge' && reason === 'answered',
  isCancelled: kind === 'reminder' && reason === 'booking_cancelled',
});

type Case = { id: string; name: string; request: FollowUpRequest; known: KnownRun[] };
const CASES: Case[] = (['nudge', 'reminder'] as const).flatMap((kind) =>
  (['', 'answered', 'booking_cancelled'] as const).flatMap((reason) =>
    REQUESTED.flatMap((requestedAt) =>
      Object.entries(KNOWN).map(([name, known]) => ({
        id: newId(),
        name: `${kind}, ${reason}, ${requestedAt?.toISOString() ?? 'no time'}, ${name}`,
        request: { kind, ...endedBy(kind, reason), requestedAt, startedAt: STARTED_AT, now: NOW },
        known,
      })),
    ),
  ),
);

function outputOf({ kind, isAnswered, isCancelled, requestedAt }: FollowUpRequest): object {
  const at = requestedAt?.toISOString() ?? null;
  return {
    ...(kind === 'nudge' ? { nudge: 1, nextNudgeAt: at } : { startTime: inHours(30).toISOString(), nextReminderAt: at }),
    ...(isAnswered ? { reason: 'answered' } : {}),
    ...(isCancelled ? { reason: 'booking_cancelled' } : {}),
  };
}

/** Inserts the executions and their planned runs; each case is a subject of its own. */
async function insertCases(workflowId: string): Promise<void> {
  const { partnerId, clientId } = service.world;
  await service.query(
    `insert into execution (id, partner_id, client_id, workflow_id, status, source, summary, template_version, credits_held, due_at, started_at)
      select id, $1, $2, $3, 'SUCCEEDED', 'ingest', 'x', 1, 0, now(), $5 from unnest($4::uuid[]) as c(id)`,
    [partnerId, clientId, workflowId, CASES.map(({ id }) => id), STARTED_AT],
  );
  await service.query(
    `insert into execution_payload (id, partner_id, client_id, input)
      select id, $1, $2, jsonb_build_object('quoteUrl', id, 'bookingUid', id) from unnest($3::uuid[]) as c(id)`,
    [partnerId, clientId, CASES.map(({ id }) => id)],
  );
  const rows = CASES.flatMap(({ id, request, known }) => known.map((one) => ({ ...one, id, kind: request.kind })));
  await service.query(
    `insert into planned_run (partner_id, client_id, workflow_id, kind, origin, subject, due_at, last_at, input, status, reason, ended_at, try_at)
      select $1, $2, $3, r.kind, r."origin", case r.kind when 'nudge' then 'quote:' || encode(sha256(convert_to(r.id, 'UTF8')), 'hex') else 'booking:' || r.id end,
        r."dueAt", r."dueAt", '{}', r.status, r.reason, r."endedAt", case r.status when 'waiting' then r."dueAt" end
      from jsonb_to_recordset($4::jsonb) as r(id text, kind text, "origin" text, "dueAt" timestamptz, status text, reason text, "endedAt" timestamptz)`,
    [partnerId, clientId, workflowId, JSON.stringify(rows)],
  );
}

it('plan_follow_up decides as core does, for every request and every plan of its subject', async () => {
  const workflowId = await service.addAgent({ templateName: 'quote-follow-up' });
  await insertCases(workflowId);
  await service.query(
    `update execution_payload p set output = c.output from jsonb_to_recordset($1::jsonb) as c(id uuid, output jsonb) where p.id = c.id`,
    [JSON.stringify(CASES.map(({ id, request }) => ({ id, output: outputOf(request) })))],
  );
  await service.query('select plan_follow_up($1, id) from unnest($2::uuid[]) as c(id)', [
    service.world.partnerId,
    CASES.map(({ id }) => id),
  ]);
  type Row = { subject: string; status: KnownRun['status']; reason: string | null; dueAt: Date; lastAt: Date; by: string | null };
  const rows = await service.query<Row>(
    `select case when p.kind = 'nudge' then (select c.id from unnest($2::text[]) as c(id) where p.subject = 'quote:' || encode(sha256(convert_to(c.id, 'UTF8')), 'hex'))
        else substr(p.subject, 9) end as subject, p.status, p.reason, p.due_at as "dueAt", p.last_at as "lastAt", p.asked_by as "by"
      from planned_run p where p.workflow_id = $1`,
    [workflowId, CASES.map(({ id }) => id)],
  );
  const bySubject = Map.groupBy(rows, (row) => row.subject);
  for (const { id, name, request, known } of CASES) {
    const { cancels, plans } = decideFollowUp(request, known);
    const found = bySubject.get(id) ?? [];
    const planned = found.filter((row) => row.by === id && row.status === 'waiting');
    assert.deepEqual(
      planned.map(({ dueAt, lastAt }) => ({ dueAt, lastAt })),
      plans === null ? [] : [plans],
      name,
    );
    const left = known.filter((one) => one.status === 'waiting' && request.kind === 'reminder' && one.origin === 'bookings');
    assert.equal(found.filter((row) => row.by !== id && row.status === 'waiting').length, left.length, name);
    const ended = known.filter((one) => one.status === 'waiting' && !left.includes(one) && one.dueAt.getTime() !== plans?.dueAt.getTime());
    for (const one of ended) assert.equal(found.find((row) => row.dueAt.getTime() === one.dueAt.getTime())?.reason, cancels, name);
  }
  assert.equal(CASES.length, 330);
});

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
