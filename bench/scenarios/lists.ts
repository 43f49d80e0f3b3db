import { performance } from 'node:perf_hooks';
import { listExecutionRows } from '@partner-portal/service/modules/3-product/executions/index.ts';
import { createPool } from '@partner-portal/service/platform/db/pool.ts';
import { createDatabase } from '@partner-portal/service/platform/db/tx.ts';
import { type BenchDatabase, seedWorkflows } from '../support/database.ts';
import { summarise } from '../support/measure.ts';

const SMALL = 1_000;
const LARGE = 1_000_000;
const READS = 60;

type Scope = { partnerId: string; clientId: string; workflowId: string };

/** The first page of executions at 0, 10³ and 10⁶ executions of one partner. Target: at most twice the time of 10³. */
export async function benchLists(database: BenchDatabase, say: (line: string) => void): Promise<void> {
  await seedWorkflows(database, 3, 20);
  const agencies = await database.admin<{ id: string }>(`select id from partner where not is_house order by id`);
  const [small, large, empty] = agencies;
  if (!small || !large || !empty) throw new Error('The agencies were not seeded.');
  await fill(database, small.id, SMALL);
  const beganAt = performance.now();
  await fill(database, large.id, LARGE);
  await database.admin('vacuum analyze execution');
  say(`${LARGE} executions created in ${((performance.now() - beganAt) / 1000).toFixed(0)} s`);
  const pool = createPool(database.addressOf('portal_service'), { name: 'bench', max: 2 });
  const db = createDatabase(pool);
  const read = async (scope: Scope, filter: object, asClient: boolean): Promise<number> => {
    const tenant = { kind: 'tenant', partnerId: scope.partnerId, clientId: asClient ? scope.clientId : null } as const;
    const latencies: number[] = [];
    for (let n = 0; n < READS; n += 1) {
      const startedAt = performance.now();
      await db.asTenant(tenant, (tx) => listExecutionRows(tx, { partnerId: scope.partnerId, ...filter }, null, 26));
      latencies.push(performance.now() - startedAt);
    }
    return summarise(latencies.slice(READS / 3)).p50;
  };
  const [none, few, many] = [await scopeOf(database, empty.id), await scopeOf(database, small.id), await scopeOf(database, large.id)];
  const views: [string, (scope: Scope) => object, boolean][] = [
    ['agency', () => ({}), false],
    ['client', (scope) => ({ clientId: scope.clientId }), true],
    ['workflow', (scope) => ({ workflowId: scope.workflowId }), false],
    ['failed', () => ({ status: 'FAILED' }), false],
    ['running', () => ({ status: 'RUNNING' }), false],
    [
      'a day',
      () => ({ from: new Date(Date.now() - 2 * 86_400_000).toISOString(), to: new Date(Date.now() - 86_400_000).toISOString() }),
      false,
    ],
  ];
  for (const [name, filter, asClient] of views) {
    const ofNone = await read(none, filter(none), asClient);
    const before = await read(few, filter(few), asClient);
    const after = await read(many, filter(many), asClient);
    say(
      `${name.padEnd(9)} ${ofNone.toFixed(2)} ms at none, ${before.toFixed(2)} ms at 10³, ${after.toFixed(2)} ms at 10⁶: × ${(after / before).toFixed(2)} (target: 2.00 or less)`,
    );
  }
  await pool.end();
}

/** Creates executions of the last thirty days, spread over the partner's workflows; one in twenty failed. */
async function fill(database: BenchDatabase, partnerId: string, count: number): Promise<void> {
  await database.admin(
    `with w as (select array_agg(w.id order by w.id) as ids, array_agg(w.client_id order by w.id) as clients, count(*)::int as n from workflow w where w.partner_id = $1)
     insert into execution (id, partner_id, client_id, workflow_id, status, source, summary, template_version, credits_held, credits_charged, started_at, finished_at, due_at, error_code, error_message)
     select (substr(uuid_floor(at)::text, 1, 14) || '7' || substr(gen_random_uuid()::text, 16))::uuid, $1, w.clients[1 + i % w.n], w.ids[1 + i % w.n],
       case when i % 20 = 0 then 'FAILED' else 'SUCCEEDED' end, 'ingest', 'Texted +1 312 ··· 0121 after a missed call', 1, 1, 1, at, at + interval '2 seconds', at + interval '10 minutes',
       case when i % 20 = 0 then 'twilio_down' end, case when i % 20 = 0 then 'Twilio is down' end
     from w, generate_series(1, $2::int) i, lateral (select now() - interval '30 days' * (i::float / $2) as at) t`,
    [partnerId, count],
  );
}

async function scopeOf(database: BenchDatabase, partnerId: string): Promise<Scope> {
  const [row] = await database.admin<{ client_id: string; id: string }>(
    'select id, client_id from workflow where partner_id = $1 order by id limit 1',
    [partnerId],
  );
  if (!row) throw new Error('The workflows were not seeded.');
  return { partnerId, clientId: row.client_id, workflowId: row.id };
}
