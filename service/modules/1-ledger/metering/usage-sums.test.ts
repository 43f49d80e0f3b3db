import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startTestService, type TestService } from '@partner-portal/tests/harness/service.ts';
import { addWorkflow } from '@partner-portal/tests/harness/world.ts';
import { sql } from 'kysely';
import type { SystemTx, Tx } from '#platform/db/tx.ts';
import { newId } from '#platform/ids.ts';
import { foldUsage } from './fold-usage.ts';
import { metering } from './index.ts';

/** Sums by the hour equal what agents counted and what the ledger holds, whenever they are read. */

let service: TestService;
let agents: { partnerId: string; clientId: string | null; workflowId: string }[];
const signal = new AbortController().signal;
const fold = (): Promise<void> => foldUsage(service, { signal });

before(async () => {
  service = await startTestService({ modules: ({ db, cursors, clock }) => [metering({ db, cursors, clock })] });
  const { partnerId, clientId, otherClientId, rivalPartnerId, rivalClientId } = service.world;
  const owners = [
    { partnerId, clientId },
    { partnerId, clientId: otherClientId },
    { partnerId, clientId: null },
    { partnerId: rivalPartnerId, clientId: rivalClientId },
  ];
  agents = await service.db.asSystem('seed', (tx) =>
    Promise.all(
      owners.map(async (owner) => ({ ...owner, workflowId: await addWorkflow(tx, { ...owner, templateName: 'missed-call-text-back' }) })),
    ),
  );
});
after(() => service.close());

/** The same numbers each time, spread like random ones. */
function spread(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % below;
  };
}

const hourBefore = (hours: number): Date => new Date(Math.floor(Date.now() / 3_600_000) * 3_600_000 - hours * 3_600_000);
const KINDS = ['run', 'ai_tokens', 'purchase', 'grant', 'adjustment'] as const;

/** Counts as the end of an execution does: a late success takes its failure back. */
async function count(tx: SystemTx, pick: (below: number) => number): Promise<void> {
  const { partnerId, clientId, workflowId } = agents[pick(agents.length)] ?? assert.fail();
  const [succeeded, failed] = [pick(4), pick(3) - 1];
  await sql`insert into workflow_hour as h (partner_id, workflow_id, client_id, hour, succeeded, failed, credits, contacted, helped)
    values (${partnerId}, ${workflowId}, ${clientId}, ${hourBefore(pick(5))}, ${succeeded}, ${failed}, ${pick(9)}, ${pick(3)}, ${pick(3)}), (${partnerId}, ${workflowId}, ${clientId}, ${hourBefore(5 + pick(5))}, 1, 0, 1, 0, 0)
    on conflict (partner_id, workflow_id, hour) do update set succeeded = h.succeeded + excluded.succeeded, failed = h.failed + excluded.failed, credits = h.credits + excluded.credits,
      contacted = h.contacted + excluded.contacted, helped = h.helped + excluded.helped`.execute(tx);
}

/** Counts in one hour of the last two years, and a call of a language model in another. */
async function countLongAgo(tx: SystemTx, pick: (below: number) => number): Promise<void> {
  const { partnerId, clientId, workflowId } = agents[pick(agents.length)] ?? assert.fail();
  await sql`insert into workflow_hour as h (partner_id, workflow_id, client_id, hour, succeeded, failed, credits, helped)
    values (${partnerId}, ${workflowId}, ${clientId}, ${hourBefore(pick(17_520))}, ${1 + pick(4)}, ${pick(3)}, ${pick(9)}, ${pick(3)}) on conflict do nothing`.execute(
    tx,
  );
  await sql`insert into usage_entry (id, kind, partner_id, client_id, credits, at)
    select uuid_floor(at - interval '2 days'), 'ai_tokens', ${partnerId}, ${clientId}, ${-1 - pick(9)}, at + interval '40 minutes' from (select ${hourBefore(pick(17_520))}::timestamptz as at)
    on conflict do nothing`.execute(tx);
}

/** Adds an entry; the same one again changes nothing. */
async function enter(tx: SystemTx, pick: (below: number) => number): Promise<void> {
  const { partnerId, clientId, workflowId } = agents[pick(agents.length)] ?? assert.fail();
  const kind = KINDS[pick(KINDS.length)] ?? assert.fail();
  const id = newId();
  const ofRun = kind === 'run' || (kind === 'ai_tokens' && pick(2) === 0);
  for (let twice = 0; twice < 2; twice += 1)
    await sql`insert into usage_entry (id, kind, partner_id, client_id, workflow_id, execution_id, credits, at)
      values (${id}, ${kind}, ${partnerId}, ${clientId}, ${ofRun ? workflowId : null}, ${ofRun ? id : null}, ${pick(9) - 4}, ${hourBefore(pick(3))}) on conflict do nothing`.execute(
      tx,
    );
}

type Sum = Record<'hour' | 'counter' | 'credits' | 'entries' | 'succeeded' | 'failed', unknown>;

async function summed(tx: Tx, partnerId: string | null): Promise<Sum[]> {
  const from = sql`now() - interval '2 days', now() + interval '1 hour'`;
  const { rows } =
    await sql<Sum>`select hour, counter, sum(credits)::int as credits, sum(entries)::int as entries, sum(succeeded)::int as succeeded, sum(failed)::int as failed
    from ${partnerId === null ? sql`usage_of_all(${from})` : sql`usage_of(${partnerId}, ${from})`} group by 1, 2 order by 1, 2`.execute(tx);
  return rows;
}

/** Computes the sums again from the hours. */
async function counted(tx: Tx, partnerId: string | null): Promise<Sum[]> {
  const { rows } =
    await sql<Sum>`select hour, counter, sum(credits)::int as credits, sum(entries)::int as entries, sum(succeeded)::int as succeeded, sum(failed)::int as failed from (
      select partner_id, hour, 'ended_runs' as counter, credits, 0 as entries, succeeded, failed from workflow_hour
      union all select partner_id, date_trunc('hour', at, 'UTC'), kind, -credits, 1, 0, 0 from usage_entry
      union all select partner_id, date_trunc('hour', at, 'UTC'), 'ai_calls', -credits, 1, 0, 0 from usage_entry where kind = 'ai_tokens' and execution_id is null) x
    where ${partnerId}::uuid is null or partner_id = ${partnerId}::uuid group by 1, 2 order by 1, 2`.execute(tx);
  return rows;
}

async function assertEqualSums(): Promise<void> {
  await service.db.asSystem('metering', async (tx) => {
    for (const partnerId of [service.world.partnerId, service.world.rivalPartnerId, null])
      assert.deepEqual(await summed(tx, partnerId), await counted(tx, partnerId), String(partnerId));
  });
}

async function notesLeft(): Promise<number> {
  return service.db.asSystem('metering', async (tx) => {
    const { rows } = await sql<{ left: number }>`select count(*)::int as left from usage_delta`.execute(tx);
    return rows[0]?.left ?? 0;
  });
}

describe('the hourly sums', () => {
  it('equal the counters and the ledger after every step, with any number of notes folded before it', async () => {
    const pick = spread(7);
    for (let step = 0; step < 60; step += 1) {
      await service.db.asSystem('seed', async (tx) => {
        const next = pick(5);
        if (next < 2) await count(tx, pick);
        else if (next < 4) await enter(tx, pick);
        else await sql`select fold_usage(${1 + pick(6)})`.execute(tx);
      });
      if (step % 6 === 0) await assertEqualSums();
    }
    await fold();
    assert.equal(await notesLeft(), 0);
    await assertEqualSums();
  });

  it('lose and double nothing of a transaction that is open while others count and fold for the same hour', async () => {
    const pick = spread(11);
    const opened = Promise.withResolvers<void>();
    const mayCommit = Promise.withResolvers<void>();
    const open = service.db.asSystem('seed', async (tx) => {
      for (let n = 0; n < 6; n += 1) await count(tx, spread(3));
      opened.resolve();
      await mayCommit.promise;
    });
    await opened.promise;
    try {
      await service.db.asSystem('seed', (tx) => enter(tx, pick));
      await fold();
      await assertEqualSums();
    } finally {
      mayCommit.resolve();
      await open;
    }
    await assertEqualSums();
    await fold();
    await assertEqualSums();
  });

  it('show a tenant its own agency, a client nothing, and no tenant those of all', async () => {
    const { partnerId, rivalPartnerId, clientId } = service.world;
    const pick = spread(13);
    await service.db.asSystem('seed', async (tx) => {
      for (let n = 0; n < 8; n += 1) await count(tx, pick);
    });
    const as = <T>(of: string, client: string | null, read: (tx: Tx) => Promise<T>): Promise<T> =>
      service.db.asTenant({ kind: 'tenant', partnerId: of, clientId: client }, read);
    assert.ok((await as(partnerId, null, (tx) => summed(tx, partnerId))).length > 0);
    assert.deepEqual(await as(rivalPartnerId, null, (tx) => summed(tx, partnerId)), []);
    const rows = await as(partnerId, clientId, (tx) =>
      sql`select partner_id from usage_hour union all select partner_id from usage_delta`.execute(tx),
    );
    assert.deepEqual(rows.rows, []);
    const foreign = await as(partnerId, null, (tx) =>
      sql`select 1 from usage_hour where partner_id <> ${partnerId} union all select 1 from usage_delta where partner_id <> ${partnerId}`.execute(
        tx,
      ),
    );
    assert.deepEqual(foreign.rows, []);
    await assert.rejects(
      as(partnerId, null, (tx) => sql`select * from platform_hour`.execute(tx)),
      { code: '42501' },
    );
    await assert.rejects(
      as(partnerId, null, (tx) =>
        sql`insert into usage_delta (partner_id, hour, counter, credits) values (${partnerId}, now(), 'run', 1)`.execute(tx),
      ),
      { code: '42501' },
    );
  });
});

type AgentSum = Record<'workflow' | 'client' | 'credits' | 'runs' | 'failed' | 'helped', unknown>;
const BY_AGENT = sql`workflow_id as workflow, client_id as client, sum(credits)::int as credits, sum(succeeded + failed)::int as runs, sum(failed)::int as failed`;
const USED = sql`group by 1, 2 having sum(credits) <> 0 or sum(succeeded) <> 0 or sum(failed) <> 0 order by 1, 2`;

/** Computes again, from the hours, what agents counted and models used in a range. */
const ofAgents = (partnerId: string | null, from: Date, to: Date) => sql`(
    select workflow_id, client_id, credits, succeeded, failed, helped from workflow_hour where hour >= ${from} and hour < ${to} and (${partnerId}::uuid is null or partner_id = ${partnerId})
    union all select null, client_id, -credits, 0, 0, 0 from usage_entry where kind = 'ai_tokens' and execution_id is null
      and date_trunc('hour', at, 'UTC') >= ${from} and date_trunc('hour', at, 'UTC') < ${to} and (${partnerId}::uuid is null or partner_id = ${partnerId})) x`;

async function assertEqualRange(tx: Tx, from: Date, to: Date): Promise<void> {
  const { partnerId, rivalPartnerId } = service.world;
  const range = `${from.toISOString()} to ${to.toISOString()}`;
  const rowsOf = async <T>(statement: ReturnType<typeof sql<T>>): Promise<T[]> => (await statement.execute(tx)).rows;
  for (const agency of [partnerId, rivalPartnerId]) {
    const anew = await rowsOf(sql<AgentSum>`select ${BY_AGENT}, sum(helped)::int as helped from ${ofAgents(agency, from, to)} ${USED}`);
    const summed = await rowsOf(
      sql<AgentSum>`select ${BY_AGENT}, sum(helped)::int as helped from usage_of_agents(${agency}, ${from}, ${to}, false) ${USED}`,
    );
    assert.deepEqual(summed, anew, range);
    const runs = await rowsOf(sql<AgentSum>`select ${BY_AGENT} from usage_of_agents(${agency}, ${from}, ${to}, true) ${USED}`);
    assert.deepEqual(
      runs,
      anew.filter(({ workflow }) => workflow !== null).map(({ helped: _helped, ...row }) => row),
      range,
    );
    const [each] = await rowsOf(
      sql`select sum(credits)::int as credits, sum(failed)::int as failed from usage_of_each(${agency}, ${from}, ${to})`,
    );
    const [all] = await rowsOf(sql`select sum(credits)::int as credits, sum(failed)::int as failed from ${ofAgents(agency, from, to)}`);
    assert.deepEqual(each, all, range);
  }
  const ofAll = await rowsOf(sql<AgentSum>`select ${BY_AGENT} from usage_of_all_agents(${from}, ${to}) ${USED}`);
  assert.deepEqual(ofAll, await rowsOf(sql<AgentSum>`select ${BY_AGENT} from ${ofAgents(null, from, to)} ${USED}`), range);
}

describe('the sums of agents over any range', () => {
  it('equal a fresh sum: folded or not, from any hour to any other', async () => {
    const pick = spread(17);
    await service.db.asSystem('seed', async (tx) => {
      for (let n = 0; n < 150; n += 1) await countLongAgo(tx, pick);
    });
    const year = new Date().getUTCFullYear();
    const starts = [0, 5].flatMap((month) => [year - 1, year].map((of) => new Date(Date.UTC(of, month, 1))));
    const ranges = [
      ...starts.map((from) => [from, hourBefore(-1)] as const),
      ...starts.slice(2).map((to, n) => [starts[n] ?? to, to] as const),
    ];
    for (let n = 0; n < 10; n += 1) {
      const hours = pick(17_520);
      ranges.push([hourBefore(hours), hourBefore(pick(hours + 1) - pick(2))]);
    }
    const compare = () =>
      service.db.asSystem('metering', async (tx) => {
        for (const [from, to] of ranges) await assertEqualRange(tx, from, to);
      });
    await service.db.asSystem('metering', (tx) => sql`select fold_usage(80)`.execute(tx));
    await compare();
    await fold();
    await compare();
  });

  it('reads a year of a busy agency from a few of its spans', async () => {
    const { rows } = await service.db.asSystem('metering', (tx) =>
      sql<{
        span: string;
        count: number;
      }>`select span, round(extract(epoch from sum(ends - starts)) / 86400)::int as days, count(*)::int as count
        from usage_pieces('2025-01-01T00:00Z', '2025-12-31T23:00Z') group by 1 order by 1`.execute(tx),
    );
    assert.deepEqual(rows, [
      { span: 'hour', days: 0, count: 1 },
      { span: 'year', days: 365, count: 1 },
    ]);
  });
});

describe('usage by day', () => {
  it('has the same day for a client as for its agency where days begin at half past an hour', async () => {
    const { partnerId, clientId } = service.world;
    const day = new Date(Date.now() - 3 * 86_400_000).toISOString().slice(0, 10);
    const before = await service.db.asSystem('seed', async (tx) => {
      const { rows } = await sql<{ timezone: string }>`select timezone from partner where id = ${partnerId}`.execute(tx);
      await sql`update partner set timezone = 'Asia/Kolkata' where id = ${partnerId}`.execute(tx);
      // Ten past midnight there; the hour that it is counted in began the day before.
      await sql`insert into usage_entry (id, kind, partner_id, client_id, credits, at) values (${newId()}, 'ai_tokens', ${partnerId}, ${clientId}, -100000, ${`${day}T18:40:00Z`})`.execute(
        tx,
      );
      return rows[0]?.timezone ?? 'UTC';
    });
    const busiest = async (query: string) => {
      const { body } = await service.call('GET', `/metering/usage?groupBy=day${query}`, { as: 'owner' });
      return body.find(({ credits }: { credits: number }) => credits >= 100_000)?.key;
    };
    assert.deepEqual([await busiest(''), await busiest(`&clientId=${clientId}`)], [day, day]);
    await service.db.asSystem('seed', (tx) => sql`update partner set timezone = ${before} where id = ${partnerId}`.execute(tx));
  });
});

describe('usage by day, kind, client and agent', () => {
  it('is the same before and after the notes are folded, of one agency and of all', async () => {
    const read = async () => {
      const paths = ['day', 'kind', 'client', 'agent', 'partner'].map((groupBy) => `/metering/usage?groupBy=${groupBy}`);
      const all = await Promise.all(paths.map((path) => service.call('GET', path, { as: 'staff' })));
      const own = await Promise.all(paths.slice(0, 4).map((path) => service.call('GET', path, { as: 'owner' })));
      return [...all, ...own].map(({ status, body }) => [status, body]);
    };
    const noted = await read();
    assert.ok((await notesLeft()) > 0);
    await fold();
    assert.equal(await notesLeft(), 0);
    assert.deepEqual(await read(), noted);
  });
});
