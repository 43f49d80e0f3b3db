import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { startTestService, type TestService } from '@partner-portal/tests/harness/service.ts';
import { addWorkflow } from '@partner-portal/tests/harness/world.ts';
import { sql } from 'kysely';
import { newId } from '#platform/ids.ts';
import { metering } from '#modules/1-ledger/metering/index.ts';
import { sampleData } from './index.ts';

const PATH = '/partners/me/sample-data';
/** Tables that a past has rows in, and those of sums. */
const TABLES = ['execution', 'execution_payload', 'usage_entry', 'ai_call', 'conversation', 'conversation_message', 'sample_data'] as const;
const SUMS = ['workflow_hour', 'usage_hour', 'usage_span', 'agent_span', 'usage_delta'] as const;

let service: TestService;
let agents: { own: string; rival: string };
before(async () => {
  service = await startTestService({ modules: (platform) => [sampleData(platform), metering(platform)] });
  const { partnerId, clientId, rivalPartnerId, rivalClientId } = service.world;
  const add = (of: string, client: string) =>
    service.db.asSystem('seed', (tx) => addWorkflow(tx, { partnerId: of, clientId: client, templateName: 'missed-call-text-back' }));
  agents = { own: await add(partnerId, clientId), rival: await add(rivalPartnerId, rivalClientId) };
});
after(() => service.close());
beforeEach(() =>
  service.db.asSystem('seed', async (tx) => {
    for (const table of [...TABLES, ...SUMS, 'platform_hour', 'quota_period']) await sql`delete from ${sql.table(table)}`.execute(tx);
    await sql`update partner_quota set used = 0, chat_used = 0, period_start = now() - interval '10 days'`.execute(tx);
  }),
);

type Where = { partnerId: string; clientId: string; workflowId: string };
const own = (): Where => ({ partnerId: service.world.partnerId, clientId: service.world.clientId, workflowId: agents.own });
const rival = (): Where => ({ partnerId: service.world.rivalPartnerId, clientId: service.world.rivalClientId, workflowId: agents.rival });

/** Adds a run with its usage, and a conversation with a reply of the chatbot. */
async function happen({ partnerId, clientId, workflowId }: Where, hoursAgo: number): Promise<void> {
  await service.db.asSystem('seed', async (tx) => {
    const at = sql`date_trunc('hour', now()) - make_interval(hours => ${hoursAgo})`;
    const ids = await sql<{ run: string; call: string }>`select uuidv7(${at} - now()) as run, uuidv7(${at} - now()) as call`.execute(tx);
    const { run, call } = ids.rows[0] ?? { run: '', call: '' };
    await sql`insert into execution (id, partner_id, client_id, workflow_id, status, source, summary, template_version, credits_held, credits_charged, started_at, finished_at, due_at)
      values (${run}, ${partnerId}, ${clientId}, ${workflowId}, 'SUCCEEDED', 'ingest', 'Texted', 1, 2, 2, ${at}, ${at}, ${at})`.execute(tx);
    await sql`insert into execution_payload (id, partner_id, client_id, input) values (${run}, ${partnerId}, ${clientId}, '{}')`.execute(
      tx,
    );
    await sql`insert into usage_entry (id, kind, partner_id, client_id, workflow_id, execution_id, credits, at)
      values (${run}, 'run', ${partnerId}, ${clientId}, ${workflowId}, ${run}, -2, ${at})`.execute(tx);
    await sql`insert into usage_entry (id, kind, partner_id, client_id, credits, at) values (${call}, 'ai_tokens', ${partnerId}, ${clientId}, -1, ${at})`.execute(
      tx,
    );
    await sql`insert into ai_call (id, partner_id, client_id, purpose, provider, model, source_mode, status, expires_at)
      values (${call}, ${partnerId}, ${clientId}, 'chatbot', 'openai', 'gpt-4.1-mini', 'platform', 'settled', ${at})`.execute(tx);
    await sql`insert into workflow_hour (partner_id, workflow_id, client_id, hour, succeeded, credits, contacted, helped)
      values (${partnerId}, ${workflowId}, ${clientId}, ${at}, 1, 2, 1, 1)`.execute(tx);
    const bot = await sql<{
      id: string;
    }>`insert into chatbot (partner_id, client_id, name, greeting, provider, model) values (${partnerId}, ${clientId}, 'Olive', 'Hi', 'openai', 'gpt-4.1-mini')
      on conflict (client_id) do update set name = excluded.name returning id`.execute(tx);
    const talk = await sql<{
      id: string;
    }>`insert into conversation (partner_id, client_id, chatbot_id, visitor_label, started_at, last_message_at)
      values (${partnerId}, ${clientId}, ${bot.rows[0]?.id}, 'Visitor', ${at}, ${at}) returning id`.execute(tx);
    await sql`insert into conversation_message (id, partner_id, client_id, conversation_id, author, content, at)
      values (${newId()}, ${partnerId}, ${clientId}, ${talk.rows[0]?.id}, 'visitor', 'Hello', ${at})`.execute(tx);
    await sql`update partner_quota set used = used + 3, chat_used = chat_used + 1 where partner_id = ${partnerId}`.execute(tx);
    await sql`update workflow set last_run_at = greatest(last_run_at, ${at}) where id = ${workflowId}`.execute(tx);
    await sql`select fold_usage(1000000)`.execute(tx);
  });
}

/** `endsIn`: hours from now to the end of the record; the agency is as old as `hoursOld`. */
async function mark(partnerId: string, { endsIn, hoursOld }: { endsIn: number; hoursOld: number }): Promise<void> {
  await service.db.asSystem('seed', async (tx) => {
    const hour = sql`date_trunc('hour', now(), 'UTC')`;
    await sql`update partner set created_at = ${hour} - make_interval(hours => ${hoursOld}) + interval '1 minute' where id = ${partnerId}`.execute(
      tx,
    );
    await sql`insert into sample_data (partner_id, begins_at, ends_at) values (${partnerId}, ${hour} - interval '100 days', ${hour} + make_interval(hours => ${endsIn}))`.execute(
      tx,
    );
  });
}

async function count(tables: readonly string[], partnerId: string): Promise<Record<string, number>> {
  return service.db.asSystem('seed', async (tx) => {
    const found: Record<string, number> = {};
    for (const table of tables)
      found[table] =
        (await sql<{ n: number }>`select count(*)::int as n from ${sql.table(table)} where partner_id = ${partnerId}`.execute(tx)).rows[0]
          ?.n ?? -1;
    return found;
  });
}
/** Each sum over all rows of its table. */
async function sums(partnerId: string): Promise<Record<string, number>> {
  return service.db.asSystem('seed', async (tx) => {
    const found: Record<string, number> = {};
    for (const table of ['workflow_hour', 'usage_hour', 'agent_span', 'usage_span'])
      found[table] = Number(
        (
          await sql<{ n: string }>`select coalesce(sum(credits), 0) as n from ${sql.table(table)} where partner_id = ${partnerId}`.execute(
            tx,
          )
        ).rows[0]?.n,
      );
    found['platform_hour'] = Number(
      (await sql<{ n: string }>`select coalesce(sum(credits), 0) as n from platform_hour`.execute(tx)).rows[0]?.n,
    );
    found['used'] =
      (await sql<{ used: number }>`select used from partner_quota where partner_id = ${partnerId}`.execute(tx)).rows[0]?.used ?? -1;
    return found;
  });
}
const remove = (as: 'owner' | 'rivalOwner' = 'owner') => service.call('DELETE', PATH, { as });

describe('sample data', () => {
  it('is removed by an admin of its agency alone, and once', async () => {
    await happen(own(), 30);
    await mark(service.world.partnerId, { endsIn: -2, hoursOld: 1 });
    await service.assertRefused('DELETE', PATH, {
      moderator: 'partner_role_forbidden',
      clientUser: 'role_forbidden',
      staff: 'role_forbidden',
      rivalOwner: 'not_found',
      rivalClientUser: 'role_forbidden',
    });
    assert.equal((await count(TABLES, service.world.partnerId))['execution'], 1);
    const removed = await remove();
    assert.deepEqual([removed.status, removed.body], [200, { runs: 1, conversations: 1 }]);
    assert.deepEqual([(await remove()).status, (await remove()).body.code], [404, 'not_found']);
    const [entry] = await service.db.asSystem('seed', (tx) =>
      tx
        .selectFrom('auditEntry')
        .select(['action', 'partnerId', 'changes'])
        .where('action', '=', 'sample_data.removed')
        .where('result', '=', 'ok')
        .execute(),
    );
    assert.deepEqual([entry?.partnerId, entry?.changes], [service.world.partnerId, { runs: [1, 0], conversations: [1, 0] }]);
  });

  it('goes without a trace when nothing else has happened: no row and no part of a sum is left', async () => {
    for (const hoursAgo of [30, 200, 900, 2_000]) await happen(own(), hoursAgo);
    await mark(service.world.partnerId, { endsIn: -2, hoursOld: 1 });
    assert.deepEqual((await remove()).body, { runs: 4, conversations: 4 });
    for (const [table, rows] of Object.entries(await count([...TABLES, ...SUMS], service.world.partnerId))) assert.equal(rows, 0, table);
    const left = await sums(service.world.partnerId);
    // Those of more than ten days ago are of earlier periods.
    assert.deepEqual([left['platform_hour'], left['used']], [0, 4 * 3 - 2 * 3]);
  });

  it('leaves what has happened since, and all of other agencies, with their sums', async () => {
    await happen(own(), 0);
    await happen(rival(), 30);
    const before = {
      own: await count(TABLES, service.world.partnerId),
      rival: await count([...TABLES, ...SUMS], service.world.rivalPartnerId),
    };
    const sumsBefore = { own: await sums(service.world.partnerId), rival: await sums(service.world.rivalPartnerId) };
    await happen(own(), 30);
    await happen(own(), 60);
    await mark(service.world.partnerId, { endsIn: -2, hoursOld: 1 });
    assert.deepEqual((await remove()).body, { runs: 2, conversations: 2 });
    assert.deepEqual(await count(TABLES, service.world.partnerId), before.own);
    assert.deepEqual(await count([...TABLES, ...SUMS], service.world.rivalPartnerId), before.rival);
    assert.deepEqual(await sums(service.world.partnerId), sumsBefore.own);
    assert.deepEqual(await sums(service.world.rivalPartnerId), sumsBefore.rival);
  });

  it('reaches nothing since the agency was created, even where its record says so', async () => {
    await happen(own(), 3);
    await happen(own(), 30);
    await mark(service.world.partnerId, { endsIn: 1_000, hoursOld: 10 });
    assert.deepEqual((await remove()).body, { runs: 1, conversations: 1 });
    const left = await count(TABLES, service.world.partnerId);
    assert.deepEqual([left['execution'], left['conversation'], left['usage_entry'], left['sample_data']], [1, 1, 2, 0]);
  });

  it('is no one’s without a record: an agency with runs from before it was created keeps them', async () => {
    await happen(own(), 30);
    assert.equal((await remove()).status, 404);
    assert.equal((await count(TABLES, service.world.partnerId))['execution'], 1);
  });

  it('cannot be marked by a tenant', async () => {
    const { partnerId } = service.world;
    const at = new Date(Date.UTC(2026, 0, 1));
    const asTenant = (write: Parameters<typeof service.db.asTenant<unknown>>[1]): Promise<unknown> =>
      service.db.asTenant<unknown>({ kind: 'tenant', partnerId, clientId: null }, write);
    await assert.rejects(
      asTenant((tx) =>
        tx
          .insertInto('sampleData')
          .values({ partnerId, beginsAt: new Date(0), endsAt: at })
          .execute(),
      ),
      /permission denied/,
    );
    await assert.rejects(
      asTenant((tx) => tx.updateTable('sampleData').set({ endsAt: at }).execute()),
      /permission denied/,
    );
  });
});
