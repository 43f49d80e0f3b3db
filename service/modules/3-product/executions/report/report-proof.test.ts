import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { LIMITS } from '@partner-portal/contract/vocabulary.ts';
import { callbackToken, ingestToken } from '@partner-portal/core/execution/token.ts';
import { CALL, type ExecutionService, startExecutionService } from '@partner-portal/tests/harness/executions.ts';
import { newId } from '#platform/ids.ts';

let service: ExecutionService;
let workflowId: string;

let origin: string;

before(async () => {
  service = await startExecutionService();
  origin = await service.listen();
  workflowId = await service.addAgent();
});
after(() => service.close());

const tokenOf = (executionId: string): string => callbackToken(service.callbackSecret.reveal(), executionId);
const post = (rawBody: string, token: string) =>
  service.call('POST', '/executions/webhook', { rawBody, headers: { 'x-callback-token': token } });

const SIZE = 200_000;
/** Sends the head of a request for a body of SIZE bytes, and a part of that body. */
async function sendPart(path: string, part: string, token?: string, header = ''): Promise<Socket> {
  const socket = connect(Number(new URL(origin).port), '127.0.0.1');
  await once(socket, 'connect');
  const proof = token === undefined ? '' : `x-callback-token: ${token}\r\n`;
  const head = `POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${SIZE}\r\n${proof}${header}`;
  socket.write(`${head}\r\n${part}`);
  return socket;
}
async function readAll(socket: Socket): Promise<string> {
  let text = '';
  socket.on('data', (data) => (text += String(data)));
  socket.on('error', () => undefined);
  await once(socket, 'close');
  return text;
}

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
    // Its minute begins here, so that it does not end in between.
    await service.limits.forget('badCallbackToken', '127.0.0.1');
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

describe('a large body without its proof', () => {
  const start = (executionId: string): string =>
    `{"executionId":"${executionId}","workflowId":"${workflowId}","output":"${'x'.repeat(40_000)}`;

  it('is answered once 16 KiB of it are there, and its connection ends', async () => {
    for (const token of [undefined, tokenOf(newId())]) {
      const answer = await readAll(await sendPart('/executions/webhook', start(newId()), token));
      assert.match(answer, /^HTTP\/1\.1 (401|429) /);
      assert.match(answer, /connection: close/i);
    }
    const event = `{"text":"${'x'.repeat(40_000)}`;
    const wrong = await readAll(await sendPart(`/webhooks/agents/${workflowId}?token=${'0'.repeat(64)}`, event));
    assert.match(wrong, /^HTTP\/1\.1 401 .*invalid_ingest_token/s);
    assert.match(wrong, /connection: close/i);
  });

  it('is answered to a sender that first writes all of it', async () => {
    const body = `${start(newId())}${'x'.repeat(900_000)}"}`;
    const response = await fetch(`${origin}/executions/webhook`, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', 'x-callback-token': tokenOf(newId()) },
    });
    assert.ok(response.status === 401 || response.status === 429);
  });

  it('is read to its end with it', async () => {
    const executionId = await started();
    const head = `{"executionId":"${executionId}","workflowId":"${workflowId}","status":"SUCCEEDED","output":"${'x'.repeat(40_000)}`;
    const socket = await sendPart('/executions/webhook', head, tokenOf(executionId), 'connection: close\r\n');
    socket.write(`${'x'.repeat(SIZE - head.length - 2)}"}`);
    assert.match(await readAll(socket), /^HTTP\/1\.1 200 .*"applied":true/s);
    const event = `{"callerNumber":"+13125550121","businessNumber":"+13125550100","note":"${'x'.repeat(40_000)}"}`;
    const token = ingestToken(service.callbackSecret.reveal(), workflowId);
    const accepted = await service.call('POST', `/webhooks/agents/${workflowId}?token=${token}`, { rawBody: event });
    assert.equal(accepted.status, 202);
  });
});
