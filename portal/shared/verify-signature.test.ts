import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { webhookSignatureHeader } from '@partner-portal/core/webhook/signing.ts';
import { readHeader, verifySignature } from './verify-signature.ts';

const secret = 'whsec_c2VjcmV0LW9mLXRoZS1lbmRwb2ludC0wMDAwMDAwMDA';
const body = '{"id":"evt_01K6SV85ZG79A9VR5WZ2DTCWP5","data":{"partnerName":"Café Nord"}}';
const NOW = 1_770_000_000;
const header = webhookSignatureHeader(secret, NOW - 20, body);
const verify = (change: Partial<{ body: string; header: string; secret: string }>, now = NOW) =>
  verifySignature({ body, header, secret, ...change }, now, 300);

describe('a valid signature', () => {
  it('matches, with its age', async () => {
    assert.deepEqual(await verify({}), { result: 'matches', ageSeconds: 20, isOld: false });
  });

  it('matches when the whole header line was pasted', async () => {
    assert.equal((await verify({ header: `X-Service-Signature: ${header}\n` })).result, 'matches');
  });

  it('counts as old after the tolerance, and when its time is in the future', async () => {
    assert.deepEqual(await verify({}, NOW + 281), { result: 'matches', ageSeconds: 301, isOld: true });
    assert.deepEqual(await verify({}, NOW - 400), { result: 'matches', ageSeconds: -380, isOld: true });
    assert.deepEqual(await verify({}, NOW + 280), { result: 'matches', ageSeconds: 300, isOld: false });
  });
});

describe('an invalid signature', () => {
  const cases = [
    ['another body', { body: body.replace('Nord', 'Süd') }, null],
    ['another secret', { secret: `${secret}x` }, null],
    ['no secret', { secret: '' }, null],
    ['another time', { header: header.replace(/t=\d+/, `t=${NOW}`) }, null],
    ['a line break at the end of the body', { body: `${body}\n` }, 'line_break'],
    ['a body that was formatted', { body: JSON.stringify(JSON.parse(body), null, 2) }, 'reformatted'],
    ['blanks around the secret', { secret: ` ${secret}\n` }, 'secret_blanks'],
  ] as const;
  for (const [name, change, because] of cases)
    it(`does not match for ${name}, with the cause if known`, async () => {
      assert.deepEqual(await verify(change), { result: 'differs', because });
    });
});

it('a header in any other format is unreadable', async () => {
  for (const other of ['', 't=1', 'v1=abc', `t=1,v1=${'a'.repeat(63)}`, `t=x,v1=${'a'.repeat(64)}`, `sha256=${'a'.repeat(64)}`])
    assert.equal(readHeader(other), undefined);
  assert.deepEqual(await verify({ header: 'sha256=abc' }), { result: 'header_unreadable' });
});

describe('a signature of something that is known to have been sent', () => {
  const sent = [
    { body: '{"id":"evt_2"}', header: webhookSignatureHeader(secret, NOW - 90, '{"id":"evt_2"}') },
    { body, header },
  ];
  const check = (change: Partial<{ body: string; header: string; secret: string }>) =>
    verifySignature({ body, header, secret, ...change }, NOW, 300, sent);

  it('says that the secret is another one', async () => {
    assert.deepEqual(await check({ secret: `${secret}x` }), { result: 'differs', because: 'secret' });
  });

  it('says where the bytes were changed', async () => {
    assert.deepEqual(await check({ body: body.replace('Nord', 'Norden') }), { result: 'body_changed', at: body.indexOf('Nord') + 5 });
    assert.deepEqual(await check({ body: '' }), { result: 'body_changed', at: 1 });
  });

  it('says that the time was changed, or that nothing was sent with this signature', async () => {
    assert.deepEqual(await check({ header: header.replace(/t=\d+/, `t=${NOW}`) }), { result: 'differs', because: 'time_changed' });
    assert.deepEqual(await check({ header: webhookSignatureHeader('whsec_other', NOW, body) }), { result: 'differs', because: 'not_sent' });
  });

  it('matches as it does where nothing is known', async () => {
    assert.deepEqual(await check({}), { result: 'matches', ageSeconds: 20, isOld: false });
    assert.deepEqual(await check({ body: `${body}\n` }), { result: 'differs', because: 'line_break' });
  });
});
