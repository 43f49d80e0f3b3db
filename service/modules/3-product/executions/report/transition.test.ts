import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { endExecution, type ExecutionEnd, type ExecutionState } from '#schema/models/finish-executions.ts';
import type { QuotaCrossing } from '@partner-portal/core/quota/thresholds.ts';
import { crossThresholds } from '#schema/models/settle-quota.ts';
import { type ExecutionService, startExecutionService } from '@partner-portal/tests/harness/executions.ts';
import { addClient } from '@partner-portal/tests/harness/world.ts';
import { newId } from '#platform/ids.ts';
import { finishExecutions } from './finish-batch.ts';

/** The SQL functions and core must agree on how executions end and which thresholds that crosses. */

let service: ExecutionService;
before(async () => {
  service = await startExecutionService();
});
after(() => service.close());

const HELD = 3;
const STATES: ExecutionState[] = [
  { status: 'RUNNING', errorCode: null, late: false, creditsHeld: HELD },
  { status: 'SUCCEEDED', errorCode: null, late: false, creditsHeld: HELD },
  { status: 'SUCCEEDED', errorCode: null, late: true, creditsHeld: HELD },
  ...['timeout', 'dispatch_failed', 'step_failed'].flatMap((errorCode) =>
    [false, true].map((late): ExecutionState => ({ status: 'FAILED', errorCode, late, creditsHeld: HELD })),
  ),
];
const ENDS: ExecutionEnd[] = [
  { status: 'SUCCEEDED', by: 'report' },
  { status: 'FAILED', by: 'report' },
  { status: 'SUCCEEDED', by: 'report', skipped: true },
  { status: 'FAILED', by: 'report', skipped: true },
  { status: 'FAILED', by: 'service' },
];

const NAMES = STATES.flatMap((state) =>
  ENDS.map(
    (end) =>
      `${state.status} ${state.errorCode ?? ''}${state.late ? ' late' : ''} → ${end.status} by ${end.by}${end.skipped ? ' skipped' : ''}`,
  ),
);

it('finish_executions decides as core does, from every state by every end', async () => {
  const { partnerId, clientId } = service.world;
  const workflowId = await service.addAgent();
  const cases = STATES.flatMap((state) => ENDS.map((end) => ({ id: newId(), state, end })));
  await service.query(
    `insert into execution (id, partner_id, client_id, workflow_id, status, source, summary, template_version, credits_held, due_at, error_code, late)
      select c.id, $1, $2, $3, c.status, 'ingest', 'x', 1, ${HELD}, now(), c.error_code, c.late
      from unnest($4::uuid[], $5::text[], $6::text[], $7::boolean[]) as c(id, status, error_code, late)`,
    [
      partnerId,
      clientId,
      workflowId,
      cases.map((one) => one.id),
      cases.map((one) => one.state.status),
      cases.map((one) => one.state.errorCode),
      cases.map((one) => one.state.late),
    ],
  );
  await service.query('update partner_quota set in_flight = 1000, used = 0 where partner_id = $1', [partnerId]);
  const effects = cases.map(({ state, end }) => endExecution(state, end));
  for (const by of ['report', 'service'] as const) {
    const chosen = cases.filter((one) => one.end.by === by);
    const results = await finishExecutions(
      service.db,
      chosen.map(({ id, end }) => ({
        executionId: id,
        workflowId,
        status: end.status,
        summary: null,
        output: end.skipped ? '{"skipped":true}' : null,
        steps: null,
        error: end.status === 'FAILED' ? { code: 'timeout', message: 'x', stepName: null } : null,
        contact: null,
        optOut: null,
        aiCredits: 0,
      })),
      { fromTimeout: by === 'service' },
    );
    assert.deepEqual(
      results.map(({ found, applied }) => [found, applied]),
      chosen.map(({ state, end }) => [true, endExecution(state, end) !== null]),
    );
  }
  const rows = await service.query<{ status: string; late: boolean; charged: number; stopped: boolean }>(
    'select status, late, credits_charged as charged, stopped from execution where workflow_id = $1 order by id',
    [workflowId],
  );
  assert.deepEqual(
    rows.map((row, index) => ({ name: NAMES[index], ...row })),
    cases.map(({ state }, index) => {
      const { status, late, charged, stopped } = effects[index] ?? { status: state.status, late: state.late, charged: 0, stopped: false };
      return { name: NAMES[index], status, late, charged, stopped };
    }),
  );
  const sum = (of: 'charged' | 'freed'): number => effects.reduce((total, one) => total + (one?.[of] ?? 0), 0);
  const [quota] = await service.query('select used, in_flight from partner_quota where partner_id = $1', [partnerId]);
  assert.deepEqual(quota, { used: sum('charged'), in_flight: 1000 - sum('freed') });
});

it('counts as failures in a row those after the last success, however many reports settle together', async () => {
  const { partnerId } = service.world;
  const streakAfter = async (ends: string): Promise<number> => {
    const clientId = await service.db.asSystem('seed', (tx) => addClient(tx, partnerId, ends));
    const workflowId = await service.addAgent({ clientId });
    await service.query('update workflow set consecutive_failures = 2 where id = $1', [workflowId]);
    const runs = [...ends].map((end) => ({
      id: newId(),
      status: end === 'F' ? ('FAILED' as const) : ('SUCCEEDED' as const),
      isUntried: end === 'U',
    }));
    await service.query(
      `insert into execution (id, partner_id, client_id, workflow_id, status, source, summary, template_version, credits_held, due_at)
        select id, $1, $2, $3, 'RUNNING', 'ingest', 'x', 1, 0, now() from unnest($4::uuid[]) as n(id)`,
      [partnerId, clientId, workflowId, runs.map(({ id }) => id)],
    );
    await finishExecutions(
      service.db,
      runs.map(({ id, status, isUntried }) => ({
        executionId: id,
        workflowId,
        status,
        isUntried,
        summary: null,
        output: null,
        steps: null,
        error: status === 'FAILED' ? { code: 'step_failed', message: 'x', stepName: null } : null,
        contact: null,
        optOut: null,
        aiCredits: 0,
      })),
      { fromTimeout: false },
    );
    const [row] = await service.query<{ n: number }>('select consecutive_failures as n from workflow where id = $1', [workflowId]);
    return row?.n ?? -1;
  };
  assert.equal(await streakAfter('FFSF'), 1);
  assert.equal(await streakAfter('SFF'), 2);
  assert.equal(await streakAfter('FF'), 4);
  assert.equal(await streakAfter('FFS'), 0);
  assert.equal(await streakAfter('U'), 2);
  assert.equal(await streakAfter('UFUU'), 3);
  assert.equal(await streakAfter('SUF'), 1);
});

it('settle_quota crosses the thresholds that core crosses', async () => {
  const lists = [[50, 80, 100], [100, 80, 50], [1, 2, 3], [], [75], [80, 80]];
  const cases = lists.flatMap((thresholds) =>
    [0, 1, 3, 7, 200].flatMap((limit) =>
      [0, 50, 80, 100].flatMap((announced) =>
        [0, 0.49, 0.5, 0.8, 0.995, 1, 1.5].map((part, index) => ({
          partnerId: newId(),
          thresholds,
          limit,
          announced,
          before: Math.floor(limit * part),
          charged: index % 3,
        })),
      ),
    ),
  );
  const partnerIds = cases.map((one) => one.partnerId);
  await service.query("insert into partner (id, name, slug) select id, 'x', 'thresholds-' || id from unnest($1::uuid[]) as n(id)", [
    partnerIds,
  ]);
  await service.query(
    `insert into partner_quota (partner_id, period_start, period_end, period_anchor, monthly_credits, used, highest_threshold, thresholds)
      select id, now() - interval '1 day', now() + interval '1 day', now() + interval '1 day', credits, used, announced, list::int[]
      from unnest($1::uuid[], $2::int[], $3::int[], $4::int[], $5::text[]) as n(id, credits, used, announced, list)`,
    [
      partnerIds,
      cases.map((one) => one.limit),
      cases.map((one) => one.before),
      cases.map((one) => one.announced),
      cases.map((one) => `{${one.thresholds.join(',')}}`),
    ],
  );
  const changed = JSON.stringify(cases.map(({ partnerId, charged }) => ({ partner: partnerId, held: 0, charged })));
  await assert.rejects(service.query('select settle_quota($1::jsonb, false)', [changed]), { code: 'PS409' });
  const [found] = await service.query<{ crossings: QuotaCrossing[] }>('select settle_quota($1::jsonb, true) as crossings', [changed]);
  const crossedBy = new Map(found?.crossings.map(({ partnerId, percents }) => [partnerId, percents]));
  const rows = await service.query<{ partner: string; announced: number }>(
    'select partner_id as partner, highest_threshold as announced from partner_quota where partner_id = any($1)',
    [partnerIds],
  );
  const settled = new Map(rows.map(({ partner, announced }) => [partner, { announced, crossed: crossedBy.get(partner) ?? [] }]));
  for (const { partnerId, before, charged, ...facts } of cases) {
    const { announced, crossed } = crossThresholds({ ...facts, used: before + charged });
    assert.deepEqual(settled.get(partnerId), { announced, crossed }, JSON.stringify({ ...facts, before, charged }));
  }
  assert.equal(cases.length, 840);
});
