import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createBareServer } from '@partner-portal/tests/harness/bare-server.ts';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../refuse.ts';
import { rateRefusal } from './rate-limit.ts';

let app: FastifyInstance;
const FIELDS = [{ field: 'clientId', code: 'required', message: 'Name the client.' }];
const refusals: Record<string, () => AppError> = {
  slow: () => rateRefusal({ limit: 60, remaining: 0, resetSeconds: 41, exceeded: true, code: 'rate_limited' }),
  agency: () => rateRefusal({ limit: 600, remaining: 0, resetSeconds: 7, exceeded: true, code: 'partner_throttled' }),
  nobody: () => new AppError('unauthenticated'),
  expired: () => new AppError('token_expired'),
  ingest: () => new AppError('invalid_ingest_token'),
  wrongPassword: () => new AppError('invalid_credentials'),
  query: () => new AppError('invalid_query', { errors: FIELDS }),
  body: () => new AppError('validation_failed', { errors: FIELDS }),
};

before(async () => {
  ({ app } = await createBareServer());
  app.get('/things/:id', async () => 'never');
  for (const [name, refusal] of Object.entries(refusals)) {
    app.get(`/${name}`, async () => {
      throw refusal();
    });
  }
});
after(() => app.close());

describe('a refusal for being too fast', () => {
  it('tells the limit that was passed, when it ends, and how long to wait, wherever it was counted', async () => {
    const refused = await app.inject('/slow');
    assert.equal(refused.statusCode, 429);
    const { headers } = refused;
    assert.deepEqual(
      [headers['ratelimit-limit'], headers['ratelimit-remaining'], headers['ratelimit-reset'], headers['retry-after']],
      ['60', '0', '41', '41'],
    );
    const body = refused.json() as Record<string, unknown>; // a problem body
    assert.equal(body['retryAfterSeconds'], 41);
    assert.ok(!('headers' in body));
    assert.equal((await app.inject('/agency')).headers['ratelimit-limit'], '600');
  });
});

describe('a refusal of a field', () => {
  it('names it in errors[] where it is a 422, and nowhere else', async () => {
    const [query, body] = [await app.inject('/query'), await app.inject('/body')];
    assert.deepEqual([query.statusCode, 'errors' in (query.json() as object)], [400, false]);
    assert.deepEqual([body.statusCode, (body.json() as { errors: unknown }).errors], [422, FIELDS]);
  });
});

describe('a refusal for want of a session', () => {
  it('names the scheme that would help (RFC 9110, 11.6.1), and only there', async () => {
    assert.equal((await app.inject('/nobody')).headers['www-authenticate'], 'Bearer');
    assert.equal((await app.inject('/expired')).headers['www-authenticate'], 'Bearer error="invalid_token"');
    // A bearer session would not help these, and a browser must not be led to ask for one.
    for (const path of ['/ingest', '/wrongPassword']) assert.equal((await app.inject(path)).headers['www-authenticate'], undefined, path);
  });
});

describe('an address that cannot be read', () => {
  it('is nothing that is here, told like any other refusal', async () => {
    for (const path of ['/things/%ff', `/things/${'a'.repeat(400)}`]) {
      const refused = await app.inject(path);
      assert.equal(refused.statusCode, 404, path);
      assert.match(String(refused.headers['content-type']), /^application\/problem\+json/);
      const body = refused.json() as Record<string, unknown>; // a problem body
      assert.equal(body['code'], 'not_found');
      assert.equal(body['requestId'], refused.headers['x-request-id']);
    }
    assert.equal((await app.inject('/things/1')).body, 'never');
  });
});
