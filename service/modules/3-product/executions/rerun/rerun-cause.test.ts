import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { CALL, type ExecutionService, startExecutionService } from '@partner-portal/tests/harness/executions.ts';

let service: ExecutionService;
let agent: string;
before(async () => {
  service = await startExecutionService();
  agent = await service.addAgent();
});
after(() => service.close());

const from = new Date(Date.now() - 3_600_000).toISOString();
const to = new Date(Date.now() + 3_600_000).toISOString();
const rerun = (cause?: string) =>
  service.call('POST', '/executions/rerun', {
    as: 'owner',
    body: { workflowId: agent, status: 'FAILED', from, to, ...(cause === undefined ? {} : { cause }) },
  });

/** Adds an agent whose runs no earlier test has started. */
async function addOther(): Promise<string> {
  // One agent of a template per client.
  await service.query('update workflow set template_name = id::text where id <> $1', [agent]);
  return service.addAgent({ clientId: null, templateName: 'missed-call-text-back' });
}

/** Dispatches a run and reports that it failed. */
async function fail(id: string, code = 'engine_limit'): Promise<string> {
  await service.executions.dispatcher.runOnce();
  await service.report(id, { status: 'FAILED', error: { code, message: 'x', stepName: 'send_text' } });
  return id;
}

const failed = async (code: string): Promise<string> => fail((await service.ingest(agent, CALL)).body.executionId, code);
const rerunOf = async () =>
  (await service.query<{ id: string }>('select rerun_of as id from execution where rerun_of is not null')).map(({ id }) => id);

it('failed runs are rerun by their cause; those of another cause stay until all are', async () => {
  const sender = await failed('twilio_400_21606');
  const model = await failed('engine_limit');
  assert.deepEqual((await rerun('twilio_key_refused')).body, { count: 0 });
  assert.deepEqual((await rerun('twilio_sender_rejected')).body, { count: 1 });
  assert.deepEqual(await rerunOf(), [sender]);
  assert.deepEqual((await rerun()).body, { count: 1 });
  assert.deepEqual((await rerunOf()).toSorted(), [sender, model].toSorted());
});

const causes = async (): Promise<[string, number, number][]> =>
  (await service.call('GET', '/executions/causes', { as: 'owner' })).body.map((one: { code: string; count: number; notRerun: number }) => [
    one.code,
    one.count,
    one.notRerun,
  ]);

it('a failed run that was run again is left out of the next rerun of many; its rerun is, once it failed', async () => {
  const other = await service.addAgent({ clientId: null, templateName: 'missed-call-text-back' });
  const all = () => service.call('POST', '/executions/rerun', { as: 'owner', body: { workflowId: other, status: 'FAILED', from, to } });
  const fail = async (id: string) =>
    service.report(id, { status: 'FAILED', error: { code: 'engine_limit', message: 'x', stepName: 'send_text' } });
  const { body: first } = await service.ingest(other, CALL);
  await service.executions.dispatcher.runOnce();
  await fail(first.executionId);
  const { body: again } = await service.call('POST', `/executions/${first.executionId}/rerun`, { as: 'owner', body: {} });
  assert.deepEqual((await all()).body, { count: 0 }, 'it is under way');
  await service.executions.dispatcher.runOnce();
  await fail(again.executionId);
  const detail = async (id: string) => (await service.call('GET', `/executions/${id}`, { as: 'owner' })).body.lastRerun;
  assert.deepEqual(await detail(first.executionId), { id: again.executionId, status: 'FAILED' });
  assert.equal(await detail(again.executionId), null);
  assert.deepEqual((await causes()).find(([code]) => code === 'engine_limit')?.slice(1), [2, 1]);
  assert.deepEqual((await all()).body, { count: 1 }, 'the rerun that failed');
  const [last] = await service.query<{ id: string }>('select id from execution where rerun_of = $1', [again.executionId]);
  assert.ok(last);
  await service.executions.dispatcher.runOnce();
  await service.report(last.id, { status: 'SUCCEEDED', output: {} });
  assert.deepEqual((await all()).body, { count: 0 }, 'nobody is contacted twice');
  assert.deepEqual((await causes()).find(([code]) => code === 'engine_limit')?.slice(1), [2, 0]);
});

it('of several failed reruns of one run, only the newest is run again with others', async () => {
  const other = await addOther();
  const again = async (id: string): Promise<string> =>
    (await service.call('POST', `/executions/${id}/rerun`, { as: 'owner', body: {} })).body.executionId;
  const first = await fail((await service.ingest(other, CALL)).body.executionId);
  await fail(await again(first));
  const newest = await fail(await again(first));
  const all = await service.call('POST', '/executions/rerun', { as: 'owner', body: { workflowId: other, status: 'FAILED', from, to } });
  assert.deepEqual(all.body, { count: 1 });
  assert.equal((await rerunOf()).filter((id) => id === newest).length, 1);
});

it('a run that was run again is started by no second rerun of the kind that asks for it, also at the same time or with others', async () => {
  const other = await addOther();
  const failedOnce = async () => fail((await service.ingest(other, CALL)).body.executionId);
  const again = async (id: string, body: object = { unlessRerun: true }, as: 'owner' | 'rivalOwner' | 'moderator' = 'owner') =>
    service.call('POST', `/executions/${id}/rerun`, { as, body });
  const countOf = async (id: string) => (await rerunOf()).filter((one) => one === id).length;

  const first = await failedOnce();
  const both = await Promise.all([again(first), again(first)]);
  assert.deepEqual(both.map(({ status }) => status), [202, 202]); // prettier-ignore
  assert.equal(both.filter(({ body }) => body.wasRerun === true).length, 1);
  assert.equal(new Set(both.map(({ body }) => body.executionId)).size, 1);
  const rerunId = both[0].body.executionId;
  assert.deepEqual((await again(first)).body, { accepted: true, executionId: rerunId, wasRerun: true });
  assert.equal(await countOf(first), 1);
  await fail(rerunId);
  // Its rerun, which failed, stands for it.
  assert.equal((await again(first)).body.wasRerun, true);
  assert.equal((await again(rerunId)).body.wasRerun, false);

  const second = await failedOnce();
  const rerunAll = () =>
    service.call('POST', '/executions/rerun', { as: 'owner', body: { workflowId: other, status: 'FAILED', from, to } });
  const [all, one] = await Promise.all([rerunAll(), again(second)]);
  assert.deepEqual([all.status < 300, one.status, await countOf(second)], [true, 202, 1]);
  assert.equal((await again(second)).body.wasRerun, true);
  // Who asks for it on the page of the run has read that it was run again.
  assert.equal((await again(second, {})).body.wasRerun, undefined);
  assert.equal(await countOf(second), 2);
  assert.deepEqual((await again(second, undefined, 'rivalOwner')).body.code, 'not_found');
  assert.deepEqual((await again(second, undefined, 'moderator')).body.code, 'partner_role_forbidden');
});

it('a rerun of a test is a test, alone and with others; that of an event is a rerun', async () => {
  const other = await addOther();
  const testRun = async () =>
    fail(
      (await service.call('POST', `/workflows/${other}/trigger`, { as: 'owner', body: { input: CALL, isTest: true } })).body.executionId,
    );
  const [event, alone, withOthers] = [await fail((await service.ingest(other, CALL)).body.executionId), await testRun(), await testRun()];
  await service.call('POST', `/executions/${alone}/rerun`, { as: 'owner', body: {} });
  await service.call('POST', '/executions/rerun', { as: 'owner', body: { workflowId: other, status: 'FAILED', from, to } });
  const sources = await service.query<{ rerun_of: string; source: string }>(
    'select rerun_of, source from execution where workflow_id = $1 and rerun_of is not null',
    [other],
  );
  assert.deepEqual(
    Object.fromEntries(sources.map((row) => [row.rerun_of, row.source])),
    { [event]: 'rerun', [alone]: 'test', [withOthers]: 'test' }, // prettier-ignore
  );
});
