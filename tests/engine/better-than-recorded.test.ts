import assert from 'node:assert/strict';
import { request } from 'node:http';
import { after, before, test } from 'node:test';
import { Client } from 'pg';
import {
  ADMIN,
  callEngine,
  chain,
  codeStep,
  endedRun,
  httpStep,
  publishFlow,
  runOnce,
  startSink,
  startTestEngine,
  webhookTrigger,
} from './harness.ts';
import type { Sink, TestEngine } from './harness.ts';

let sink: Sink;
let on: TestEngine;
before(async () => {
  sink = await startSink();
  on = await startTestEngine([`127.0.0.1:${sink.port}`], { concurrency: 4 });
});
after(async () => {
  await on.close();
  await sink.close();
});

const secretConnection = (externalId: string, apiKey: string) => ({
  externalId,
  displayName: externalId,
  pieceName: '@activepieces/piece-http',
  projectId: on.projectId,
  type: 'CUSTOM_AUTH',
  value: { type: 'CUSTOM_AUTH', props: { apiKey, baseUrl: sink.url } },
});

test('edits of one flow that arrive at once take turns: none is lost', async () => {
  const created = await on.call('POST', '/api/v1/flows', { displayName: 'x', projectId: on.projectId });
  const { id } = created.body as { id: string };
  const { lastUpdatedDate: _date, ...trigger } = webhookTrigger(undefined);
  await on.call('POST', `/api/v1/flows/${id}`, { type: 'UPDATE_TRIGGER', request: trigger });
  const replies = await Promise.all(
    Array.from({ length: 8 }, (_unused, n) => {
      const { lastUpdatedDate: _stepDate, ...action } = httpStep(`step_${n}`, sink.url);
      return on.call('POST', `/api/v1/flows/${id}`, { type: 'ADD_ACTION', request: { parentStep: 'trigger', action } });
    }),
  );
  assert.ok(replies.every(({ status }) => status === 200));
  const flow = JSON.stringify((await on.call('GET', `/api/v1/flows/${id}`)).body);
  for (let n = 0; n < 8; n += 1) assert.match(flow, new RegExp(`"step_${n}"`));
});

test('first upserts of one external id that arrive at once leave one connection', async () => {
  const replies = await Promise.all(
    Array.from({ length: 8 }, (_unused, n) => on.call('POST', '/api/v1/app-connections', secretConnection('p_same', `sk-value-${n}`))),
  );
  assert.equal(new Set(replies.map(({ body }) => (body as { id: string }).id)).size, 1);
  assert.ok(replies.every(({ status }) => status === 201));
});

test('republishing leaves no gap: every event during it is accepted', async () => {
  const flow = await publishFlow(on, chain(codeStep('step_1', 'export const code = async () => 1;')));
  let publishing = true;
  const statuses: number[] = [];
  const events = (async () => {
    while (publishing) statuses.push((await callEngine(on.base, undefined, 'POST', `/api/v1/webhooks/${flow}`, {})).status);
  })();
  for (let n = 0; n < 6; n += 1) {
    await on.call('POST', `/api/v1/flows/${flow}`, { type: 'CHANGE_NAME', request: { displayName: `name ${n}` } });
    await on.call('POST', `/api/v1/flows/${flow}`, { type: 'LOCK_AND_PUBLISH', request: {} });
  }
  publishing = false;
  await events;
  assert.ok(statuses.length > 0);
  assert.deepEqual([...new Set(statuses)], [200]);
});

test('a deleted flow is gone at once, with its webhook and its run log; another flow stays', async () => {
  const gone = await publishFlow(on, chain(codeStep('step_1', 'export const code = async () => 1;')));
  const kept = await publishFlow(on, chain(codeStep('step_1', 'export const code = async () => 1;')));
  const run = await runOnce(on, gone, { phone: '+15550001' });
  const keptRun = await runOnce(on, kept);
  assert.equal((await on.call('DELETE', `/api/v1/flows/${gone}`)).status, 204);
  assert.equal((await callEngine(on.base, undefined, 'POST', `/api/v1/webhooks/${gone}`, {})).status, 410);
  assert.equal((await on.call('GET', `/api/v1/flow-runs/${run.id}`)).status, 404);
  assert.equal((await on.call('GET', `/api/v1/flow-runs/${keptRun.id}`)).status, 200);
  assert.equal((await callEngine(on.base, undefined, 'POST', `/api/v1/webhooks/${kept}`, {})).status, 200);
});

test('a changed connection is used by the very next run', async () => {
  const flow = await publishFlow(
    on,
    chain(httpStep('step_1', `${sink.url}/rotated`, { headers: { 'x-key': '{{connections.p_rotated.props.apiKey}}' } })),
  );
  for (const key of ['first-secret', 'second-secret']) {
    await on.call('POST', '/api/v1/app-connections', secretConnection('p_rotated', key));
    await runOnce(on, flow);
    assert.equal(sink.received.findLast((one) => one.url === '/rotated')?.headers['x-key'], key);
  }
});

test('no resolved secret lies anywhere in the database, not even when the target echoes it or the step fails with it', async () => {
  const echo = await startSink((request, response) => {
    response.writeHead(request.url.includes('fail') ? 400 : 200, {
      'content-type': 'application/json',
      'x-echo': String(request.headers['x-key']),
    });
    response.end(JSON.stringify({ message: `bad key ${String(request.headers['x-key'])}`, body: request.body }));
  });
  const echoing = await startTestEngine([`127.0.0.1:${echo.port}`]);
  const key = 'sk-needle-in-a-haystack';
  await echoing.call('POST', '/api/v1/app-connections', { ...secretConnection('p_needle', key), projectId: echoing.projectId });
  const input = {
    headers: { 'x-key': '{{connections.p_needle.props.apiKey}}' },
    body: { data: { key: '{{connections.p_needle.props.apiKey}}' } },
  };
  const flow = await publishFlow(
    echoing,
    chain(
      httpStep('ok', `${echo.url}/ok`, input),
      codeStep('code', 'export const code = async (inputs) => { console.log(inputs.key); return { got: `Bearer ${inputs.key}` }; };', {
        key: '{{connections.p_needle.props.apiKey}}',
      }),
      httpStep('fail', `${echo.url}/fail`, { ...input, failureMode: 'continue_all' }),
      httpStep('hard', `${echo.url}/fail`, input),
    ),
  );
  assert.equal((await runOnce(echoing, flow)).status, 'FAILED');
  assert.equal(echo.received.filter((one) => one.headers['x-key'] === key).length, 3);
  const client = new Client(echoing.database.configFor('portal_engine'));
  await client.connect();
  const { rows: tables } = await client.query<{ name: string }>(
    "select format('engine.%I', relname) as name from pg_class where relnamespace = 'engine'::regnamespace and relkind = 'r'",
  );
  assert.ok(tables.length > 5);
  for (const { name } of tables) {
    const { rows } = await client.query<{ found: number }>(
      `select count(*)::int as found from ${name} t where t::text like '%' || $1 || '%' or t::text like '%' || $2 || '%'`,
      [key, Buffer.from(key).toString('hex')],
    );
    assert.equal(rows[0]?.found, 0, name);
  }
  await client.end();
  await echoing.close();
  await echo.close();
});

test("one agency's slow burst does not keep another agency's event waiting", async () => {
  const held: (() => void)[] = [];
  const slow = await startSink((request, response) => {
    const finish = (): void => {
      response.writeHead(200);
      response.end('{}');
    };
    if (request.url === '/slow') held.push(finish);
    else finish();
  });
  const fair = await startTestEngine([`127.0.0.1:${slow.port}`], { concurrency: 4 });
  const busy = await publishFlow(fair, chain(httpStep('s', `${slow.url}/slow`)), { metadata: { partnerId: 'busy' } });
  const other = await publishFlow(fair, chain(httpStep('s', `${slow.url}/quick`)), { metadata: { partnerId: 'other' } });
  await Promise.all(Array.from({ length: 50 }, () => callEngine(fair.base, undefined, 'POST', `/api/v1/webhooks/${busy}`, {})));
  await slow.waitFor(2, (one) => one.url === '/slow');
  // All of the busy agency's places are taken and none is given back, yet the other one runs.
  assert.equal((await runOnce(fair, other)).status, 'SUCCEEDED');
  assert.equal(slow.received.filter((one) => one.url === '/slow').length, 2);
  await fair.close();
  await slow.close();
});

test("one agency's burst at a provider leaves connections to the same provider for the steps of another", async () => {
  const provider = await startSink((request, response) => void (request.url === '/slow' || response.writeHead(200).end('{}')));
  const fair = await startTestEngine([`127.0.0.1:${provider.port}`]);
  const busy = await publishFlow(fair, chain(httpStep('s', `${provider.url}/slow`, { timeout: 600 })), { metadata: { partnerId: 'busy' } });
  const other = await publishFlow(fair, chain(httpStep('s', `${provider.url}/quick`)), { metadata: { partnerId: 'other' } });
  await Promise.all(Array.from({ length: 130 }, () => callEngine(fair.base, undefined, 'POST', `/api/v1/webhooks/${busy}`, {})));
  const isSlow = (one: { url: string }): boolean => one.url === '/slow';
  await provider.waitFor(64, isSlow);
  try {
    assert.equal((await runOnce(fair, other)).status, 'SUCCEEDED');
    // Each place of the busy agency has a connection: no step spends its time waiting for one.
    await provider.waitFor(128, isSlow);
  } finally {
    await provider.close();
    await fair.close();
  }
});

test('a sync caller is answered by the Return-Response step, and at once with 204 when the run ends without one', async () => {
  const silent = await publishFlow(on, chain(codeStep('step_1', 'export const code = async () => 1;')));
  assert.equal((await callEngine(on.base, undefined, 'POST', `/api/v1/webhooks/${silent}/sync`, {})).status, 204);
  const failing = await publishFlow(on, chain(codeStep('step_1', 'export const code = async () => { throw new Error("x"); };')));
  assert.equal((await callEngine(on.base, undefined, 'POST', `/api/v1/webhooks/${failing}/sync`, {})).status, 204);
  assert.equal((await callEngine(on.base, undefined, 'POST', `/api/v1/webhooks/${failing}/draft/sync`, {})).status, 204);
});

test('a wrong header of a header-protected webhook is answered like a right one and starts nothing', async () => {
  const flow = await publishFlow(on, undefined, {
    trigger: webhookTrigger(undefined, { authType: 'header', authFields: { headerName: 'X-Token', headerValue: 's3cret' } }),
  });
  const post = (headers: Record<string, string>, sync = '') =>
    callEngine(on.base, undefined, 'POST', `/api/v1/webhooks/${flow}${sync}`, {}, headers);
  assert.equal((await post({}, '/sync')).status, 204);
  for (const headers of [{}, { 'x-token': 'wrong' }, { 'x-token': 's3cret' }]) assert.equal((await post(headers)).status, 200);
  await endedRun(on, flow);
  const list = await on.call('GET', `/api/v1/flow-runs?projectId=${on.projectId}&flowId=${flow}`);
  assert.equal((list.body as { data: unknown[] }).data.length, 1);
});

test('draft runs are kept out of the list of production runs', async () => {
  const flow = await publishFlow(on, chain(httpStep('s', `${sink.url}/draft-run`)));
  assert.equal((await callEngine(on.base, undefined, 'POST', `/api/v1/webhooks/${flow}/draft`, {})).status, 200);
  assert.equal((await callEngine(on.base, undefined, 'POST', `/api/v1/webhooks/${flow}/draft/sync`, {})).status, 204);
  await sink.waitFor(2, (one) => one.url === '/draft-run');
  const list = await on.call('GET', `/api/v1/flow-runs?projectId=${on.projectId}&flowId=${flow}`);
  assert.deepEqual((list.body as { data: unknown[] }).data, []);
});

test('a failed run retried from its failed step keeps its id and does not repeat what had succeeded', async () => {
  let broken = true;
  const target = await startSink((request, response) => {
    response.writeHead(request.url === '/two' && broken ? 500 : 200, { 'content-type': 'application/json' });
    response.end('{}');
  });
  const retrying = await startTestEngine([`127.0.0.1:${target.port}`]);
  const flow = await publishFlow(retrying, chain(httpStep('one', `${target.url}/one`), httpStep('two', `${target.url}/two`)));
  const failed = await runOnce(retrying, flow);
  assert.equal(failed.status, 'FAILED');
  broken = false;
  const reply = await retrying.call('POST', `/api/v1/flow-runs/${failed.id}/retry`, {
    strategy: 'FROM_FAILED_STEP',
    projectId: retrying.projectId,
  });
  assert.equal((reply.body as { id: string }).id, failed.id);
  const again = await endedRun(retrying, flow);
  assert.equal(again.id, failed.id);
  assert.equal(again.status, 'SUCCEEDED');
  assert.deepEqual(
    target.received.map(({ url }) => url),
    ['/one', '/two', '/two'],
  );
  const once = await retrying.call('POST', `/api/v1/flow-runs/${failed.id}/retry`, {
    strategy: 'FROM_FAILED_STEP',
    projectId: retrying.projectId,
  });
  assert.equal(once.status, 409);
  await retrying.close();
  await target.close();
});

test('the 51st sign-in of a minute from one address is refused; another address is not', async () => {
  let sent = 0;
  /** Signs in from this address of the loopback network, under another made-up address each time. */
  const signIn = (localAddress: string): Promise<{ status: number; retryAfter: number }> =>
    new Promise((resolve, reject) => {
      const headers = {
        'content-type': 'application/json',
        'x-real-ip': `203.0.113.${(sent += 1)}`,
        'x-forwarded-for': `198.51.100.${sent}`,
      };
      const url = `${on.base}/api/v1/authentication/sign-in`;
      const call = request(url, { method: 'POST', localAddress, headers, agent: false }, (answer) => {
        answer.resume();
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, retryAfter: Number(answer.headers['retry-after']) }));
      });
      call.on('error', reject);
      call.end(JSON.stringify(ADMIN));
    });
  const statuses: number[] = [];
  for (let n = 0; n < 51; n += 1) statuses.push((await signIn('127.0.0.5')).status);
  assert.deepEqual([statuses.slice(0, 50).every((status) => status === 200), statuses[50]], [true, 429]);
  assert.ok((await signIn('127.0.0.5')).retryAfter > 0);
  assert.equal((await signIn('127.0.0.6')).status, 200);
});

test('tokens carry the recorded claims and live seven days', async () => {
  const claims = JSON.parse(Buffer.from(on.token.split('.')[1] ?? '', 'base64url').toString()) as Record<string, unknown>;
  assert.equal(claims['type'], 'USER');
  assert.equal(claims['iss'], 'activepieces');
  assert.equal(Number(claims['exp']) - Number(claims['iat']), 604_800);
  assert.match(String((claims['platform'] as { id: string }).id), /^[0-9a-zA-Z]{21}$/);
  assert.equal(String(claims['tokenVersion']).length, 21);
});

test('lists give every row once, forward and back', async () => {
  const paged = await startTestEngine([]);
  for (let n = 0; n < 7; n += 1) await paged.call('POST', '/api/v1/flows', { displayName: `flow ${n}`, projectId: paged.projectId });
  type Page = { data: { id: string }[]; next: string | null; previous: string | null };
  const page = async (cursor: string | null): Promise<Page> =>
    (
      await paged.call(
        'GET',
        `/api/v1/flows?projectId=${paged.projectId}&limit=3${cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`}`,
      )
    ).body as Page;
  const first = await page(null);
  const second = await page(first.next);
  const third = await page(second.next);
  assert.equal(new Set([...first.data, ...second.data, ...third.data].map(({ id }) => id)).size, 7);
  assert.deepEqual([first.previous, third.next], [null, null]);
  assert.deepEqual(
    (await page(third.previous)).data.map(({ id }) => id),
    second.data.map(({ id }) => id),
  );
  const named = (await paged.call('GET', `/api/v1/flows?projectId=${paged.projectId}&name=W%204`)).body as Page;
  assert.equal(named.data.length, 1);
  await paged.close();
});
