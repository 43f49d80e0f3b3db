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

async function failed(code: string): Promise<string> {
  const { body } = await service.ingest(agent, CALL);
  await service.executions.dispatcher.runOnce();
  await service.report(body.executionId, { status: 'FAILED', error: { code, message: 'x', stepName: 'send_text' } });
  return body.executionId;
}
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
