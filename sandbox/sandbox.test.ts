import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { REFUSAL_MEANINGS } from '@partner-portal/core/provider/refusals.ts';
import { createTestDatabase, type TestDatabase } from '@partner-portal/tests/harness/database.ts';
import pg from 'pg';
import { startSandbox, type Sandbox } from './index.ts';

const SID = `AC${'0'.repeat(32)}`;

let database: TestDatabase;
let sandbox: Sandbox;

before(async () => {
  database = await createTestDatabase();
  sandbox = await startSandbox({ pg: database.configFor('portal_sandbox'), host: '127.0.0.1', port: 0 });
});

after(async () => {
  await sandbox.close();
  await database.drop();
});

type Answer = { status: number; body: Record<string, unknown> };

async function call(method: string, path: string, headers: Record<string, string>, body?: unknown): Promise<Answer> {
  const init: RequestInit = {
    method,
    headers: { ...(typeof body === 'object' ? { 'content-type': 'application/json' } : {}), ...headers },
  };
  if (body !== undefined) init.body = typeof body === 'string' ? body : JSON.stringify(body);
  const response = await fetch(`http://127.0.0.1:${sandbox.port}${path}`, init);
  // A parse boundary: every stand-in answers with a JSON object.
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

function text(fields: Record<string, string>, token = 'sandbox-token'): Promise<Answer> {
  const authorization = `Basic ${Buffer.from(`${SID}:${token}`).toString('base64')}`;
  const headers = { authorization, 'content-type': 'application/x-www-form-urlencoded' };
  return call('POST', `/twilio/2010-04-01/Accounts/${SID}/Messages.json`, headers, new URLSearchParams(fields).toString());
}

/** Codes with their status, each played by a number of its own. */
const PLAYED: { [code: string]: number } = {
  ...Object.fromEntries(
    Object.keys(REFUSAL_MEANINGS.twilio)
      .filter((code) => Number(code) >= 20000)
      .map((code) => [code, 400]),
  ),
  20003: 401,
  20005: 401,
  20404: 404,
  20429: 429,
  63017: 429,
  63038: 429,
};

const GOOD_TEXT = { To: '+13125550121', From: '+13125550100', Body: 'Hello' };

describe('the telephony stand-in', () => {
  it('creates a message for a valid account and number', async () => {
    const { status, body } = await text(GOOD_TEXT);
    assert.equal(status, 201);
    assert.match(String(body['sid']), /^SM[0-9a-f]{32}$/);
    assert.equal(body['status'], 'queued');
    assert.equal(body['num_segments'], '1');
  });

  it('refuses any other token with the code of the real service', async () => {
    const { status, body } = await text(GOOD_TEXT, 'something-else');
    assert.deepEqual([status, body['code'], body['status']], [401, 20003, 401]);
  });

  const refusals: [string, Record<string, string>, number][] = [
    ['no recipient', { From: GOOD_TEXT.From, Body: 'x' }, 21604],
    ['a number without a country', { ...GOOD_TEXT, To: '3125550121' }, 21211],
    ['the magic invalid number', { ...GOOD_TEXT, To: '+15005550001' }, 21211],
    ['a number that opted out', { ...GOOD_TEXT, To: '+15005550004' }, 21610],
    ['a number with the zero of calls inside its country', { ...GOOD_TEXT, To: '+4402079460000' }, 21211],
    ['a number that is too short for its country', { ...GOOD_TEXT, To: '+1312555012' }, 21211],
    ['a number that is too long for its country', { ...GOOD_TEXT, To: '+131255501210' }, 21211],
    ['a number with blanks', { ...GOOD_TEXT, To: '+1 312 555 0121' }, 21211],
    ['a sender that is no number of its country', { ...GOOD_TEXT, From: '+131255501' }, 21212],
    ['a text from one channel to another', { ...GOOD_TEXT, To: `whatsapp:${GOOD_TEXT.To}` }, 21910],
    ['a text to the sender', { ...GOOD_TEXT, To: GOOD_TEXT.From }, 21266],
    ['no sender', { To: GOOD_TEXT.To, Body: 'x' }, 21603],
    ['a sender of another account', { ...GOOD_TEXT, From: '+15005550007' }, 21606],
    ['an empty text', { To: GOOD_TEXT.To, From: GOOD_TEXT.From }, 21602],
    ['a text that is too long', { ...GOOD_TEXT, Body: 'x'.repeat(1601) }, 21617],
  ];
  for (const [what, fields, code] of refusals) {
    it(`refuses ${what} with ${code}`, async () => {
      const { status, body } = await text(fields);
      assert.deepEqual([status, body['code']], [400, code]);
    });
  }

  for (const [code, status] of Object.entries(PLAYED)) {
    it(`refuses the number that plays ${code}, also as the sender`, async () => {
      const number = `+1500${code}00`;
      for (const fields of [{ To: number }, { From: number }]) {
        const answer = await text({ ...GOOD_TEXT, ...fields });
        assert.deepEqual([answer.status, answer.body['code'], answer.body['status']], [status, Number(code), status]);
      }
    });
  }

  it('accepts numbers of other countries, with the zero that belongs to them, and counts segments', async () => {
    for (const To of ['+442079460000', '+390612345678', '+4915112345678']) assert.equal((await text({ ...GOOD_TEXT, To })).status, 201, To);
    assert.equal((await text({ ...GOOD_TEXT, Body: '€'.repeat(81) })).body['num_segments'], '2');
    assert.equal((await text({ ...GOOD_TEXT, Body: '🦷'.repeat(36) })).body['num_segments'], '2');
  });

  it('accepts the magic valid sender', async () => {
    assert.equal((await text({ ...GOOD_TEXT, From: '+15005550006' })).status, 201);
  });
});

describe('the mail stand-in', () => {
  const mail = { from: 'Oak Street <hello@oakstreet.example>', to: ['ada@example.com'], subject: 'Hello', text: 'Hi' };
  const send = (body: object, key = 're_sandbox') => call('POST', '/resend/emails', { authorization: `Bearer ${key}` }, body);

  it('accepts a complete mail', async () => {
    const { status, body } = await send(mail);
    assert.equal(status, 200);
    assert.match(String(body['id']), /^[0-9a-f-]{36}$/);
  });
  it('refuses another key, a missing field and a bad address', async () => {
    assert.deepEqual((await send(mail, 're_other')).body['name'], 'invalid_api_key');
    const listed = await call('GET', '/resend/domains', { authorization: 'Bearer re_other' });
    assert.deepEqual([listed.status, listed.body['name'], listed.body['message']], [400, 'validation_error', 'API key is invalid']);
    assert.deepEqual((await send({ ...mail, subject: undefined })).body['name'], 'missing_required_field');
    assert.deepEqual((await send({ ...mail, to: ['no address'] })).body['name'], 'validation_error');
  });
  const names: [string, number][] = [
    ['Bergmann, Söhne', 422],
    ['Bergmann, Sons', 422],
    ['Praxis (Wien)', 422],
    ['Law: Lee', 422],
    ['a@b', 422],
    ['Söhne', 422],
    ['"open', 422],
    ['"Bergmann, Sons @ Wine; (Praxis)"', 200],
    ['"a \\"quoted\\" name"', 200],
    ['=?UTF-8?Q?Bergmann=2C_S=C3=B6hne?=', 200],
    ['Smith & Co.', 200],
  ];
  for (const [name, status] of names)
    it(`${status === 200 ? 'accepts' : 'refuses'} ${name} as the name of an address (RFC 5322)`, async () => {
      const address = `${name} <hello@oakstreet.example>`;
      for (const field of [{ from: address }, { to: [address] }]) {
        const answer = await send({ ...mail, ...field });
        assert.deepEqual([answer.status, answer.body['name']], [status, status === 200 ? undefined : 'validation_error']);
      }
    });
});

describe('the scheduling stand-in', () => {
  const headers = { authorization: 'Bearer cal_sandbox', 'cal-api-version': '2024-08-13' };

  it('returns a booking and its cancellation', async () => {
    const made = await call('POST', '/calcom/v2/bookings', headers, {
      start: '2100-01-05T09:00:00Z',
      eventTypeId: 7,
      attendee: { name: 'Ada', timeZone: 'UTC' },
    });
    assert.equal(made.status, 201);
    // A parse boundary: the shape is asserted by what follows.
    const { uid } = made.body['data'] as { uid: string };
    await call('POST', `/calcom/v2/bookings/${uid}/cancel`, headers, { cancellationReason: 'ill' });
    const found = await call('GET', `/calcom/v2/bookings?bookingUid=${uid}`, headers);
    const [booking] = found.body['data'] as { status: string }[];
    assert.equal(booking?.status, 'cancelled');
  });
  it('lists upcoming bookings, earliest first and by page, without cancelled ones', async () => {
    const book = async (start: string, name: string): Promise<string> => {
      const made = await call('POST', '/calcom/v2/bookings', headers, { start, eventTypeId: 7, attendee: { name, timeZone: 'UTC' } });
      return (made.body['data'] as { uid: string }).uid; // asserted by what follows
    };
    const later = await book('2100-03-02T10:00:00Z', 'Later');
    const sooner = await book('2100-03-01T10:00:00Z', 'Sooner');
    const gone = await book('2100-03-01T12:00:00Z', 'Gone');
    await call('POST', `/calcom/v2/bookings/${gone}/cancel`, headers, {});
    const list = async (query: string) => {
      const { body } = await call(
        'GET',
        `/calcom/v2/bookings?status=upcoming&sortStart=asc&afterStart=2100-03-01T00:00:00.000Z${query}`,
        headers,
      );
      return body as { data: { uid: string }[]; pagination: { hasNextPage: boolean; totalItems: number } };
    };
    assert.deepEqual(
      (await list('')).data.map((one) => one.uid),
      [sooner, later],
    );
    const first = await list('&take=1');
    assert.deepEqual([first.data[0]?.uid, first.pagination.hasNextPage, first.pagination.totalItems], [sooner, true, 2]);
    const second = await list('&take=1&skip=1');
    assert.deepEqual([second.data[0]?.uid, second.pagination.hasNextPage], [later, false]);
    assert.deepEqual(
      (await list('&beforeEnd=2100-03-01T23:00:00.000Z')).data.map((one) => one.uid),
      [sooner],
    );
    assert.equal((await call('GET', '/calcom/v2/bookings?take=251', headers)).status, 400);
    assert.equal((await call('GET', '/calcom/v2/bookings?afterStart=soon', headers)).status, 400);
  });
  it('offers slots on weekdays only', async () => {
    const { body } = await call('GET', '/calcom/v2/slots?eventTypeId=7&start=2100-01-08&end=2100-01-11', headers);
    assert.deepEqual(Object.keys(body['data'] as object), ['2100-01-08', '2100-01-11']);
  });
  it('refuses another key and an unknown booking', async () => {
    assert.equal((await call('GET', '/calcom/v2/me', { authorization: 'Bearer other' })).status, 401);
    assert.equal((await call('GET', '/calcom/v2/me', headers)).status, 200);
    assert.equal((await call('GET', '/calcom/v2/bookings/none', headers)).status, 404);
  });
});

describe('the language model stand-ins', () => {
  const messages = [
    { role: 'system', content: 'Score the lead. Answer as JSON with the keys "score", "reason", "nextStep".' },
    { role: 'user', content: 'Ready to book today, what is the price?' },
  ];
  const chat = (body: object, key = 'sk-sandbox') => call('POST', '/openai/v1/chat/completions', { authorization: `Bearer ${key}` }, body);
  const request = { model: 'gpt-4.1-mini', messages, response_format: { type: 'json_object' } };

  it('provider A answers the same prompt with the same JSON and counts tokens', async () => {
    const [one, other] = [await chat(request), await chat(request)];
    const content = (answer: Answer) => (answer.body['choices'] as { message: { content: string } }[])[0]?.message.content ?? '';
    assert.equal(content(one), content(other));
    assert.deepEqual(Object.keys(JSON.parse(content(one)) as object), ['score', 'reason', 'nextStep']);
    assert.ok((one.body['usage'] as { prompt_tokens: number }).prompt_tokens > 0);
  });
  it('provider A refuses another key and an unknown model with its own error', async () => {
    assert.equal(((await chat(request, 'sk-other')).body['error'] as { code: string }).code, 'invalid_api_key');
    assert.equal(((await chat({ ...request, model: 'nonsense' })).body['error'] as { code: string }).code, 'model_not_found');
  });

  const ask = (headers: Record<string, string>, body: object) => call('POST', '/anthropic/v1/messages', headers, body);
  const claude = {
    model: 'claude-haiku-4-5',
    max_tokens: 300,
    system: 'Write a mail.',
    messages: [{ role: 'user', content: 'Name: Ada Byron' }],
  };
  const good = { 'x-api-key': 'sk-ant-sandbox', 'anthropic-version': '2023-06-01' };

  it('provider B answers with text and usage', async () => {
    const { status, body } = await ask(good, claude);
    assert.equal(status, 200);
    assert.match((body['content'] as { text: string }[])[0]?.text ?? '', /Ada/);
  });
  it('provider B refuses another key, a missing version and a missing limit', async () => {
    assert.equal((await ask({ ...good, 'x-api-key': 'other' }, claude)).status, 401);
    assert.equal((await ask({ 'x-api-key': 'sk-ant-sandbox' }, claude)).status, 400);
    assert.equal((await ask(good, { ...claude, max_tokens: undefined })).status, 400);
  });
});

describe('the list of calls', () => {
  const list = async (query: string) => {
    const { body } = await call('GET', `/calls${query}`, { authorization: `Bearer ${sandbox.token}` });
    return body as {
      data: { id: string; provider: string; path: string; body: string | null; status: number }[];
      nextCursor: string | null;
    };
  };

  it('records body and status, never a credential', async () => {
    await text({ ...GOOD_TEXT, Body: 'find-me-once' }, 'sandbox-secret-token');
    const { data } = await list('?provider=twilio&q=find-me-once');
    assert.equal(data.length, 1);
    assert.equal(data[0]?.path, '/2010-04-01/Accounts/{AccountSid}/Messages.json');
    assert.equal(data[0]?.body, 'To=%2B13125550121&From=%2B13125550100&Body=find-me-once');
    assert.doesNotMatch(JSON.stringify(await list('?limit=100')), /sandbox-secret-token|AC0000|re_sandbox|cal_sandbox/);
  });
  it('keeps the beginning of a long body only', async () => {
    const content = `long-conversation ${'x'.repeat(200_000)}`;
    await call(
      'POST',
      '/openai/v1/chat/completions',
      { authorization: 'Bearer sk-sandbox' },
      { model: 'gpt-4.1', messages: [{ role: 'user', content }] },
    );
    const { data } = await list('?q=long-conversation');
    assert.deepEqual([data.length, data[0]?.body?.length, data[0]?.status], [1, 65_536, 200]);
  });
  it('pages without gaps or duplicates', async () => {
    const first = await list('?limit=2');
    const second = await list(`?limit=2&cursor=${first.nextCursor}`);
    const whole = await list('?limit=4');
    assert.deepEqual([...first.data, ...second.data], whole.data);
  });
  it('refuses an unknown cursor', async () => {
    assert.equal((await call('GET', '/calls?cursor=zzz', { authorization: `Bearer ${sandbox.token}` })).status, 400);
  });
});

it('the sandbox forgets calls after 14 days', async () => {
  await text(GOOD_TEXT);
  const client = new pg.Client(database.configFor('portal_sandbox'));
  await client.connect();
  await client.query(
    "update sandbox.call set at = now() - interval '15 days', path = '/old' where id = (select id from sandbox.call limit 1)",
  );
  await text({ ...GOOD_TEXT, Body: 'Recent' });
  const again = await startSandbox({ pg: database.configFor('portal_sandbox'), host: '127.0.0.1', port: 0 });
  const { rows } = await client.query<{ old: number; recent: number }>(
    "select count(*) filter (where path = '/old')::int as old, count(*) filter (where path <> '/old')::int as recent from sandbox.call",
  );
  await again.close();
  await client.end();
  assert.equal(rows[0]?.old, 0);
  assert.ok((rows[0]?.recent ?? 0) > 0);
});
