import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { LIMITS } from '@partner-portal/contract/vocabulary.ts';
import { CALL, type ExecutionService, startExecutionService } from '@partner-portal/tests/harness/executions.ts';
import { addPartner, addWorkflow } from '@partner-portal/tests/harness/world.ts';

/** How large events may be, and how many runs may fail free, on every way in. */

const FREE = 3;
let service: ExecutionService;
let workflowId: string;

before(async () => {
  service = await startExecutionService({ failedRunsFree: FREE });
  workflowId = await service.addAgent();
});
after(() => service.close());

/** An event whose JSON has exactly this many bytes, as a forwarded e-mail does: one long text. */
function eventOf(bytes: number): Record<string, string> {
  const event = { ...CALL, message: '' };
  return { ...event, message: 'é'.repeat(10).padEnd(bytes - JSON.stringify(event).length - 10, 'x') };
}

const post = (path: string, body: unknown) => service.call('POST', path, { as: 'owner', body });
const statusOf = async (executionId: string): Promise<string | undefined> =>
  (await service.query<{ status: string }>('select status from execution where id = $1', [executionId]))[0]?.status;

/** An agency of its own; its runs are started, dispatched and reported as failed. */
async function agency(slug: string, credits = 40) {
  const { partnerId, agent } = await service.db.asSystem('seed', async (tx) => {
    const id = await addPartner(tx, { name: slug, slug, planId: service.world.planId, credits });
    return { partnerId: id, agent: await addWorkflow(tx, { partnerId: id, clientId: null, templateName: 'missed-call-text-back' }) };
  });
  const start = async (): Promise<string> => {
    const reply = await service.ingest(agent, CALL);
    assert.equal(reply.status, 202, JSON.stringify(reply.body));
    return reply.body.executionId;
  };
  const fail = async (executionId: string, report: Record<string, unknown> = {}): Promise<void> => {
    while ((await service.executions.dispatcher.runOnce()) > 0);
    const reply = await service.report(executionId, { status: 'FAILED', error: { message: 'no' }, ...report });
    assert.deepEqual(reply.body, { applied: true });
  };
  return { partnerId, workflowId: agent, start, fail };
}

describe('an event', () => {
  it('of 256 KiB is accepted with its tokens, by trigger and as the changed input of a rerun', async () => {
    const atIngest = await service.ingest(workflowId, undefined, { rawBody: JSON.stringify(eventOf(LIMITS.eventBytesMax)) });
    assert.equal(atIngest.status, 202);
    const wrapped = eventOf(LIMITS.eventBytesMax - '{"input":}'.length);
    assert.equal((await post(`/workflows/${workflowId}/trigger`, { input: wrapped })).status, 202);
    await service.query("update execution set status = 'FAILED' where id = $1", [atIngest.body.executionId]);
    assert.equal((await post(`/executions/${atIngest.body.executionId}/rerun`, { input: wrapped })).status, 202);
    assert.equal((await post(`/executions/${atIngest.body.executionId}/rerun`, {})).status, 202);
  });

  it('that is larger is 413 with the limit on each of these ways, and stored nowhere', async () => {
    const [original] = await service.query<{ id: string }>("select id from execution where status = 'FAILED' limit 1");
    const before = await service.query('select id from execution');
    const replies = [
      await service.ingest(workflowId, undefined, { rawBody: JSON.stringify(eventOf(LIMITS.eventBytesMax + 1)) }),
      await service.ingest(workflowId, undefined, {
        rawBody: JSON.stringify(eventOf(LIMITS.eventBytesMax + 1)),
        headers: { origin: 'https://elsewhere.example' },
      }),
      await post(`/workflows/${workflowId}/trigger`, { input: eventOf(LIMITS.eventBytesMax) }),
      await post(`/executions/${original?.id}/rerun`, { input: eventOf(LIMITS.eventBytesMax) }),
    ];
    for (const reply of replies)
      assert.deepEqual([reply.status, reply.body.code, reply.body.limitBytes], [413, 'too_large', LIMITS.eventBytesMax]);
    assert.equal((await service.query('select id from execution')).length, before.length);
  });

  it('that is larger only as stored JSON, such as a form of many quotes, is 413 too', async () => {
    const rawBody = `callerNumber=%2B13125550121&businessNumber=%2B13125550100&note=${'"'.repeat(200_000)}`;
    assert.ok(rawBody.length < LIMITS.eventBytesMax);
    const reply = await service.ingest(workflowId, undefined, {
      rawBody,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    assert.deepEqual([reply.status, reply.body.limitBytes], [413, LIMITS.eventBytesMax]);
  });

  it('is logged with its beginning, masked', async () => {
    const agent = await service.addAgent({ templateName: 'lead-intake-cleaner' });
    const text = 'call +13125550121 or write ada@example.com, please. '.repeat(5_000);
    assert.equal((await service.ingest(agent, { message: text })).status, 202);
    const [logged] = await service.query<{ body_preview: string }>(
      'select p.body_preview from execution_payload p join execution e on e.id = p.id where e.workflow_id = $1',
      [agent],
    );
    assert.ok((logged?.body_preview.length ?? 0) > 1_000);
    assert.doesNotMatch(logged?.body_preview ?? '', /3125550121|ada@/);
  });
});

describe('large events of one agency that cannot be stored yet', () => {
  it('are held up to its share of bytes; more are 503 with a wait, and all that were held are stored', async () => {
    const { partnerId, workflowId: agent } = await agency('large', 1_000);
    const locked = Promise.withResolvers<undefined>();
    const proceed = Promise.withResolvers<undefined>();
    const holding = service.db.asSystem('seed', async (tx) => {
      await tx.selectFrom('partnerQuota').select('partnerId').where('partnerId', '=', partnerId).forUpdate().execute();
      locked.resolve(undefined);
      await proceed.promise;
    });
    await locked.promise;
    const rawBody = JSON.stringify(eventOf(LIMITS.eventBytesMax));
    const refused = Promise.withResolvers<undefined>();
    let busy = 0;
    const replies = Array.from({ length: 40 }, async () => {
      const reply = await service.ingest(agent, undefined, { rawBody });
      if (reply.status === 503 && (busy += 1) === 8) refused.resolve(undefined);
      return reply;
    });
    await refused.promise;
    proceed.resolve(undefined);
    await holding;
    const all = await Promise.all(replies);
    const last = all.filter((reply) => reply.status === 503);
    assert.deepEqual([all.filter((reply) => reply.status === 202).length, last.length], [32, 8]);
    assert.deepEqual([last[0]?.body.code, last[0]?.headers['retry-after']], ['service_unavailable', '1']);
    assert.equal((await service.ingest(agent, undefined, { rawBody })).status, 202);
  });
});

describe('runs that fail', () => {
  it('are free until as many as a day allows have failed; then events are refused until midnight UTC, and logged', async () => {
    const { partnerId, workflowId: agent, start, fail } = await agency('failing');
    for (let run = 0; run < FREE; run += 1) await fail(await start());
    const refused = await service.ingest(agent, CALL);
    assert.deepEqual([refused.status, refused.body.code], [429, 'rate_limited']);
    assert.match(refused.body.detail, /^3 runs of this account failed today/);
    const wait = Number(refused.headers['retry-after']);
    assert.ok(wait > 0 && wait <= 86_400 && refused.body.retryAfterSeconds === wait);
    const [logged] = await service.query('select outcome, reason, status from inbound_event where workflow_id = $1', [agent]);
    assert.deepEqual(logged, { outcome: 'refused', reason: 'failures_exceeded', status: 429 });
    await service.query('update partner_quota set failed_on = failed_on - 1 where partner_id = $1', [partnerId]);
    assert.equal((await service.ingest(agent, CALL)).status, 202, 'the next day');
    const [quota] = await service.query('select used, in_flight from partner_quota where partner_id = $1', [partnerId]);
    assert.deepEqual(quota, { used: 0, in_flight: 1 });
  });

  it('are counted once each, however many end at the same time; runs in progress and other agencies are not touched', async () => {
    const { partnerId, start, fail } = await agency('parallel');
    const running = await Promise.all(Array.from({ length: 8 }, () => start()));
    while ((await service.executions.dispatcher.runOnce()) > 0);
    await Promise.all(running.map((id) => fail(id)));
    const again = running.map((id) => service.report(id, { status: 'FAILED', error: { message: 'no' } }));
    assert.ok((await Promise.all(again)).every((reply) => reply.body.applied === false));
    const [quota] = await service.query('select failed_free from partner_quota where partner_id = $1', [partnerId]);
    assert.deepEqual(quota, { failed_free: 8 });
    const other = await agency('calm');
    assert.equal(await statusOf(await other.start()), 'RUNNING');
  });

  it('do not count when they succeed, were paid for, or ended because of the platform', async () => {
    const { partnerId, workflowId: agent, start, fail } = await agency('mixed');
    await service.query(
      "insert into engine_connection (partner_id, provider, external_id, project_id, source_mode) values ($1, 'openai', 'x', 'x', 'platform')",
      [partnerId],
    );
    await fail(await start(), { status: 'SUCCEEDED', output: {} });
    await fail(await start(), { usage: { provider: 'openai', inputTokens: 5_000, outputTokens: 0 } });
    service.engine.answer = () => 'refused';
    const refused = await start();
    while ((await service.executions.dispatcher.runOnce()) > 0);
    service.engine.answer = () => 'accepted';
    assert.equal(await statusOf(refused), 'FAILED');
    const [quota] = await service.query('select failed_free from partner_quota where partner_id = $1', [partnerId]);
    assert.deepEqual(quota, { failed_free: 0 });
    assert.equal((await service.ingest(agent, CALL)).status, 202);
  });

  it('may be as many as two average days of a larger plan', async () => {
    const { start, fail } = await agency('larger', 60);
    for (let run = 0; run < FREE + 1; run += 1) await fail(await start());
    await assert.rejects(start(), /429|rate_limited/);
  });
});
