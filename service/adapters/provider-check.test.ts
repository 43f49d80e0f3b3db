import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as listenOn } from 'node:net';
import { after, before, describe, it } from 'node:test';
import type { CredentialData } from '@partner-portal/core/credential/credential.ts';
import type { StoredProvider } from '@partner-portal/core/credential/provider-rules.ts';
import { createSafeFetch } from '#platform/outbound/safe-fetch.ts';
import { createProviderCheck, providerBaseUrls } from './provider-check.ts';
import { createTenantSql } from './tenant-sql.ts';

const NOTHING_SET = { openai: null, anthropic: null, calcom: null, resend: null, twilio: null };
const guard = createSafeFetch({ allowedHosts: ['127.0.0.1'] });
let answer: { status: number; body: string } = { status: 200, body: '{}' };
let seen: Pick<IncomingMessage, 'method' | 'url' | 'headers'> | undefined;

const listener: RequestListener = (request, response) => {
  const { method, url, headers } = request;
  seen = { method, url, headers };
  response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.body);
};
const server = createServer(listener);
let url = '';

before(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // listening on TCP
});
after(async () => {
  await guard.close();
  server.closeAllConnections();
  server.close();
});

function check<P extends StoredProvider>(provider: P, data: CredentialData[P], base = url) {
  return createProviderCheck({ fetch: guard, baseUrls: providerBaseUrls(NOTHING_SET, base), tenantSql: createTenantSql(guard) })(
    'a-partner',
    provider,
    data,
  );
}

describe('the check of a key', () => {
  const calls: [StoredProvider, object, string, string, string][] = [
    ['openai', { apiKey: 'k' }, '/openai/v1/models', 'authorization', 'Bearer k'],
    ['anthropic', { apiKey: 'k' }, '/anthropic/v1/models', 'x-api-key', 'k'],
    ['calcom', { apiKey: 'k' }, '/calcom/v2/me', 'authorization', 'Bearer k'],
    ['resend', { apiKey: 'k' }, '/resend/domains', 'authorization', 'Bearer k'],
    ['twilio', { accountSid: 'AC1', authToken: 't' }, '/twilio/2010-04-01/Accounts/AC1.json', 'authorization', 'Basic QUMxOnQ='],
  ];
  for (const [provider, data, path, header, value] of calls) {
    it(`of ${provider} is one GET that changes nothing`, async () => {
      answer = { status: 200, body: '{}' };
      assert.equal((await check(provider, data as CredentialData[StoredProvider])).ok, true); // the pair stands in the table above
      assert.deepEqual([seen?.method, seen?.url, seen?.headers[header]], ['GET', path, value]);
    });
  }

  const outcomes: [number, string, boolean | null, RegExp][] = [
    [401, '{}', false, /refused the key/],
    [403, '{}', false, /refused the key/],
    [400, '{"statusCode":400,"message":"API key is invalid","name":"validation_error"}', false, /refused the key/],
    [400, '{"statusCode":400,"message":"Invalid limit","name":"validation_error"}', null, /error \(400\)/],
    [401, '{"name":"restricted_api_key"}', true, /may only send/],
    [429, '{}', null, /limiting requests/],
    [500, 'secret inner words', null, /answered with an error \(500\)/],
    [302, '', null, /error \(302\)/],
  ];
  for (const [status, body, ok, message] of outcomes) {
    it(`reads ${status} ${body} in our words`, async () => {
      answer = { status, body };
      const outcome = await check('resend', { apiKey: 'k' });
      assert.equal(outcome.ok, ok);
      assert.match(outcome.message, message);
      assert.doesNotMatch(outcome.message, /inner words/);
    });
  }

  it('takes an OpenAI key that may only call models, as its restricted kind does, and no other that is refused', async () => {
    const missing = (scope: string): string =>
      JSON.stringify({ error: { message: `You have insufficient permissions for this operation. Missing scopes: ${scope}.` } });
    for (const status of [401, 403]) {
      answer = { status, body: missing('api.model.read') };
      assert.deepEqual(await check('openai', { apiKey: 'k' }), { ok: true, message: 'OpenAI accepted the key. It may not list models.' });
      answer = { status, body: missing('model.request') };
      assert.equal((await check('openai', { apiKey: 'k' })).ok, false);
    }
  });

  it('says what is wrong with a key that was stored with a character of no key, without a call; invisible ones do no harm', async () => {
    const outcome = await check('openai', { apiKey: '\u200bsk-proj-abc“' });
    assert.deepEqual(outcome, { ok: false, message: 'This is no key of OpenAI. Character 12 is a curly quote. Save the key again.' });
    const twilio = await check('twilio', { accountSid: 'AC1', authToken: 'to–ken' });
    assert.match(twilio.message, /^This is no key of Twilio\. Character 3 is an en dash\./);
    answer = { status: 200, body: '{}' };
    assert.equal((await check('openai', { apiKey: '\ufeffk\u200b' })).ok, true);
    assert.equal(seen?.headers['authorization'], 'Bearer k');
  });

  it('says when the provider is out of reach', async () => {
    const outcome = await check('openai', { apiKey: 'k' }, 'http://127.0.0.1:1');
    assert.deepEqual(outcome, { ok: null, message: 'OpenAI could not be reached: The host refused the connection.' });
  });
});

describe('the check of a database', () => {
  /** A message of the protocol: a letter, a length and fields. */
  const message = (letter: string, body: string): Buffer => {
    const bytes = Buffer.from(`${letter}\0\0\0\0${body}`, 'latin1');
    bytes.writeInt32BE(bytes.length - 1, 1);
    return bytes;
  };
  const refusal = (code: string): Buffer => message('E', `SFATAL\0VFATAL\0C${code}\0Mno words of ours\0\0`);
  const loggedIn = Buffer.concat([message('R', '\0\0\0\0'), message('Z', 'I')]);
  const cases: [what: string, answers: Buffer[], ok: boolean | null, text: RegExp][] = [
    ['is full', [refusal('53300')], null, /takes no connections right now/],
    ['starts', [refusal('57P03')], null, /takes no connections right now/],
    ['stops after the login', [loggedIn, refusal('57P01')], null, /connection to the database was lost/],
    ['answers the login and no query in time', [loggedIn, refusal('57014')], null, /took longer/],
    ['refuses the password', [refusal('28P01')], false, /user or the password/],
    ['is unknown to the pool in front of it', [refusal('08P01')], false, /refused the connection/],
    ['allows no cursor', [loggedIn, refusal('0A000')], false, /no words of ours/],
  ];
  for (const [what, answers, ok, text] of cases) {
    it(`that ${what} says ${ok === null ? 'nothing about its key' : 'that its key does not work'}`, async () => {
      const left = [...answers];
      const database = listenOn((socket) => {
        socket.on('error', () => undefined);
        socket.on('data', () => {
          const next = left.shift();
          if (next === loggedIn) socket.write(next);
          else socket.end(next ?? '');
        });
      }).listen(0, '127.0.0.1');
      await once(database, 'listening');
      const { port } = database.address() as AddressInfo; // listening on TCP
      const outcome = await check('postgres', { host: '127.0.0.1', port, database: 'd', user: 'u', password: 'p', ssl: false });
      database.close();
      assert.equal(outcome.ok, ok);
      assert.match(outcome.message, text);
    });
  }
});

describe('where providers are called', () => {
  it('is what was set by hand, else the sandbox, else their public addresses', () => {
    const set = { ...NOTHING_SET, openai: 'https://proxy.example.com/' };
    assert.deepEqual(providerBaseUrls(set, 'http://127.0.0.1:9')['openai'], 'https://proxy.example.com');
    assert.deepEqual(providerBaseUrls(set, 'http://127.0.0.1:9')['resend'], 'http://127.0.0.1:9/resend');
    assert.deepEqual(providerBaseUrls(set, null)['resend'], 'https://api.resend.com');
  });
});
