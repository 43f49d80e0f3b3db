import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { LIMITS } from '@partner-portal/contract/vocabulary.ts';
import { callbackToken } from '@partner-portal/core/execution/token.ts';
import { CALL, type ExecutionService, startExecutionService } from '@partner-portal/tests/harness/executions.ts';
import { newId } from '#platform/ids.ts';

let service: ExecutionService;
let workflowId: string;

before(async () => {
  service = await startExecutionService();
  workflowId = await service.addAgent();
});
after(() => service.close());

const tokenOf = (executionId: string): string => callbackToken(service.callbackSecret.reveal(), executionId);
const post = (rawBody: string, token: string) =>
  service.call('POST', '/executions/webhook', { rawBody, headers: { 'x-callback-token': token } });

async function started(): Promise<string> {
  return (await service.ingest(workflowId, CALL)).body.executionId;
}

describe('a report without the proof of its execution', () => {
  it('is refused before its body is parsed: broken, deep or wide, it is answered like a readable one', async () => {
    const executionId = newId();
    const start = `{"executionId":"${executionId}","workflowId":"${workflowId}"`;
    for (const rest of [
      '',
      ',"output":{',
      `,"output":${'['.repeat(400)}${']'.repeat(400)}}`,
      ',"status":"x"}',
      `,"output":[${'[],'.repeat(80_000)}[]]}`,
    ]) {
      const wrong = await post(start + rest, tokenOf(newId()));
      assert.deepEqual([wrong.status, wrong.body.code], [401, 'invalid_callback_token'], rest.slice(0, 40));
    }
    const proven = tokenOf(executionId);
    assert.equal((await post(`${start},"output":{`, proven)).body.code, 'malformed_json');
    assert.equal((await post(`${start},"output":${'['.repeat(400)}${']'.repeat(400)}}`, proven)).body.errors[0].code, 'too_deep');
    assert.equal((await post(`${start},"output":[${'[],'.repeat(80_000)}[]]}`, proven)).body.code, 'too_large');
    assert.equal((await post(`${start},"status":"x"}`, proven)).body.code, 'validation_failed');
  });

  it('that names no execution may have 16 KiB; one with its proof 1 MiB, wherever it names it', async () => {
    const large = 'x'.repeat(500_000);
    const nameless = await post(JSON.stringify({ workflowId, output: large }), 'x');
    assert.deepEqual([nameless.status, nameless.body.limitBytes], [413, 16_384]);
    assert.equal((await post(JSON.stringify({ workflowId, output: 'x' }), 'x')).body.errors[0].field, 'executionId');
    for (const last of [true, false]) {
      const executionId = await started();
      const rest = { workflowId, status: 'SUCCEEDED', output: { executionId: newId(), text: large }, steps: [] };
      const body = last ? { ...rest, executionId } : { executionId, ...rest };
      const reply = await post(JSON.stringify(body), tokenOf(executionId));
      assert.deepEqual([reply.status, reply.body], [200, { applied: true }]);
    }
  });

  it('is counted by its address, also when it names none: 429 with a wait, while reports with a proof from there are accepted', async () => {
    const refusals = [];
    for (let call = 0; call <= LIMITS.callerRequestsPerMinute; call++)
      refusals.push(await post(call % 2 ? '{}' : `{"executionId":"${newId()}"}`, 'wrong'));
    const last = refusals.at(-1);
    assert.deepEqual([last?.status, last?.body.code], [429, 'rate_limited']);
    assert.ok(Number(last?.headers['retry-after']) > 0);
    const executionId = await started();
    const report = JSON.stringify({ executionId, workflowId, status: 'SUCCEEDED', output: {} });
    assert.deepEqual((await post(report, tokenOf(executionId))).body, { applied: true });
    assert.equal((await post(report, 'wrong')).status, 429);
  });
});
