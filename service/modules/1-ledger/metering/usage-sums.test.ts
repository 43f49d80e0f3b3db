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

/** What the sums stand for, added up anew. */
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
    await foldUsage(service, { signal });
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
      await foldUsage(service, { signal });
      await assertEqualSums();
    } finally {
      mayCommit.resolve();
      await open;
    }
    await assertEqualSums();
    await foldUsage(service, { signal });
    await assertEqualSums();
  });

  it('are exact while what was used before them is still to be added, and afterwards', async () => {
    const { partnerId } = service.world;
    await service.db.asSystem('seed', async (tx) => {
      await sql`delete from usage_delta`.execute(tx);
      await sql`delete from usage_hour`.execute(tx);
      await sql`delete from platform_hour`.execute(tx);
      await sql`insert into usage_fill select id from partner where not is_house`.execute(tx);
    });
    await assertEqualSums();
    const pick = spread(5);
    await service.db.asSystem('seed', async (tx) => {
      for (let n = 0; n < 5; n += 1) await count(tx, pick);
      await enter(tx, pick);
      // Nothing is taken of an agency that is still to be filled.
      await sql`select fold_usage(1000)`.execute(tx);
    });
    await assertEqualSums();
    await service.db.asSystem('metering', (tx) => sql`select fill_usage()`.execute(tx));
    await assertEqualSums();
    await foldUsage(service, { signal });
    await assertEqualSums();
    const { rows } = await service.db.asSystem('metering', (tx) => sql`select 1 from usage_fill`.execute(tx));
    assert.deepEqual([rows.length, await notesLeft()], [0, 0]);
    assert.ok((await service.db.asSystem('metering', (tx) => summed(tx, partnerId))).length > 5);
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
      sql`select partner_id from usage_hour union all select partner_id from usage_delta union all select partner_id from usage_fill`.execute(
        tx,
      ),
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

describe('usage by day and by kind', () => {
  it('is the same before and after the notes are folded, of one agency and of all', async () => {
    const read = async () => {
      const paths = ['day', 'kind', 'partner'].map((groupBy) => `/metering/usage?groupBy=${groupBy}`);
      const all = await Promise.all(paths.map((path) => service.call('GET', path, { as: 'staff' })));
      const own = await Promise.all(paths.slice(0, 2).map((path) => service.call('GET', path, { as: 'owner' })));
      return [...all, ...own].map(({ status, body }) => [status, body]);
    };
    const noted = await read();
    assert.ok((await notesLeft()) > 0);
    await foldUsage(service, { signal });
    assert.equal(await notesLeft(), 0);
    assert.deepEqual(await read(), noted);
  });
});
