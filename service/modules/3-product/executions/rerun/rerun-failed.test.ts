import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { LIMITS } from '@partner-portal/contract/vocabulary.ts';
import { callbackToken } from '@partner-portal/core/execution/token.ts';
import { CALL, type ExecutionService, startExecutionService } from '@partner-portal/tests/harness/executions.ts';
import { addPartner, addWorkflow } from '@partner-portal/tests/harness/world.ts';
import { newId } from '#platform/ids.ts';
import { createRunner, type JobRunner } from '#platform/jobs/runner.ts';

/** Failed runs that are rerun together: each once, a portion at a time. */

let service: ExecutionService;
let runner: JobRunner;
before(async () => {
  service = await startExecutionService();
  const { jobs, crons } = service.executions;
  runner = createRunner({ address: service.database.configFor('portal_queue'), log: service.log, jobs, crons });
});
after(async () => {
  await runner.stop(0);
  await service.close();
});

const from = new Date(Date.now() - 3_600_000).toISOString();
const to = new Date(Date.now() + 3_600_000).toISOString();
const rerun = (workflowId: string) =>
  service.call('POST', '/executions/rerun', { as: 'owner', body: { workflowId, status: 'FAILED', from, to } });
const listed = async (workflowId: string) =>
  (await service.call('GET', '/executions/reruns', { as: 'owner' })).body.find(
    (one: { workflowId: string }) => one.workflowId === workflowId,
  );
const progress = async (workflowId: string) => {
  const { total, started, refused, refusal, finishedAt } = await listed(workflowId);
  return { total, started, refused, refusal, isFinished: finishedAt !== null };
};

const largeEvent = { ...CALL, message: 'x'.repeat(LIMITS.eventBytesMax - 100) };

async function addFailed(agent: string, count: number, input: unknown, partnerId = service.world.partnerId): Promise<string[]> {
  const ids = Array.from({ length: count }, () => newId());
  await service.query(
    `insert into execution (id, partner_id, workflow_id, status, source, summary, template_version, credits_held, due_at, finished_at)
       select unnest($1::uuid[]), $2, $3, 'FAILED', 'ingest', 'x', 1, 1, now(), now()`,
    [ids, partnerId, agent],
  );
  await service.query('insert into execution_payload (id, partner_id, input) select unnest($1::uuid[]), $2, $3', [
    ids,
    partnerId,
    JSON.stringify(input),
  ]);
  return ids.toSorted();
}

const addAgent = (templateName = 'missed-call-text-back') => service.addAgent({ clientId: null, templateName });
const agency = (slug: string, credits: number) =>
  service.db.asSystem('seed', async (tx) => {
    const partnerId = await addPartner(tx, { name: slug, slug, planId: service.world.planId, credits });
    return { partnerId, agent: await addWorkflow(tx, { partnerId, clientId: null, templateName: 'missed-call-text-back' }) };
  });
const rerunsOf = async (ids: readonly string[]): Promise<string[]> =>
  (await service.query<{ id: string }>('select rerun_of as id from execution where rerun_of = any($1) order by 1', [ids])).map(
    ({ id }) => id,
  );

/** Removes the agent under test from the next test's way: one agent of a template per client. */
const forget = (agent: string) => service.query('update workflow set client_id = null, template_name = $2 where id = $1', [agent, newId()]);

describe('a rerun of many', () => {
  it('answers after its first portion; the job starts the rest, two of the largest events at a time, each once', async () => {
    const agent = await addAgent();
    const ids = await addFailed(agent, 9, largeEvent);
    const reads: number[] = [];
    const stop = service.db.onStatement(({ kind, name }) => void (kind === 'query' && name === 'reruns_list_portion' && reads.push(1)));
    const reply = await rerun(agent);
    assert.deepEqual([reply.status, reply.body], [202, { count: 9 }]);
    assert.deepEqual(await rerunsOf(ids), ids.slice(0, 2), 'the oldest two have started');
    assert.deepEqual(await progress(agent), { total: 9, started: 2, refused: 0, refusal: null, isFinished: false });
    assert.deepEqual((await rerun(agent)).body, { count: 0 }, 'a second click');
    await runner.drain();
    stop();
    assert.deepEqual(await rerunsOf(ids), ids);
    assert.deepEqual(await progress(agent), { total: 9, started: 9, refused: 0, refusal: null, isFinished: true });
    assert.deepEqual((await rerun(agent)).body, { count: 0 });
    const audited = await service.query<{ of: string }>(
      `select changes->'rerunOf'->>1 as of from audit_entry where action = 'execution.rerun_many' and changes->'rerunOf'->>1 = any($1) order by 1`,
      [ids],
    );
    assert.deepEqual(
      audited.map((entry) => entry.of),
      ids,
    );
    await forget(agent);
  });

  it('leaves out a run that has succeeded since, and says so, alone and with others', async () => {
    const agent = await addAgent();
    const ids = await addFailed(agent, 12, CALL);
    await service.query("update execution set error_code = 'timeout' where id = any($1)", [ids]);
    assert.deepEqual((await rerun(agent)).body, { count: 12 });
    assert.deepEqual(await rerunsOf(ids), ids.slice(0, 8));
    const last = ids[11] ?? '';
    const late = await service.call('POST', '/executions/webhook', {
      body: { executionId: last, workflowId: agent, status: 'SUCCEEDED', output: {} },
      headers: { 'x-callback-token': callbackToken(service.callbackSecret.reveal(), last) },
    });
    assert.deepEqual(late.body, { applied: true });
    await runner.drain();
    assert.deepEqual(await rerunsOf(ids), ids.slice(0, 11));
    assert.deepEqual(await progress(agent), { total: 12, started: 11, refused: 1, refusal: 'succeeded_since', isFinished: true });
    const alone = await service.call('POST', `/executions/${last}/rerun`, { as: 'owner', body: { unlessRerun: true } });
    assert.deepEqual(alone.body, { accepted: true, executionId: last, wasRerun: true });
    assert.deepEqual(await rerunsOf(ids), ids.slice(0, 11));
    await forget(agent);
  });

  it('that is interrupted after its runs were accepted starts none of them twice, and goes on after a lost job', async () => {
    const agent = await addAgent();
    const ids = await addFailed(agent, 5, largeEvent);
    await service.query(`alter table rerun_item add constraint lost check (state <> 'started') not valid`);
    assert.equal((await rerun(agent)).status, 500);
    await service.query('alter table rerun_item drop constraint lost');
    assert.deepEqual(await rerunsOf(ids), ids.slice(0, 2), 'accepted, but not recorded');
    await runner.drain();
    assert.deepEqual(await rerunsOf(ids), ids.slice(0, 2), 'the job was lost with it');
    await runner.runCron('executions.sweep-reruns');
    await runner.drain();
    assert.deepEqual(await rerunsOf(ids), ids);
    assert.deepEqual(await progress(agent), { total: 5, started: 5, refused: 0, refusal: null, isFinished: true });
    await forget(agent);
  });

  it('takes turns with that of another agency', async () => {
    const [first, second] = [await agency('rerun-first', 1_000), await agency('rerun-second', 1_000)];
    const ids = new Map<string, string[]>();
    for (const { partnerId, agent } of [first, second]) ids.set(partnerId, await addFailed(agent, 9, largeEvent, partnerId));
    for (const { agent } of [first, second])
      await service.call('POST', '/executions/rerun', { as: 'staff', body: { workflowId: agent, status: 'FAILED', from, to } });
    await runner.drain({ concurrency: 1 });
    const order = await service.query<{ partner: string }>(
      'select partner_id as partner from execution where rerun_of = any($1) order by id',
      [[...ids.values()].flat()],
    );
    assert.equal(order.length, 18);
    // The first portion of each started with its request; from then on neither is more than one portion ahead.
    let ahead = 0;
    for (const { partner } of order.slice(4)) {
      ahead += partner === first.partnerId ? 1 : -1;
      assert.ok(Math.abs(ahead) <= 2, `${ahead} runs ahead`);
    }
  });

  it('stops where the credits end, says so, and may be requested again', async () => {
    const { partnerId, agent } = await agency('rerun-poor', 10);
    const ids = await addFailed(agent, 12, CALL, partnerId);
    const asAdmin = () =>
      service.call('POST', '/executions/rerun', { as: 'staff', body: { workflowId: agent, status: 'FAILED', from, to } });
    assert.deepEqual((await asAdmin()).body, { count: 12 });
    await runner.drain();
    const reruns = (await service.call('GET', `/executions/reruns?partnerId=${partnerId}`, { as: 'staff' })).body;
    assert.deepEqual(
      reruns.map((one: Record<string, unknown>) => [one['started'], one['refused'], one['refusal']]),
      [[10, 2, 'quota_exceeded']],
    );
    const refused = await asAdmin();
    assert.deepEqual([refused.status, refused.body.code], [402, 'quota_exceeded']);
    await service.query('update partner_quota set monthly_credits = 100 where partner_id = $1', [partnerId]);
    assert.deepEqual((await asAdmin()).body, { count: 2 });
    assert.deepEqual(await rerunsOf(ids), ids);
  });

  it('leaves out events from before the limit, and says so when there are no others', async () => {
    const agent = await addAgent('lead-intake-cleaner');
    const [old] = await addFailed(agent, 1, { ...CALL, message: 'x'.repeat(1_000_000) });
    const single = await service.call('POST', `/executions/${old}/rerun`, { as: 'owner', body: {} });
    assert.deepEqual([single.status, single.body.code, single.body.limitBytes], [413, 'too_large', LIMITS.eventBytesMax]);
    assert.match(single.body.detail, /stored event is larger than 256 KiB.*smaller input/);
    const many = await rerun(agent);
    assert.deepEqual([many.status, many.body.code], [413, 'too_large']);
    await addFailed(agent, 2, { message: 'Hello' });
    assert.deepEqual((await rerun(agent)).body, { count: 2 });
    assert.deepEqual(await progress(agent), { total: 3, started: 2, refused: 1, refusal: 'too_large', isFinished: true });
    await forget(agent);
  });

  it('runs no original a second time, also once the request is forgotten after a day', async () => {
    const agent = await addAgent();
    await addFailed(agent, 1, CALL);
    assert.deepEqual((await rerun(agent)).body, { count: 1 });
    await runner.runCron('executions.forget-keys');
    assert.deepEqual((await rerun(agent)).body, { count: 0 });
    await service.query("update rerun_request set created_at = now() - interval '25 hours'");
    await service.query("update idempotency_key set created_at = now() - interval '25 hours'");
    await runner.runCron('executions.forget-keys');
    assert.equal(await listed(agent), undefined);
    assert.deepEqual((await rerun(agent)).body, { count: 0 });
    await forget(agent);
  });

  it('is listed for staff and the agency whose runs they are', async () => {
    const { partnerId } = service.world;
    const agent = await addAgent();
    await addFailed(agent, 1, CALL);
    await rerun(agent);
    for (const person of ['owner', 'moderator'] as const)
      assert.ok((await service.call('GET', '/executions/reruns', { as: person })).body.length > 0);
    assert.deepEqual((await service.call('GET', '/executions/reruns', { as: 'rivalOwner' })).body, []);
    await service.assertRefused('GET', `/executions/reruns?partnerId=${partnerId}`, {
      owner: 'scope_forbidden',
      clientUser: 'role_forbidden',
    });
    assert.equal((await service.call('GET', `/executions/reruns?partnerId=${newId()}`, { as: 'staff' })).body.code, 'not_found');
  });
});
