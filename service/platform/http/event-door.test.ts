import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { ingestToken } from '@partner-portal/core/execution/token.ts';
import { CALL, type ExecutionService, startExecutionService } from '@partner-portal/tests/harness/executions.ts';
import { createEventDoor } from './event-door.ts';

/**
 * The door and the framework answer the same calls; here each is asked over a real connection, once as it takes the short way and once
 * with a header that sends it the long way (the server looks at no such header otherwise).
 */
let service: ExecutionService;
let port: number;
const lines: Record<string, unknown>[] = [];
const LONG_WAY = 'origin: https://elsewhere.test\r\n';

before(async () => {
  service = await startExecutionService({ logLine: (line) => void lines.push(JSON.parse(line) as Record<string, unknown>) }); // our own log's lines
  port = Number(new URL(await service.listen()).port);
});
after(() => service.close());

/** Sends bytes as they are and answers the bytes that came back: `count` complete answers. */
function send(bytes: string, count = 1): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    let text = '';
    socket.setEncoding('utf8');
    socket.on('data', (chunk: string) => {
      text += chunk;
      if (answersIn(text) < count) return;
      socket.destroy();
      resolve(text);
    });
    socket.on('error', reject);
  });
}

function answersIn(text: string): number {
  const head = text.indexOf('\r\n\r\n');
  if (head === -1) return 0;
  const length = Number(/content-length: (\d+)/i.exec(text.slice(0, head))?.[1] ?? 0);
  const rest = Buffer.from(text.slice(head + 4));
  return rest.length < length ? 0 : 1 + answersIn(rest.subarray(length).toString());
}

type Shape = { path?: string; body?: string; headers?: string; method?: string };
/** Of a window that began some calls ago. */
const secondsLeft = /(ratelimit-reset: |retry-after: |"retryAfterSeconds":|Please wait )\d+/g;
const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

/** The same call both ways to two equal agents; what differs by nature (ids, date, seconds left) is replaced. */
async function bothWays(
  shape: Shape,
  prepare: (workflowId: string) => Promise<unknown> = async () => undefined,
): Promise<{ text: string; line: object }[]> {
  const answers = [];
  for (const way of ['', LONG_WAY]) {
    const workflowId = await service.addAgent();
    await prepare(workflowId);
    const proof = ingestToken(service.callbackSecret.reveal(), workflowId);
    const path = (shape.path ?? '/webhooks/agents/ID?token=TOKEN').replace('ID', workflowId).replace('TOKEN', proof);
    const body = shape.body ?? JSON.stringify(CALL);
    const type = shape.headers?.includes('content-type') ? '' : 'content-type: application/json\r\n';
    lines.length = 0;
    const text = await send(
      `${shape.method ?? 'POST'} ${path} HTTP/1.1\r\nhost: portal.test\r\n${type}content-length: ${Buffer.byteLength(body)}\r\n${shape.headers ?? ''}${way}\r\n${body}`,
    );
    await service.query('delete from workflow where id = $1', [workflowId]); // a client has each agent once
    const told = lines.filter((line) => line['msg'] === 'request');
    assert.equal(told.length, 1, 'one line per request');
    const [line] = told;
    assert.ok(line && typeof line['ms'] === 'number');
    assert.ok(text.includes(`x-request-id: ${String(line['requestId'])}`), 'the line names the request of the answer');
    const plain = (given: string): string =>
      given
        .replace(uuid, '<id>')
        .replace(/^date: .*$/im, 'date: <now>')
        .replace(secondsLeft, '$1<seconds>');
    answers.push({ text: plain(text), line: JSON.parse(plain(JSON.stringify({ ...line, ms: 0, time: 0 }))) as object }); // written a moment ago
  }
  return answers;
}

const CASES: Record<string, Shape & { status: number; prepare?: (workflowId: string) => Promise<unknown> }> = {
  'a good event': { status: 202 },
  'a good event with an Idempotency-Key': { status: 202, headers: 'idempotency-key: one\r\n' },
  'a form': { status: 202, headers: 'content-type: application/x-www-form-urlencoded\r\n', body: 'From=%2B13125550121&To=%2B13125550100' },
  'a caller that compresses': { status: 202, headers: 'accept-encoding: gzip, br\r\n' },
  'a caller that closes': { status: 202, headers: 'connection: close\r\n' },
  'a wrong token': { status: 401, path: `/webhooks/agents/ID?token=${'0'.repeat(64)}` },
  'no token': { status: 401, path: '/webhooks/agents/ID' },
  'a token and more': { status: 202, path: '/webhooks/agents/ID?token=TOKEN&from=site' },
  'an id that is none': { status: 401, path: `/webhooks/agents/agent-7?token=${'0'.repeat(64)}` },
  'broken JSON': { status: 400, body: '{"a":' },
  'a list': { status: 422, body: '[1]' },
  'a missing input': { status: 422, body: '{"note":"nothing of use"}' },
  'a long Idempotency-Key': { status: 422, headers: `idempotency-key: ${'k'.repeat(256)}\r\n` },
  'a strange media type': { status: 415, headers: 'content-type: text/csv\r\n', body: 'a,b' },
  'another charset': { status: 202, headers: 'content-type: application/json; charset=us-ascii\r\n' },
  'an empty body': { status: 400, body: '' },
  'another method': { status: 404, method: 'PUT' },
  'an agent that is switched off': {
    status: 409,
    prepare: (workflowId) => service.query('update workflow set is_active = false where id = $1', [workflowId]),
  },
  'an event too many': {
    status: 429,
    prepare: async (workflowId) => {
      for (let n = 0; n < 60; n += 1) await service.limits.count('ingest', workflowId);
    },
  },
};

describe('the short way of an event', () => {
  for (const [name, { status, prepare, ...shape }] of Object.entries(CASES)) {
    it(`answers and logs ${name} byte for byte as the framework does`, async () => {
      const [short, long] = await bothWays(shape, prepare);
      assert.ok(short && long);
      assert.match(short.text, new RegExp(`^HTTP/1\\.1 ${status} `));
      assert.equal(short.text, long.text);
      assert.deepEqual(short.line, long.line);
    });
  }

  it('keeps a connection for the next event', async () => {
    const workflowId = await service.addAgent();
    const token = ingestToken(service.callbackSecret.reveal(), workflowId);
    const body = JSON.stringify(CALL);
    const one = `POST /webhooks/agents/${workflowId}?token=${token} HTTP/1.1\r\nhost: portal.test\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
    const text = await send(one + one, 2);
    assert.equal(text.match(/HTTP\/1\.1 202 /g)?.length, 2);
  });

  it('leads nowhere else: a call for another route goes to that route', async () => {
    const text = await send(
      'POST /webhooks/agent?token=a HTTP/1.1\r\nhost: portal.test\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}',
    );
    assert.match(text, /^HTTP\/1\.1 404 /);
  });
});

describe('the door by itself', () => {
  it('answers a good call alone, hands a refused one over with its reason, and nothing once it is shut', async () => {
    const told: string[] = [];
    const door = createEventDoor({ trustsProxies: true, tell: (line) => told.push(line.path) });
    const refusal = new Error('refused');
    door.open('/in/:name', async ({ params, query, ip }) => {
      if (query['token'] !== 'right') throw refusal;
      return { status: 202, headers: {}, text: JSON.stringify({ ...params, ip }) };
    });
    const framework: unknown[] = [];
    const server = door.serve(
      (request, response) => {
        framework.push(door.handed(request)?.error ?? null);
        response.writeHead(500).end();
      },
      { keepAliveTimeout: 1_000, requestTimeout: 1_000 },
    );
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // listening on TCP
    const post = async (path: string, headers: Record<string, string> = {}) => {
      const reply = await fetch(`${origin}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: '{}',
      });
      return [reply.status, await reply.text()];
    };
    assert.deepEqual(await post('/in/a-1?token=right'), [202, '{"name":"a-1","ip":"127.0.0.1"}']);
    assert.deepEqual([framework, told], [[], ['/in/a-1']]);
    for (const way of [
      post('/in/a?token=wrong'),
      post('/in/a?token=right', { 'x-forwarded-for': '10.0.0.1' }),
      post('/in/a%2Fb?token=right'),
      post('/in/a'),
    ])
      assert.equal((await way)[0], 500);
    assert.deepEqual(framework.filter(Boolean), [refusal]);
    assert.equal(framework.length, 4);
    door.shut();
    assert.equal((await post('/in/a-1?token=right'))[0], 500);
    server.closeAllConnections();
    server.close();
  });
});
