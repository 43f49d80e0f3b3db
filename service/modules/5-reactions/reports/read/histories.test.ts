import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import fc from 'fast-check';
import { loadCatalog } from '@partner-portal/catalog/index.ts';
import { isFull } from '@partner-portal/tests/harness/full.ts';
import { startTestService, type TestService } from '@partner-portal/tests/harness/service.ts';
import { addClient, addWorkflow } from '@partner-portal/tests/harness/world.ts';
import { sql } from 'kysely';
import { v7 } from 'uuid';
import { reports } from '../index.ts';

/** Random histories of a client: after each, its report must say what a plain count over its runs and the ledger says. */

const ZONES = [
  'America/Chicago',
  'Europe/Berlin',
  'Asia/Kolkata',
  'Australia/Lord_Howe',
  'America/St_Johns',
  'Pacific/Kiritimati',
  'UTC',
] as const;
const TEMPLATES = ['missed-call-text-back', 'review-request', 'lead-qualifier'] as const;
const HOUR_MS = 3_600_000;
const catalog = loadCatalog();
let service: TestService;
before(async () => {
  service = await startTestService({ modules: (platform) => [reports({ ...platform, catalog, platformProviders: [] })] });
  const raise = sql`update partner_quota set monthly_credits = 1000000000, in_flight = 1000000`;
  await service.db.asSystem('seed', async (tx) => void (await raise.execute(tx)));
});
after(() => service.close());

const FATES = ['ok', 'skipped', 'failed', 'timeout', 'late_ok', 'late_failed', 'running'] as const;
const run = fc.record({
  agent: fc.nat({ max: 2 }),
  /** Around one of the turns of the last months, or anywhere. */
  at: fc.oneof(
    fc.record({ month: fc.nat({ max: 2 }), minutes: fc.integer({ min: -20 * 60, max: 20 * 60 }) }),
    fc.record({ month: fc.nat({ max: 2 }), minutes: fc.integer({ min: 0, max: 27 * 24 * 60 }) }),
  ),
  fate: fc.constantFrom(...FATES),
  source: fc.constantFrom('ingest', 'test', 'schedule', 'rerun'),
  /** Index of the earlier run that this one reruns. */
  of: fc.nat({ max: 30 }),
  ai: fc.nat({ max: 2 }),
  hasContact: fc.boolean(),
});
type Run = typeof run extends fc.Arbitrary<infer T> ? T : never;

it('says what a plain count over runs and ledger says, after any history, in any time zone', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...ZONES),
      fc.array(run, { minLength: 1, maxLength: 30 }),
      fc.boolean(),
      async (zone, history, removesAgent) => {
        const { clientId, agents } = await play(zone, history, removesAgent);
        // West of Greenwich, the month that runs there is not that of UTC in the first hours of the first day.
        const [year = 0, running = 0] = monthIn(new Date(), zone).split('-').map(Number);
        for (const back of [0, 1, 2]) {
          const month = monthIn(new Date(Date.UTC(year, running - 1 - back, 15)), 'UTC');
          const { status, body } = await service.call('GET', `/clients/${clientId}/report?month=${month}`, { as: 'owner' });
          assert.equal(status, 200, JSON.stringify(body));
          assert.deepEqual(summaryOf(body), await count(clientId, zone, month, agents), `${zone} ${month}`);
        }
      },
    ),
    { numRuns: isFull ? 60 : 8 },
  );
});

/** Makes the runs happen as the service would; only the times are written by hand. */
async function play(zone: string, history: readonly Run[], removesAgent: boolean) {
  const { partnerId } = service.world;
  return service.db.asSystem('seed', async (tx) => {
    const clientId = await addClient(tx, partnerId, 'History');
    await sql`update client set timezone = ${zone}, created_at = now() - interval '200 days' where id = ${clientId}`.execute(tx);
    const agents: string[] = [];
    for (const templateName of TEMPLATES) agents.push(await addWorkflow(tx, { partnerId, clientId, templateName }));
    const ids: string[] = [];
    const times = new Map<string, number>();
    for (const one of history) {
      const rerunOf = one.source === 'rerun' ? (ids[one.of] ?? null) : null;
      // A rerun starts after the run it repeats.
      const startedAt = new Date(Math.max(timeOf(one).getTime(), times.get(rerunOf ?? '') ?? 0));
      const id = v7({ msecs: startedAt.getTime() });
      times.set(id, startedAt.getTime());
      const source = one.source === 'rerun' && rerunOf === null ? 'ingest' : one.source;
      await sql`insert into execution (id, partner_id, client_id, workflow_id, source, summary, template_version, credits_held, started_at, due_at, rerun_of)
        values (${id}, ${partnerId}, ${clientId}, ${agents[one.agent]}, ${source}, 'Ran', 1, 2, ${startedAt}, now(), ${rerunOf})`.execute(
        tx,
      );
      ids.push(id);
      const end = async (status: string, isTimeout: boolean, code: string | null, output: object): Promise<void> => {
        await sql`select * from finish_executions(array[${id}]::uuid[], array[${agents[one.agent]}]::uuid[], array[${status}]::text[], array[null]::text[],
          array[${JSON.stringify(output)}]::jsonb[], array[null]::jsonb[], array[${code}]::text[], array[null]::text[], array[null]::text[],
          array[${status === 'SUCCEEDED' && one.hasContact ? '+13125550121' : null}]::text[], array[null]::text[], array['agent'], array[${isTimeout ? 0 : one.ai}]::int[],
          array[false]::boolean[], array[null]::text[], array[null]::text[], array[false]::boolean[], ${isTimeout}::boolean, true)`.execute(
          tx,
        );
      };
      if (one.fate === 'ok') await end('SUCCEEDED', false, null, {});
      if (one.fate === 'skipped') await end('SUCCEEDED', false, null, { skipped: true });
      if (one.fate === 'failed') await end('FAILED', false, one.ai === 0 ? 'twilio_key_refused' : 'twilio_down', {});
      if (one.fate === 'timeout' || one.fate.startsWith('late')) await end('FAILED', true, 'timeout', {});
      if (one.fate === 'late_ok') await end('SUCCEEDED', false, null, {});
      if (one.fate === 'late_failed') await end('FAILED', false, 'twilio_down', {});
      // Reported twice: nothing changes.
      if (one.fate === 'ok') await end('FAILED', false, 'twilio_down', {});
    }
    if (removesAgent) {
      await sql`insert into agent_removal (workflow_id, partner_id, client_id, name, template_name) select id, partner_id, client_id, name, template_name from workflow where id = ${agents[0]}`.execute(
        tx,
      );
      await sql`delete from workflow where id = ${agents[0]}`.execute(tx);
    }
    // Only for helpful runs: without a payload, outputs are not stored.
    const skipped = new Set(ids.filter((_id, index) => history[index]?.fate === 'skipped'));
    const contacted = new Set(ids.filter((_id, index) => history[index]?.hasContact === true));
    return { clientId, agents: { ids: agents, skipped, contacted } };
  });
}

function timeOf({ at: { month, minutes } }: Run): Date {
  const today = new Date();
  const turn = Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - month, 1);
  return new Date(Math.min(turn + minutes * 60_000, today.getTime()));
}

/** Not by the library that the report uses. */
function monthIn(at: Date, timeZone: string): string {
  const parts = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit' }).formatToParts(at);
  const part = (type: string): string => parts.find((one) => one.type === type)?.value ?? '';
  return `${part('year')}-${part('month')}`;
}

type Agents = { ids: readonly string[]; skipped: ReadonlySet<string>; contacted: ReadonlySet<string> };

/** The same by reading every run, and every entry of the ledger. */
async function count(clientId: string, zone: string, month: string, { ids, skipped, contacted }: Agents) {
  type Row = { id: string; workflowId: string; status: string; startedAt: Date; rerunOf: string | null; credits: number };
  const { rows } = await service.db.asSystem('seed', (tx) =>
    sql<Row>`select e.id, e.workflow_id, e.status, e.started_at, e.rerun_of, coalesce((select -sum(u.credits) from usage_entry u where u.execution_id = e.id), 0)::int as credits
      from execution e where e.client_id = ${clientId} and e.status <> 'RUNNING'`.execute(tx),
  );
  const hourOf = ({ startedAt: at }: Row): Date => new Date(Math.floor(at.getTime() / HOUR_MS) * HOUR_MS);
  const own = rows.filter((row) => monthIn(hourOf(row), zone) === month);
  const isHelpful = ({ id, status }: Row): boolean => status === 'SUCCEEDED' && !skipped.has(id);
  const failed = own.filter((row) => row.status === 'FAILED');
  const isSolved = (id: string): boolean => rows.some((row) => row.rerunOf === id && (row.status === 'SUCCEEDED' || isSolved(row.id)));
  return {
    runs: own.length,
    succeeded: own.length - failed.length,
    failed: failed.length,
    contacted: own.filter((row) => row.status === 'SUCCEEDED' && contacted.has(row.id)).length,
    helped: own.filter(isHelpful).length,
    credits: own.reduce((sum, row) => sum + row.credits, 0),
    hoursSaved:
      Math.round(
        10 *
          ids.reduce((sum, id, index) => {
            const perRun = catalog.find((template) => template.name === TEMPLATES[index])?.hoursSavedPerRun ?? 0;
            return sum + own.filter((row) => row.workflowId === id && isHelpful(row)).length * perRun;
          }, 0),
      ) / 10,
    results: ids.toSorted().flatMap((id) => {
      const runs = own.filter((row) => row.workflowId === id);
      return runs.length === 0 ? [] : [{ id, runs: runs.length, count: runs.filter(isHelpful).length }];
    }),
    busiest: own.length,
    failures: failed.length,
    handled: failed.filter((row) => isSolved(row.id)).length,
    trend: own.length,
  };
}

type Body = Awaited<ReturnType<TestService['call']>>['body'];

function summaryOf({ month, totals, results, busiestHours, failures, trend }: Body) {
  const sum = (rows: Record<string, number>[], name: string): number => rows.reduce((total, row) => total + (row[name] ?? 0), 0);
  return {
    ...totals,
    results: results
      .map((one: { workflowId: string; runs: number; count: number }) => ({ id: one.workflowId, runs: one.runs, count: one.count }))
      .toSorted((a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1)),
    busiest: sum(busiestHours, 'runs'),
    failures: sum(failures, 'count'),
    handled: sum(failures, 'handled'),
    trend: sum(
      trend.filter((one: { month: string }) => one.month === month),
      'runs',
    ),
  };
}
