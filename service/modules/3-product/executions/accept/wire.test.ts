import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { ingestToken } from '@partner-portal/core/execution/token.ts';
import { CALL, type ExecutionService, startExecutionService } from '@partner-portal/tests/harness/executions.ts';

/** The response as a sender of events reads it over a real connection: its bytes, and the line in the log. */
let service: ExecutionService;
let port: number;
const lines: Record<string, unknown>[] = [];

before(async () => {
  service = await startExecutionService({ logLine: (line) => void lines.push(JSON.parse(line) as Record<string, unknown>) }); // our own log's lines
  port = Number(new URL(await service.listen()).port);
});
after(() => service.close());

/** Sends raw bytes and returns the raw bytes of `count` complete responses. */
function send(bytes: string, count = 1): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    let text = '';
    socket.setEncoding('utf8');
    socket.on('data', (chunk: string) => {
      text += chunk;
      if (countResponses(text) < count) return;
      socket.destroy();
      resolve(text);
    });
    socket.on('error', reject);
  });
}

function countResponses(text: string): number {
  const head = text.indexOf('\r\n\r\n');
  if (head === -1) return 0;
  const length = Number(/content-length: (\d+)/i.exec(text.slice(0, head))?.[1] ?? 0);
  const rest = Buffer.from(text.slice(head + 4));
  return rest.length < length ? 0 : 1 + countResponses(rest.subarray(length).toString());
}

type Shape = { path?: string; body?: string; headers?: string; method?: string };

/** Sends a request to a new agent. Returns the response, and the one line that the log has of it. */
async function sendEvent(
  shape: Shape,
  prepare: (workflowId: string) => Promise<unknown> = async () => undefined,
): Promise<{ text: string; line: Record<string, unknown>; workflowId: string }> {
  const workflowId = await service.addAgent();
  await prepare(workflowId);
  const proof = ingestToken(service.callbackSecret.reveal(), workflowId);
  const path = (shape.path ?? '/webhooks/agents/ID?token=TOKEN').replace('ID', workflowId).replace('TOKEN', proof);
  const body = shape.body ?? JSON.stringify(CALL);
  const type = shape.headers?.includes('content-type') ? '' : 'content-type: application/json\r\n';
  lines.length = 0;
  const text = await send(
    `${shape.method ?? 'POST'} ${path} HTTP/1.1\r\nhost: portal.test\r\n${type}content-length: ${Buffer.byteLength(body)}\r\n${shape.headers ?? ''}\r\n${body}`,
  );
  await service.query('delete from workflow where id = $1', [workflowId]); // a client has an agent of a template once
  const written = lines.filter((line) => line['msg'] === 'request');
  assert.equal(written.length, 1, 'one line per request');
  const [line] = written;
  assert.ok(line && typeof line['ms'] === 'number');
  assert.ok(text.includes(`x-request-id: ${String(line['requestId'])}`), 'the line names the request of the response');
  return { text, line, workflowId };
}

/** The names of the headers of a response, in their order. */
const headersOf = (text: string): string[] =>
  [...text.slice(0, text.indexOf('\r\n\r\n')).matchAll(/^([\w-]+): /gm)].map(([, name = '']) => name.toLowerCase());

const CASES: Record<string, Shape & { status: number; prepare?: (workflowId: string) => Promise<unknown> }> = {
  'a good event': { status: 202 },
  'a good event with an Idempotency-Key': { status: 202, headers: 'idempotency-key: one\r\n' },
  'a form': { status: 202, headers: 'content-type: application/x-www-form-urlencoded\r\n', body: 'From=%2B13125550121&To=%2B13125550100' },
  'a caller that compresses': { status: 202, headers: 'accept-encoding: gzip, br\r\n' },
  'a caller that closes': { status: 202, headers: 'connection: close\r\n' },
  'a wrong token': { status: 401, path: `/webhooks/agents/ID?token=${'0'.repeat(64)}` },
  'no token': { status: 401, path: '/webhooks/agents/ID' },
  'a token and more': { status: 202, path: '/webhooks/agents/ID?token=TOKEN&from=site' },
  'a malformed id': { status: 401, path: `/webhooks/agents/agent-7?token=${'0'.repeat(64)}` },
  'broken JSON': { status: 400, body: '{"a":' },
  'a list': { status: 422, body: '[1]' },
  'a missing input': { status: 422, body: '{"note":"not an input"}' },
  'a long Idempotency-Key': { status: 422, headers: `idempotency-key: ${'k'.repeat(256)}\r\n` },
  'an unsupported media type': { status: 415, headers: 'content-type: text/csv\r\n', body: 'a,b' },
  'another charset': { status: 202, headers: 'content-type: application/json; charset=us-ascii\r\n' },
  'an empty body': { status: 400, body: '' },
  'another method': { status: 405, method: 'PUT' },
  'an agent that is switched off': {
    status: 409,
    prepare: (workflowId) => service.query('update workflow set is_active = false where id = $1', [workflowId]),
  },
  'an event over the rate limit': {
    status: 429,
    prepare: async (workflowId) => {
      for (let n = 0; n < 60; n += 1) await service.limits.count('ingest', workflowId);
    },
  },
};

describe('an event over the wire', () => {
  for (const [name, { status, prepare, ...shape }] of Object.entries(CASES)) {
    it(`has ${status} for ${name}, and one line in the log`, async () => {
      const { text, line, workflowId } = await sendEvent(shape, prepare);
      assert.match(text, new RegExp(`^HTTP/1\\.1 ${status} `));
      const { method, path, address } = line;
      assert.deepEqual([line['status'], method, address], [status, shape.method ?? 'POST', '127.0.0.1']);
      // Without the query, which holds the token.
      assert.equal(path, (shape.path ?? '/webhooks/agents/ID').replace(/\?.*/, '').replace('ID', workflowId));
      assert.match(text, status === 202 ? /content-type: application\/json/ : /content-type: application\/problem\+json/);
      const body = JSON.parse(text.slice(text.indexOf('\r\n\r\n'))) as Record<string, unknown>; // a reply or a problem
      if (status === 202) assert.deepEqual([body['accepted'], typeof body['executionId']], [true, 'string']);
      else assert.equal(body['status'], status);
    });
  }

  it('has no more headers than a machine needs', async () => {
    const { text } = await sendEvent({});
    const rest = headersOf(text).filter((name) => !name.startsWith('ratelimit-'));
    assert.deepEqual(
      rest.toSorted(),
      ['connection', 'content-length', 'content-type', 'date', 'keep-alive', 'vary', 'x-request-id'].toSorted(),
    );
  });

  it('reuses the connection for the next event', async () => {
    const workflowId = await service.addAgent();
    const token = ingestToken(service.callbackSecret.reveal(), workflowId);
    const body = JSON.stringify(CALL);
    const one = `POST /webhooks/agents/${workflowId}?token=${token} HTTP/1.1\r\nhost: portal.test\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
    const text = await send(one + one, 2);
    assert.equal(text.match(/HTTP\/1\.1 202 /g)?.length, 2);
  });

  it('takes no other route', async () => {
    const text = await send(
      'POST /webhooks/agent?token=a HTTP/1.1\r\nhost: portal.test\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}',
    );
    assert.match(text, /^HTTP\/1\.1 404 /);
  });
});
