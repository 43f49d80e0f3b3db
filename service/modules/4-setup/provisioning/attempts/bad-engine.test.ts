import assert from 'node:assert/strict';
import { createServer, type Server, type Socket } from 'node:net';
import { after, before, beforeEach, test } from 'node:test';
import { connectionPrefix } from '@partner-portal/core/template/template.ts';
import { assertInstalled, clearEngine } from '@partner-portal/tests/harness/engine-state.ts';
import { type ProvisioningService, startProvisioningService } from '@partner-portal/tests/harness/provisioning.ts';
import { recorded } from '@partner-portal/tests/harness/replay-engine.ts';
import type { InternalAnswer, InternalCall, InternalFetch } from '#platform/outbound/internal-fetch.ts';

/** Faulty engine responses: each attempt ends with a clear message for staff, a safe one for the agency, and a state to continue from. */

const KEYLESS = 'lead-intake-cleaner';
const TEXT_BACK = 'missed-call-text-back';
/** Every message about the engine an agency may see. */
const SAFE = [
  'The automation platform did not answer. Please try again in a few minutes.',
  'The automation platform is busy. Please try again in a few minutes.',
  'The automation platform is not set up completely yet. Please contact support.',
  'The automation platform refused a part of the setup. Please try again, or contact support.',
];
const NOT_SET_UP = SAFE[2];

let service: ProvisioningService;
let partnerId: string;
let clientId: string;
let broken: BrokenServers;

before(async () => {
  service = await startProvisioningService();
  ({ partnerId, clientId } = service.world);
  broken = await startBrokenServers();
});
after(async () => {
  await broken.close();
  await service.close();
});
beforeEach(async () => {
  service.wire.around = undefined;
  service.settings.engineProjectId = () => service.projectId;
  await clearEngine(service);
  await service.saveKey('twilio');
});

const post = (what: string, body: object = {}) => service.call('POST', `/partners/${partnerId}/automation/${what}`, { as: 'staff', body });
const provision = () => post('provision', { templateNames: [TEXT_BACK, KEYLESS], clientId });
const seenByAgency = async () => (await service.call('GET', '/partners/me/automation', { as: 'owner' })).text;

type Step = { name: string; status: string };
type Row = { workflowId: string; providerFlowId: string };
const step = (body: { steps: Step[] }, name: string) => body.steps.find((one) => one.name === name);
const assertInstalledOnce = (message: string) => assertInstalled(service, [{ clientId, provider: 'twilio' }], message);

type Send = InternalFetch['send'];
const answers =
  (status: number, type: string, text: string, headers: Record<string, string> = {}) =>
  async (): Promise<InternalAnswer> => ({ status, headers: { 'content-type': type, ...headers }, text });
const STACK = 'Error: relation "flow" of /engine/dist/main.js:1:2 at Object.run token=s3cr3t-t0ken';
const elsewhere = (url: string, timeoutMs: number) => (call: InternalCall, send: Send) => send({ ...call, url, timeoutMs });

/** Each in place of one answer, whichever it is. What comes too late or only half may have been done by the engine all the same. */
const BAD: { [what: string]: { bad: (call: InternalCall, send: Send) => Promise<InternalAnswer>; internal: RegExp } } = {
  'a web page': { bad: answers(200, 'text/html', '<!doctype html><title>Engine</title>'), internal: /web page|reports itself unhealthy/ },
  'a web page that says 502': { bad: answers(502, 'text/html', `<h1>Bad gateway</h1>${STACK}`), internal: /502|reports itself unhealthy/ },
  'half of its answer': {
    bad: async (call, send) => {
      const answer = await send(call);
      return { ...answer, text: answer.text.slice(0, Math.floor(answer.text.length / 2)) };
    },
    internal: /unexpected format|reports itself unhealthy/,
  },
  'half of its answer, and hangs up': {
    bad: (call, send) => elsewhere(broken.half, 2_000)(call, send),
    internal: /timeout: |unreachable|no_worker: /,
  },
  'bytes so slowly that they never end': {
    bad: (call, send) => elsewhere(broken.slow, 60)(call, send),
    internal: /timeout: |unreachable|no_worker: /,
  },
  'a 500 with a stack trace': {
    bad: answers(500, 'application/json', JSON.stringify({ statusCode: 500, message: STACK })),
    internal: /answered 500|reports itself unhealthy/,
  },
  '429 with Retry-After': {
    bad: answers(429, 'application/json', '{"statusCode":429,"message":"Rate limit exceeded"}', { 'retry-after': '30' }),
    internal: /answered 429.*not before 30 s|reports itself unhealthy/,
  },
  'an empty object': { bad: answers(200, 'application/json', '{}'), internal: /unexpected format|reports itself unhealthy/ },
  'an empty list without its frame': {
    bad: answers(200, 'application/json', '[]'),
    internal: /unexpected format|reports itself unhealthy/,
  },
  nothing: { bad: answers(200, 'application/json', ''), internal: /unexpected format|reports itself unhealthy/ },
};

for (const [what, { bad, internal }] of Object.entries(BAD)) {
  test(`an engine that gives ${what} in place of any response is reported in two texts, and the next attempts succeed`, async () => {
    let failures = 0;
    for (let fatal = 1, isDone = false; !isDone; fatal += 1) {
      let calls = 0;
      service.wire.around = (call, send) => (++calls === fatal ? bad(call, send) : send(call));
      const { status, body, text } = await provision();
      isDone = body.status === 'succeeded';
      assert.equal(status, 202);
      if (isDone) break;
      failures += 1;
      assert.deepEqual([body.status, body.instance.status], ['failed', 'failed'], text);
      assert.match(body.instance.lastError, internal, `call ${fatal}`);
      assert.ok(SAFE.includes(body.instance.errorPublic), body.instance.errorPublic);
      assertNothingLeaks(await seenByAgency(), body.instance.workflows);
    }
    service.wire.around = undefined;
    assert.ok(failures > 8, `${failures} failures`);
    await assertInstalledOnce(what);
  });
}

/** The engine's words, addresses, ids. */
function assertNothingLeaks(text: string, workflows: readonly Row[]): void {
  assert.doesNotMatch(text, /s3cr3t|main\.js|doctype|127\.0\.0\.1|answered|lastError|projectId|baseUrl/);
  for (const id of [service.projectId, connectionPrefix(partnerId), ...workflows.map((one) => one.providerFlowId)])
    if (id !== null) assert.ok(!text.includes(id), id);
}

/** Every call that matches is answered so, until the attempt is over; then the next one is to succeed. */
async function failOnce(bad: (call: InternalCall) => Promise<InternalAnswer> | undefined): Promise<{ steps: Step[]; lastError: string }> {
  service.wire.around = (call, send) => bad(call) ?? send(call);
  const { body } = await provision();
  service.wire.around = undefined;
  assert.deepEqual([body.status, body.instance.status], ['failed', 'failed'], body.instance.lastError);
  assert.ok(SAFE.includes(body.instance.errorPublic), body.instance.errorPublic);
  assertNothingLeaks(await seenByAgency(), body.instance.workflows);
  assert.equal((await provision()).body.status, 'succeeded');
  await assertInstalledOnce(body.instance.lastError);
  return { steps: body.steps, lastError: body.instance.lastError };
}
const json = (status: number, body: object) => answers(status, 'application/json', JSON.stringify(body));

test('an engine of an untested version is named with the versions that are tested, and nothing is written to it', async () => {
  const written: string[] = [];
  const { steps, lastError } = await failOnce((call) => {
    if (call.method !== 'GET') written.push(call.url);
    return call.url.endsWith('/flags') ? json(200, { CURRENT_VERSION: '0.99.0', EDITION: 'ce' })() : undefined;
  });
  assert.match(lastError, /verify_connectivity: untested_version: .*0\.99\.0.*0\.83 to 0\.85/);
  assert.equal(step({ steps }, 'verify_connectivity')?.status, 'failed');
  assert.deepEqual(written, []);
});

test('an engine that rejects our password is reported as such after one call, without the password', async () => {
  let signIns = 0;
  const { lastError } = await failOnce((call) => {
    if (call.url.endsWith('/authentication/sign-in')) {
      signIns += 1;
      return json(401, { code: 'INVALID_CREDENTIALS', params: { message: call.body ?? '' } })();
    }
    return call.headers?.['authorization'] ? json(401, { code: 'INVALID_BEARER_TOKEN', params: null })() : undefined;
  });
  assert.match(
    lastError,
    /wrong_password: The engine does not accept .*answered 401 INVALID_CREDENTIALS.*AUTOMATION_ENGINE_ADMIN_PASSWORD/,
  );
  assert.doesNotMatch(lastError, /correct horse/);
  assert.equal(signIns, 1);
});

test('an engine that repeats the value of a connection in its refusal does not get it into our records', async () => {
  const { lastError } = await failOnce((call) =>
    call.method === 'POST' && call.url.endsWith('/app-connections')
      ? json(400, { code: 'INVALID_APP_CONNECTION', params: { message: `cannot use ${call.body ?? ''}` } })()
      : undefined,
  );
  assert.match(lastError, /bind_credentials: refused: .*400 INVALID_APP_CONNECTION/);
  assert.doesNotMatch(lastError, /sandbox-token/);
});

test('a piece that the engine lacks, as recorded of the real one, fails bind_credentials by its name', async () => {
  const replay = (name: string) => {
    const { status, body } = recorded(name);
    return json(status, body as object)();
  };
  const { steps, lastError } = await failOnce((call) => {
    if (call.url.includes('/pieces/')) return replay('piece-get-unknown');
    return call.method === 'POST' && call.url.endsWith('/app-connections') ? replay('connection-upsert-unknown-piece') : undefined;
  });
  assert.equal(step({ steps }, 'bind_credentials')?.status, 'failed');
  assert.match(lastError, /bind_credentials: no_piece: The engine does not have the piece @activepieces\/piece-http\./);
});

test('a configured project that the engine does not have fails at once, and the attempt after the setting is fixed succeeds', async () => {
  for (const missing of ['zzzzzzzzzzzzzzzzzzzzz', 'not an id', "x'/../"]) {
    service.settings.engineProjectId = () => missing;
    const { body } = await provision();
    assert.deepEqual([body.status, step(body, 'ensure_tenant')?.status], ['failed', 'failed'], body.instance.lastError);
    assert.equal(body.instance.lastError, `ensure_tenant: The engine has no project "${missing}" (AUTOMATION_ENGINE_PROJECT_ID).`);
    assert.equal(body.instance.errorPublic, NOT_SET_UP);
  }
  service.settings.engineProjectId = () => service.projectId;
  assert.equal((await provision()).body.status, 'succeeded');
  await assertInstalledOnce('with the right project');
});

test('a health response that arrives byte by byte costs its budget and not more', async () => {
  service.settings.healthTimeoutMs = 60;
  const { lastError } = await failOnceSlow();
  assert.match(lastError, /verify_connectivity: The engine is unreachable \(budget 60 ms\)/);
});

async function failOnceSlow(): Promise<{ lastError: string }> {
  service.wire.around = (call, send) => (call.url.endsWith('/v1/health') ? send({ ...call, url: broken.slow }) : send(call));
  const { body } = await provision();
  service.wire.around = undefined;
  service.settings.healthTimeoutMs = 60_000;
  assert.deepEqual([body.status, body.instance.errorPublic], ['failed', SAFE[0]]);
  assert.equal((await provision()).body.status, 'succeeded');
  await assertInstalledOnce('after the slow health');
  return body.instance;
}

type BrokenServers = { slow: string; half: string; close(): Promise<void> };

/** Two servers on sockets: one sends a byte now and then for ever, one hangs up in the middle of what it promised. */
async function startBrokenServers(): Promise<BrokenServers> {
  const head = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 1000000\r\n\r\n{"data":[';
  const slow = await serve((socket) => {
    socket.write(head);
    const timer = setInterval(() => socket.write(' '), 5);
    socket.on('close', () => clearInterval(timer));
  });
  const half = await serve((socket) => socket.end(head));
  const origin = (server: Server): string => {
    const address = server.address();
    return typeof address === 'object' && address ? `http://127.0.0.1:${address.port}/` : '';
  };
  return {
    slow: origin(slow),
    half: origin(half),
    close: async () => {
      await Promise.all([slow, half].map((server) => new Promise((resolve) => server.close(resolve))));
    },
  };
}

async function serve(answer: (socket: Socket) => void): Promise<Server> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => answer(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}
