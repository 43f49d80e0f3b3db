import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startTestService, type TestService } from '@partner-portal/tests/harness/service.ts';
import { addWorkflow } from '@partner-portal/tests/harness/world.ts';
import { sql } from 'kysely';
import { newId } from '#platform/ids.ts';
import { metering } from './index.ts';

let service: TestService;
let workflowId: string;
let rivalWorkflowId: string;

before(async () => {
  service = await startTestService({ modules: ({ db, cursors, clock }) => [metering({ db, cursors, clock })] });
  const { partnerId, clientId, otherClientId, rivalPartnerId, rivalClientId } = service.world;
  await service.db.asSystem('seed', async (tx) => {
    workflowId = await addWorkflow(tx, { partnerId, clientId, templateName: 'missed-call-text-back' });
    rivalWorkflowId = await addWorkflow(tx, { partnerId: rivalPartnerId, clientId: rivalClientId, templateName: 'missed-call-text-back' });
    for (let run = 0; run < 5; run++) {
      const id = newId();
      const row = { id, partnerId, clientId: run < 3 ? clientId : otherClientId, workflowId, executionId: id, kind: 'run', credits: -2 };
      await tx.insertInto('usageEntry').values(row).execute();
      if (run === 0)
        await tx
          .insertInto('usageEntry')
          .values({ ...row, kind: 'ai_tokens', credits: -7 })
          .execute();
    }
    const rival = newId();
    await tx
      .insertInto('usageEntry')
      .values({
        id: rival,
        partnerId: rivalPartnerId,
        clientId: rivalClientId,
        workflowId: rivalWorkflowId,
        executionId: rival,
        kind: 'run',
        credits: -1,
      })
      .execute();
    const hour = new Date(Math.floor(Date.now() / 3_600_000) * 3_600_000);
    await tx.insertInto('workflowHour').values({ partnerId, workflowId, clientId, hour, succeeded: 3, failed: 1, credits: 13 }).execute();
    await tx
      .insertInto('workflowHour')
      .values({ partnerId: rivalPartnerId, workflowId: rivalWorkflowId, clientId: rivalClientId, hour, succeeded: 1, credits: 1 })
      .execute();
    await sql`update partner_quota set used = 17, in_flight = 3 where partner_id = ${partnerId}`.execute(tx);
  });
});
after(() => service.close());

describe('the quota', () => {
  it('counts credits in flight as used', async () => {
    const { status, body } = await service.call('GET', '/metering/quota', { as: 'owner' });
    assert.equal(status, 200);
    assert.deepEqual([body.used, body.inFlight, body.limit, body.remaining], [17, 3, 10_000, 9_980]);
    assert.equal((await service.call('GET', '/metering/quota', { as: 'moderator' })).body.used, 17);
  });

  it('can be read for a partner by staff only, and is 404 for an unknown one', async () => {
    const path = `/metering/quota?partnerId=${service.world.rivalPartnerId}`;
    assert.equal((await service.call('GET', path, { as: 'staff' })).body.used, 0);
    await service.assertRefused('GET', path, { owner: 'scope_forbidden', moderator: 'scope_forbidden', clientUser: 'role_forbidden' });
    assert.equal(
      (await service.call('GET', '/metering/quota?partnerId=019a0000-0000-7000-8000-000000000000', { as: 'staff' })).status,
      404,
    );
  });

  it('ends with a trial or a cancelled subscription that ends within the period', async () => {
    const { partnerId } = service.world;
    const read = async (change: string): Promise<unknown> => {
      await service.database.query(`update subscription set ${change} where partner_id = $1`, [partnerId]);
      return (await service.call('GET', '/metering/quota', { as: 'owner' })).body;
    };
    const plain = (await read("status = 'active'")) as { resetsAt: string; endsAt: null };
    assert.equal(plain.endsAt, null);
    const soon = new Date(Date.now() + 60_000).toISOString();
    const endsAt = async (change: string) => ((await read(change)) as { endsAt: string | null }).endsAt;
    assert.equal(await endsAt(`status = 'trialing', trial_ends_at = '${soon}'`), soon);
    assert.equal(await endsAt("trial_ends_at = now() + interval '70 days'"), null);
    // The end of a trial that became a subscription means nothing.
    assert.equal(await endsAt(`status = 'active', trial_ends_at = '${soon}'`), null);
    assert.equal(await endsAt(`cancel_at = '${plain.resetsAt}'`), plain.resetsAt);
    assert.equal(await endsAt('cancel_at = null, trial_ends_at = null'), null);
  });

  it('starts a new period when one has ended, and carries over purchased credits less what the month used of them', async () => {
    await service.db.asSystem('seed', (tx) =>
      sql`update partner_quota set used = 10_400, purchased_credits = 1_000, highest_threshold = 100, in_flight = 0,
        period_start = now() - interval '40 days', period_end = now() - interval '10 days' where partner_id = ${service.world.rivalPartnerId}`.execute(
        tx,
      ),
    );
    const { body } = await service.call('GET', '/metering/quota', { as: 'rivalOwner' });
    assert.deepEqual([body.used, body.monthly, body.purchased, body.limit], [0, 10_000, 600, 10_600]);
    // What the period took of them is in the ledger, and not used once more.
    const usage = async (groupBy: string): Promise<[string, number][]> =>
      (await service.call('GET', `/metering/usage?groupBy=${groupBy}`, { as: 'rivalOwner' })).body.map(
        ({ key, credits }: { key: string; credits: number }) => [key, credits],
      );
    assert.deepEqual(await usage('kind'), [
      ['adjustment', 400],
      ['run', 1],
    ]);
    assert.deepEqual(
      (await usage('client')).map(([, credits]) => credits),
      [1],
    );
    assert.ok(Date.parse(body.periodStart) <= Date.now() && Date.parse(body.resetsAt) > Date.now());
  });
});

describe('the ledger', () => {
  it('pages through every entry once, a run and its tokens included, and never shows another partner', async () => {
    const seen: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page = await service.call('GET', `/metering/ledger?limit=2&cursor=${cursor}`, { as: 'owner' });
      seen.push(
        ...page.body.data.map((entry: { id: string; kind: string; partnerId: string }) => `${entry.partnerId}/${entry.id}/${entry.kind}`),
      );
      cursor = page.body.nextCursor;
    }
    assert.equal(seen.length, 6);
    assert.equal(new Set(seen).size, 6);
    assert.ok(seen.every((key) => key.startsWith(service.world.partnerId)));
  });

  it('exports the same entries as CSV', async () => {
    const { text, headers } = await service.call('GET', '/metering/ledger/export.csv?kind=run', { as: 'owner' });
    assert.match(String(headers['content-type']), /text\/csv/);
    const lines = text.trim().split('\r\n');
    assert.equal(lines.length, 6);
    const shown = (await service.call('GET', '/metering/ledger?kind=run&limit=100', { as: 'owner' })).body.data;
    const columns = lines.map((line) => line.split(',')).map((cells) => [cells[0]?.replace('\uFEFF', ''), cells.at(-1)]);
    assert.deepEqual(columns, [['Time', 'Began'], ...shown.map((entry: { at: string; beganAt: string }) => [entry.at, entry.beganAt])]);
    await service.assertRefused('GET', '/metering/ledger/export.csv', { clientUser: 'role_forbidden' });
    await service.assertRefused('GET', '/metering/ledger', { clientUser: 'role_forbidden' });
  });
});

describe('usage', () => {
  it('groups by day, client, agent and kind', async () => {
    const by = async (groupBy: string, as: 'owner' | 'clientUser' = 'owner') =>
      (await service.call('GET', `/metering/usage?groupBy=${groupBy}`, { as })).body;
    const day = await by('day');
    assert.deepEqual(
      day.map(({ credits, runs, failed }: { credits: number; runs: number; failed: number }) => ({ credits, runs, failed })),
      [{ credits: 13, runs: 4, failed: 1 }],
    );
    assert.deepEqual(
      (await by('client')).map((row: { label: string }) => row.label),
      ['Oak Street Dental'],
    );
    assert.deepEqual(
      (await by('agent')).map((row: { key: string }) => row.key),
      [workflowId],
    );
    assert.deepEqual(
      (await by('kind')).map((row: { key: string; credits: number }) => [row.key, row.credits]),
      [
        ['run', 10],
        ['ai_tokens', 7],
      ],
    );
  });

  it('groups by partner for staff only', async () => {
    const path = '/metering/usage?groupBy=partner';
    const { partnerId, rivalPartnerId } = service.world;
    const all = (await service.call('GET', path, { as: 'staff' })).body as {
      key: string;
      label: string;
      credits: number;
      failed: number;
    }[];
    assert.deepEqual(
      all.map(({ key, credits, failed }) => [key, credits, failed]),
      [
        [partnerId, 13, 1],
        [rivalPartnerId, 1, 0],
      ],
    );
    assert.ok(all.every(({ label }) => label.length > 0));
    const one = (await service.call('GET', `${path}&partnerId=${rivalPartnerId}`, { as: 'staff' })).body as { key: string }[];
    assert.deepEqual(
      one.map(({ key }) => key),
      [rivalPartnerId],
    );
    await service.assertRefused('GET', path, { owner: 'scope_forbidden', moderator: 'scope_forbidden', clientUser: 'scope_forbidden' });
  });

  it('by agent lists the thousand with the most credits, of its own agency alone', async () => {
    const { rivalPartnerId } = service.world;
    const of = async (as: 'owner' | 'rivalOwner') =>
      (await service.call('GET', '/metering/usage?groupBy=agent&from=2024-03-01T00:00:00Z&to=2024-04-01T00:00:00Z', { as })).body as {
        credits: number;
      }[];
    await service.db.asSystem('seed', (tx) =>
      sql`insert into workflow_hour (partner_id, workflow_id, hour, credits) select ${rivalPartnerId}, uuidv7(), '2024-03-05T10:00Z', n from generate_series(1, 1001) n`.execute(
        tx,
      ),
    );
    const listed = (await of('rivalOwner')).map(({ credits }) => credits);
    assert.deepEqual([listed.length, listed[0], listed.at(-1)], [1_000, 1_001, 2]);
    assert.deepEqual(await of('owner'), []);
  });

  it('shows a client only its own executions, with their AI tokens by each way', async () => {
    const { partnerId, clientId } = service.world;
    const values = { id: newId(), partnerId, clientId, kind: 'ai_tokens', credits: -9 };
    await service.db.asSystem('seed', (tx) => tx.insertInto('usageEntry').values(values).execute());
    const by = async (groupBy: string) =>
      (await service.call('GET', `/metering/usage?groupBy=${groupBy}`, { as: 'clientUser' })).body.map(
        (row: { key: string; credits: number }) => [row.key, row.credits],
      );
    assert.deepEqual(await by('kind'), [
      ['ai_tokens', 7],
      ['run', 6],
    ]);
    assert.deepEqual(await by('agent'), [[workflowId, 13]]);
    await service.db.asSystem('seed', (tx) => tx.deleteFrom('usageEntry').where('id', '=', values.id).execute());
    const other = await service.call('GET', '/metering/usage?groupBy=day', { as: 'otherClientUser' });
    assert.deepEqual(other.body, []);
  });

  it('can be narrowed to one client; a foreign one is 404', async () => {
    const { clientId, otherClientId, rivalClientId } = service.world;
    const of = (id: string) => service.call('GET', `/metering/usage?groupBy=kind&clientId=${id}`, { as: 'owner' });
    assert.deepEqual(
      (await of(clientId)).body.map((row: { key: string; credits: number }) => [row.key, row.credits]),
      [
        ['ai_tokens', 7],
        ['run', 6],
      ],
    );
    assert.deepEqual(
      (await of(otherClientId)).body.map((row: { credits: number }) => row.credits),
      [4],
    );
    assert.equal((await of(rivalClientId)).status, 404);
    assert.equal((await service.call('GET', `/metering/usage?clientId=${otherClientId}`, { as: 'clientUser' })).status, 404);
  });

  it('refuses a window that ends before it starts', async () => {
    const { status, body } = await service.call('GET', '/metering/usage?from=2026-02-01T00:00:00Z&to=2026-01-01T00:00:00Z', {
      as: 'owner',
    });
    assert.deepEqual([status, body.code], [400, 'invalid_query']);
  });
});

describe('an entry of a run that waited for a day and went on for another', () => {
  it('is in the ledger and in the usage of the hour in which it was charged, not of that in which it arrived', async () => {
    const { rivalPartnerId: partnerId, rivalClientId: clientId } = service.world;
    const at = new Date(Math.floor(Date.now() / 3_600_000) * 3_600_000 - 50 * 86_400_000);
    await service.db.asSystem('seed', (tx) =>
      sql`insert into usage_entry (id, kind, partner_id, client_id, credits, at) select uuid_floor(${at}::timestamptz - interval '60 hours'), 'grant', ${partnerId}, ${clientId}, 5, ${at}`.execute(
        tx,
      ),
    );
    const range = `from=${at.toISOString()}&to=${new Date(at.getTime() + 3_600_000).toISOString()}`;
    const ledger = await service.call('GET', `/metering/ledger?${range}`, { as: 'rivalOwner' });
    assert.deepEqual(
      ledger.body.data.map(({ kind, credits }: { kind: string; credits: number }) => [kind, credits]),
      [['grant', 5]],
    );
    for (const query of ['', `&clientId=${clientId}`]) {
      const usage = await service.call('GET', `/metering/usage?groupBy=kind&${range}${query}`, { as: 'rivalOwner' });
      assert.deepEqual(
        usage.body.map(({ key, credits }: { key: string; credits: number }) => [key, credits]),
        [['grant', -5]],
      );
    }
  });
});
