import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { LIMITS } from '@partner-portal/contract/vocabulary.ts';
import { ingestToken } from '@partner-portal/core/execution/token.ts';
import { CALL, type ExecutionService, startExecutionService } from '@partner-portal/tests/harness/executions.ts';

/** Events in the formats of those who send them, over a connection. */

let service: ExecutionService;
let origin: string;

before(async () => {
  service = await startExecutionService();
  origin = await service.listen();
});
after(() => service.close());

/** An installed agent of an agency of its own. */
const agentOf = (templateName = 'missed-call-text-back', credits = 1_000): Promise<string> =>
  service.addAgencyAgent({ templateName, credits });

type Sent = { body?: string | Buffer | FormData; type?: string; headers?: Record<string, string>; method?: string; path?: string };
async function send(workflowId: string, { body, type, headers = {}, method = 'POST', path }: Sent) {
  const token = ingestToken(service.callbackSecret.reveal(), workflowId);
  const response = await fetch(`${origin}${path ?? `/webhooks/agents/${workflowId}`}?token=${token}`, {
    method,
    headers: { ...(type === undefined ? {} : { 'content-type': type }), ...headers },
    ...(body === undefined ? {} : { body: Buffer.isBuffer(body) ? new Uint8Array(body) : body }),
  });
  const text = await response.text();
  const parsed: unknown = text === '' ? null : JSON.parse(text);
  return { status: response.status, headers: response.headers, body: parsed as any }; // oxlint-disable-line typescript/no-explicit-any -- replies of several shapes
}
const json = (workflowId: string, value: unknown, headers: Record<string, string> = {}) =>
  send(workflowId, { body: JSON.stringify(value), type: 'application/json', headers });
const form = (workflowId: string, fields: string | Record<string, string>, headers: Record<string, string> = {}) =>
  send(workflowId, { body: new URLSearchParams(fields).toString(), type: 'application/x-www-form-urlencoded', headers });
const multipart = (workflowId: string, fields: Record<string, string>) => {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.append(name, value);
  return send(workflowId, { body });
};

/** The input of the one run that the reply names. */
async function inputOf(reply: Awaited<ReturnType<typeof send>>): Promise<Record<string, unknown>> {
  assert.equal(reply.status, 202, JSON.stringify(reply.body));
  assert.equal(reply.body.accepted, true);
  const [row] = await service.query<{ input: Record<string, unknown> }>('select input from execution_payload where id = $1', [
    reply.body.executionId,
  ]);
  assert.ok(row);
  return row.input;
}
const runsOf = async (workflowId: string) =>
  (await service.query<{ id: string }>('select id from execution where workflow_id = $1 order by id', [workflowId])).map(({ id }) => id);
const inboundOf = (workflowId: string) =>
  service.query<{
    outcome: string;
    reason: string | null;
    status: number;
    execution_id: string | null;
    remarks: { remark: string }[] | null;
  }>('select outcome, reason, status, execution_id, remarks from inbound_event where workflow_id = $1 order by id', [workflowId]);

describe('an event of a known sender', () => {
  it('of Twilio is a form', async () => {
    const agent = await agentOf();
    const input = await inputOf(
      await form(agent, { CallSid: 'CA1', From: '+13125550121', To: '+13125550100', CallStatus: 'no-answer', Direction: 'inbound' }),
    );
    assert.deepEqual(input, { ...CALL, CallSid: 'CA1', CallStatus: 'no-answer', Direction: 'inbound' });
  });

  it('of Jotform is a form in parts with its answers as JSON in rawRequest', async () => {
    const agent = await agentOf('lead-follow-up-email');
    const rawRequest = JSON.stringify({ slug: 'submit/240', email: 'ada@example.com', name: 'Ada Müller', message: 'Roof' });
    const fields = { formID: '240', submissionID: '5991234567890123456', pretty: 'E-mail:ada@example.com', formTitle: 'Quote', rawRequest };
    const input = await inputOf(await multipart(agent, fields));
    assert.deepEqual(
      { leadEmail: input['leadEmail'], leadName: input['leadName'], message: input['message'], id: input['submissionID'] },
      { leadEmail: 'ada@example.com', leadName: 'Ada Müller', message: 'Roof', id: '5991234567890123456' },
    );
    assert.equal(input['rawRequest'], undefined);
  });

  it('of a chat program is JSON in payload, and of others in a field of any name', async () => {
    const agent = await agentOf('lead-follow-up-email');
    const event = { leadEmail: 'ada@example.com', leadName: 'Ada', order: 1, blocks: [{ id: 'x' }] };
    for (const name of ['payload', 'data', 'rawRequest', 'json'])
      assert.deepEqual(await inputOf(await form(agent, { [name]: JSON.stringify(event) })), event, name);
  });

  it('that claims the field keeps it: the input of the intake cleaner is named payload', async () => {
    const agent = await agentOf('lead-intake-cleaner');
    const lead = { name: 'Ada', email: 'ada@example.com' };
    for (const name of ['payload', 'data', 'leads'])
      assert.deepEqual(await inputOf(await form(agent, { [name]: JSON.stringify([lead, lead]) })), { payload: [lead, lead] }, name);
    assert.deepEqual(await inputOf(await form(agent, { payload: JSON.stringify(lead), page: '/contact' })), {
      payload: lead,
      page: '/contact',
    });
    assert.deepEqual(await inputOf(await form(agent, { payload: '{not json}' })), { payload: '{not json}' });
  });

  it('of WordPress (Contact Form 7) has its names in fields, repeated ones as lists', async () => {
    const agent = await agentOf('lead-follow-up-email');
    const body = 'name=Ada&email=ada%40example.com&message=Hi&service%5B%5D=Roof&service%5B%5D=Gutter&_wpcf7=7';
    const input = await inputOf(await send(agent, { body, type: 'application/x-www-form-urlencoded; charset=UTF-8' }));
    assert.deepEqual(input['service'], ['Roof', 'Gutter']);
    assert.equal(input['leadEmail'], 'ada@example.com');
  });

  it('of Typeform, Calendly and a spreadsheet is JSON with long ids, which stay as they were', async () => {
    const agent = await agentOf('lead-intake-cleaner');
    const body =
      '{"event_id":"01H","form_response":{"answers":[{"number":12345678901234567890},{"number":0.1}]},"total":19.990000000000000001}';
    const input = await inputOf(await send(agent, { body: `{"name":"Ada",${body.slice(1)}`, type: 'application/json' }));
    assert.deepEqual(input['form_response'], { answers: [{ number: '12345678901234567890' }, { number: 0.1 }] });
    assert.equal(input['total'], '19.990000000000000001');
  });

  it('of Exchange and Windows scripts is UTF-16 or begins with a mark', async () => {
    const agent = await agentOf('lead-intake-cleaner');
    const text = JSON.stringify({ name: 'Jürgen Łoś' });
    for (const body of [Buffer.from(`\uFEFF${text}`), Buffer.from(`\uFEFF${text}`, 'utf16le'), Buffer.from(text, 'utf16le')])
      assert.deepEqual(await inputOf(await send(agent, { body, type: 'application/json' })), { name: 'Jürgen Łoś' });
    const zipped = await send(agent, {
      body: gzipSync(`\uFEFF${text}`),
      type: 'application/json',
      headers: { 'content-encoding': 'gzip' },
    });
    assert.deepEqual(await inputOf(zipped), { name: 'Jürgen Łoś' });
  });

  it('of a mail gateway is a form in parts, whose envelope does not replace its fields', async () => {
    const agent = await agentOf('ai-email-triage');
    const mail = {
      from: 'Ada <ada@example.com>',
      subject: 'Grüße',
      text: 'Hello',
      envelope: '{"to":["in@x.example"],"from":"bounce@x.example","subject":"other"}',
    };
    const input = await inputOf(await multipart(agent, mail));
    assert.deepEqual([input['fromEmail'], input['subject'], input['envelope']], [mail.from, 'Grüße', mail.envelope]);
    const body = new FormData();
    for (const [name, value] of Object.entries(mail)) body.append(name, value);
    body.append('attachment1', new Blob(['x'.repeat(4 * LIMITS.eventBytesMax)]), 'roof.jpg');
    const accepted = await send(agent, { body });
    assert.equal((await inputOf(accepted))['text'], 'Hello');
    const [row] = await service.query<{ remarks: { remark: string }[] }>('select remarks from execution_payload where id = $1', [
      accepted.body.executionId,
    ]);
    assert.deepEqual(
      row?.remarks.map(({ remark }) => remark),
      ['A file was left out: "roof.jpg".'],
    );
    const form = new FormData();
    form.append('photo', new Blob(['bytes']), 'roof.jpg');
    const refused = await send(await agentOf('lead-follow-up-email'), { body: form });
    assert.deepEqual([refused.status, refused.body.code], [415, 'unsupported_media_type']);
    assert.match(refused.body.detail, /without files.*"photo"/);
    const long = new FormData();
    long.append('text', 'x'.repeat(LIMITS.eventBytesMax));
    assert.equal((await send(agent, { body: long })).status, 413);
  });

  it('in an old charset is read by it', async () => {
    const agent = await agentOf('lead-follow-up-email');
    const body = 'email=a%40example.com&name=Jos%E9&message=M%FCller';
    const named = await inputOf(await send(agent, { body, type: 'application/x-www-form-urlencoded; charset=ISO-8859-1' }));
    assert.deepEqual([named['leadName'], named['message']], ['José', 'Müller']);
    const silent = await send(agent, { body, type: 'application/x-www-form-urlencoded' });
    assert.equal((await inputOf(silent))['message'], 'Müller');
    const [row] = await service.query<{ remarks: { key: null; remark: string }[] }>('select remarks from execution_payload where id = $1', [
      silent.body.executionId,
    ]);
    assert.match(row?.remarks[0]?.remark ?? '', /windows-1252/);
    const unknown = await send(agent, { body, type: 'application/x-www-form-urlencoded; charset=klingon' });
    assert.deepEqual([unknown.status, unknown.body.code], [415, 'unsupported_media_type']);
    assert.match(unknown.body.detail, /"klingon"/);
  });
});

describe('JSON that loses something', () => {
  it('with a number beyond every double is refused with its path and value, and logged', async () => {
    const agent = await agentOf();
    const body = JSON.stringify({ ...CALL, order: { total: 1 } }).replace('"total":1', '"total":1e400');
    const refused = await send(agent, { body, type: 'application/json' });
    assert.deepEqual([refused.status, refused.body.code, refused.body.errors[0].field], [422, 'validation_failed', 'order.total']);
    assert.match(refused.body.detail, /order\.total.*1e400/);
    assert.deepEqual(
      (await inboundOf(agent)).map(({ reason, status }) => [reason, status]),
      [['validation_failed', 422]],
    );
  });

  it('with a repeated member takes the last value and says so', async () => {
    const agent = await agentOf();
    const reply = await send(agent, {
      body: `{"callerNumber":"+1","callerNumber":"+13125550121","businessNumber":"+13125550100"}`,
      type: 'application/json',
    });
    assert.deepEqual(await inputOf(reply), CALL);
    const [row] = await service.query<{ remarks: unknown }>('select remarks from execution_payload where id = $1', [
      reply.body.executionId,
    ]);
    assert.deepEqual(row?.remarks, [{ key: null, remark: '"callerNumber" came more than once. The last value counts.' }]);
  });
});

describe('a list of events', () => {
  const calls = (count: number) => Array.from({ length: count }, (_, at) => ({ ...CALL, callerNumber: `+1312555${String(1_000 + at)}` }));

  it('starts one run for each, and its reply has one outcome for each', async () => {
    const agent = await agentOf();
    const reply = await json(agent, [...calls(2), { note: 'no number' }]);
    assert.equal(reply.status, 202);
    assert.equal(reply.body.accepted, 2);
    assert.deepEqual(
      reply.body.results.map((one: { accepted: boolean }) => one.accepted),
      [true, true, false],
    );
    assert.deepEqual(
      reply.body.results
        .slice(0, 2)
        .map((one: { executionId: string }) => one.executionId)
        .toSorted(),
      (await runsOf(agent)).toSorted(),
    );
    const [, , { error }] = reply.body.results;
    assert.deepEqual([error.code, error.status], ['missing_input', 422]);
    assert.match(error.detail, /callerNumber/);
    assert.equal((await service.limits.peek('ingest', agent)).remaining, 57);
    assert.deepEqual(
      (await inboundOf(agent)).map(({ reason }) => reason),
      ['missing_input'],
    );
  });

  it('of one is answered like an event', async () => {
    const agent = await agentOf();
    assert.deepEqual(await inputOf(await json(agent, [CALL])), CALL);
    assert.deepEqual((await json(agent, [{}])).body.code, 'missing_input');
  });

  it('is one event for a template that takes a list', async () => {
    const agent = await agentOf('lead-intake-cleaner');
    const leads = Array.from({ length: 80 }, (_, at) => ({ name: `Lead ${at}` }));
    assert.deepEqual(await inputOf(await json(agent, leads)), { payload: leads });
  });

  it('has at most sixty, and those above the sixty a minute are refused each', async () => {
    const agent = await agentOf();
    const refused = await json(agent, calls(61));
    assert.deepEqual([refused.status, refused.body.code], [422, 'validation_failed']);
    assert.match(refused.body.detail, /at most 60 events.*61/);
    assert.deepEqual(await runsOf(agent), []);
    const second = await agentOf();
    const all = await json(second, calls(60));
    assert.equal(all.body.accepted, 60);
    const third = await agentOf();
    for (let n = 0; n < 55; n += 1) await service.limits.count('ingest', third);
    const part = await json(third, calls(8));
    assert.deepEqual(
      part.body.results.map((one: { accepted: boolean; error?: { code: string } }) => one.error?.code ?? 'ok'),
      [...Array.from({ length: 5 }, () => 'ok'), ...Array.from({ length: 3 }, () => 'rate_limited')],
    );
  });

  it('counts credits for each: those that have none left are refused, the others start', async () => {
    const agent = await agentOf('missed-call-text-back', 2);
    const reply = await json(agent, calls(3));
    assert.equal(reply.body.accepted, 2);
    assert.deepEqual(
      reply.body.results.map((one: { error?: { code: string } }) => one.error?.code ?? 'ok'),
      ['ok', 'ok', 'quota_exceeded'],
    );
  });

  it('of which none is accepted is refused like its first', async () => {
    const agent = await agentOf();
    await service.query('update workflow set is_active = false where id = $1', [agent]);
    const refused = await json(agent, calls(3));
    assert.deepEqual([refused.status, refused.body.code], [409, 'workflow_inactive']);
    assert.match(refused.body.detail, /None of the 3 events/);
    assert.equal((await service.limits.peek('ingest', agent)).remaining, 60);
  });

  it('that is repeated with its key starts nothing twice, and what was refused is tried again', async () => {
    const agent = await agentOf('missed-call-text-back', 2);
    const headers = { 'idempotency-key': 'list-1' };
    const first = await json(agent, calls(3), headers);
    await service.query('update partner_quota set monthly_credits = 9 where partner_id = (select partner_id from workflow where id = $1)', [
      agent,
    ]);
    const again = await json(agent, calls(3), headers);
    assert.equal(again.body.accepted, 3);
    assert.deepEqual(again.body.results.slice(0, 2), first.body.results.slice(0, 2));
    assert.equal((await runsOf(agent)).length, 3);
    const changed = await json(agent, [calls(1)[0], CALL, calls(3)[2]], headers);
    assert.equal(changed.body.results[1].error.code, 'idempotency_key_reused');
  });
});

describe('the address of events', () => {
  it('answers every method but POST with 405, Allow and a sentence', async () => {
    const agent = await agentOf();
    for (const path of [`/webhooks/agents/${agent}`, `/webhooks/agents/${agent}/`]) {
      for (const method of ['GET', 'PUT', 'PATCH', 'DELETE']) {
        const sent = method === 'GET' ? {} : { body: JSON.stringify(CALL), type: 'application/json' };
        const got = await send(agent, { method, path, ...sent });
        assert.deepEqual([got.status, got.headers.get('allow'), got.body.code], [405, 'POST', 'method_not_allowed'], method);
        assert.equal(got.headers.get('content-type')?.split(';')[0], 'application/problem+json');
        assert.match(got.body.detail, /with POST/);
      }
      const head = await send(agent, { method: 'HEAD', path });
      assert.deepEqual([head.status, head.headers.get('allow'), head.body], [405, 'POST', null]);
    }
    assert.deepEqual(await runsOf(agent), []);
    assert.equal((await service.limits.peek('ingest', agent)).remaining, 60);
    assert.equal((await json(agent, CALL)).status, 202);
  });

  it('is the same with a slash at its end', async () => {
    const agent = await agentOf();
    const path = `/webhooks/agents/${agent}/`;
    assert.deepEqual(await inputOf(await send(agent, { body: JSON.stringify(CALL), type: 'application/json', path })), CALL);
    const wrong = await fetch(`${origin}${path}?token=wrong`, {
      method: 'POST',
      body: '{}',
      headers: { 'content-type': 'application/json' },
    });
    assert.equal(wrong.status, 401);
  });
});

describe('an event that its sender repeats', () => {
  const HEADERS = ['webhook-id', 'svix-id', 'X-Shopify-Webhook-Id', 'I-Twilio-Idempotency-Token', 'X-GitHub-Delivery'];
  for (const name of HEADERS) {
    it(`with the same ${name} starts nothing, also when a time in it differs`, async () => {
      const agent = await agentOf();
      const first = await json(agent, { ...CALL, sentAt: 1 }, { [name]: 'one' });
      const again = await json(agent, { ...CALL, sentAt: 2 }, { [name]: 'one' });
      assert.deepEqual([again.status, again.body], [202, first.body]);
      assert.notEqual((await json(agent, CALL, { [name]: 'two' })).body.executionId, first.body.executionId);
      assert.equal((await runsOf(agent)).length, 2);
      const [logged] = await inboundOf(agent);
      assert.deepEqual([logged?.outcome, logged?.status, logged?.execution_id], ['accepted', 202, first.body.executionId]);
      assert.match(logged?.remarks?.[0]?.remark ?? '', new RegExp(`repeat.*${name.toLowerCase()}`));
    });
  }

  it('is another one with another X-Request-Id, which names an attempt', async () => {
    const agent = await agentOf();
    const [first, second] = [await json(agent, CALL, { 'x-request-id': 'r' }), await json(agent, CALL, { 'x-request-id': 'r' })];
    assert.notEqual(first.body.executionId, second.body.executionId);
  });

  it('goes by its own Idempotency-Key first, which compares bodies', async () => {
    const agent = await agentOf();
    await json(agent, CALL, { 'idempotency-key': 'k1', 'webhook-id': 'w' });
    assert.equal((await json(agent, CALL, { 'idempotency-key': 'k2', 'webhook-id': 'w' })).status, 202);
    assert.equal((await runsOf(agent)).length, 2);
    assert.equal((await json(agent, { ...CALL, x: 1 }, { 'idempotency-key': 'k2' })).body.code, 'idempotency_key_reused');
    // A key and an id of the same text are apart.
    assert.equal((await json(agent, CALL, { 'webhook-id': 'k1' })).status, 202);
    assert.equal((await runsOf(agent)).length, 3);
  });

  it('is no end of a call that rang before: it starts a run of its own, once', async () => {
    const agent = await agentOf();
    const call = { From: CALL.callerNumber, To: CALL.businessNumber, CallSid: 'CA11' };
    const rings = await form(agent, { ...call, CallStatus: 'ringing' });
    assert.deepEqual((await form(agent, { ...call, CallStatus: 'ringing' })).body, rings.body, 'the same state twice is a repeat');
    const missed = await form(agent, { ...call, CallStatus: 'no-answer' });
    assert.notEqual(missed.body.executionId, rings.body.executionId);
    assert.deepEqual((await form(agent, { ...call, CallStatus: 'no-answer' })).body, missed.body);
    await service.query(`update workflow set event_id_from = '{"input": "callId"}' where id = $1`, [agent]);
    const own = { ...call, CallSid: '', callId: 'c1', direction: 'in' };
    const begun = await form(agent, { ...own, event: 'newCall' });
    assert.notEqual((await form(agent, { ...own, event: 'hangup', cause: 'noAnswer' })).body.executionId, begun.body.executionId);
  });

  it('is known by what its template names: one call is one run, whatever its callbacks say', async () => {
    const agent = await agentOf();
    const call = { From: CALL.callerNumber, To: CALL.businessNumber, CallSid: 'CA9' };
    const first = await form(agent, { ...call, CallStatus: 'no-answer' });
    const again = await form(agent, { ...call, CallStatus: 'completed' });
    assert.deepEqual(again.body, first.body);
    assert.match((await inboundOf(agent))[0]?.remarks?.[0]?.remark ?? '', /"CallSid"/);
    assert.notEqual((await form(agent, { ...call, CallSid: 'CA10' })).body.executionId, first.body.executionId);
    const texts = await agentOf('ai-faq-reply');
    const text = { From: CALL.callerNumber, To: CALL.businessNumber, Body: 'Open today?', MessageSid: 'SM1' };
    assert.deepEqual((await form(texts, text)).body, (await form(texts, text)).body);
    const mails = await agentOf('ai-email-triage');
    const mail = { from: 'a@example.com', subject: 'Hi', text: 'Hi', 'Message-Id': '<1@example.com>' };
    assert.deepEqual((await multipart(mails, mail)).body, (await multipart(mails, mail)).body);
    assert.equal((await runsOf(mails)).length, 1);
  });

  it('holds for twenty at once, and for each event of a list', async () => {
    const agent = await agentOf();
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, sentAt) => json(agent, { ...CALL, sentAt }, { 'webhook-id': 'same' })),
    );
    assert.equal(new Set(replies.map(({ body }) => body.executionId)).size, 1);
    const list = [CALL, { ...CALL, callerNumber: '+13125550122' }];
    const first = await json(agent, list, { 'webhook-id': 'list' });
    assert.equal(first.body.accepted, 2);
    assert.deepEqual((await json(agent, list, { 'webhook-id': 'list' })).body, first.body);
    assert.equal((await runsOf(agent)).length, 3);
  });
});

describe('the id that an agent names', () => {
  const set = (agent: string, from: unknown) =>
    service.query('update workflow set event_id_from = $2 where id = $1', [agent, from === null ? null : JSON.stringify(from)]);

  it('counts from the next event on, in every process', async () => {
    const agent = await agentOf();
    const [first, second] = [await json(agent, { ...CALL, order: { id: 7 } }), await json(agent, { ...CALL, order: { id: 7 } })];
    assert.notEqual(first.body.executionId, second.body.executionId);
    await set(agent, { input: 'order.id' });
    const third = await json(agent, { ...CALL, order: { id: 7 } });
    assert.deepEqual((await json(agent, { ...CALL, order: { id: 7 }, again: true })).body, third.body);
    assert.equal((await runsOf(agent)).length, 3);
    await set(agent, { header: 'x-order' });
    const fourth = await json(agent, { ...CALL, order: { id: 7 } }, { 'X-Order': '7' });
    assert.notEqual(fourth.body.executionId, third.body.executionId, 'another place is another id');
    assert.deepEqual((await json(agent, CALL, { 'X-Order': '7' })).body, fourth.body);
    await set(agent, null);
    assert.equal((await json(agent, CALL, { 'X-Order': '7' })).status, 202);
    assert.equal((await runsOf(agent)).length, 5);
  });

  it('names each event of a list', async () => {
    const agent = await agentOf();
    await set(agent, { input: 'id' });
    const first = await json(agent, [
      { ...CALL, id: 'a' },
      { ...CALL, id: 'b' },
    ]);
    const again = await json(agent, [
      { ...CALL, id: 'b' },
      { ...CALL, id: 'a' },
      { ...CALL, id: 'c' },
    ]);
    assert.equal(again.body.accepted, 3);
    assert.equal(again.body.results[0].executionId, first.body.results[1].executionId);
    assert.equal((await runsOf(agent)).length, 3);
  });
});
