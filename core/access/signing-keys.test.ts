import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import { parseSigningKeys } from './signing-keys.ts';

const NEW = randomBytes(32).toString('hex');
const OLD = randomBytes(32).toString('base64');

const keysOf = (text: string) => {
  const parsed = parseSigningKeys(text);
  return parsed.ok ? parsed.keys.map(({ id, secret }) => [id, secret]) : parsed.problem;
};

describe('keys that sign sessions', () => {
  it('are one secret without an id, as before, also with colons and commas', () => {
    assert.deepEqual(keysOf(NEW), [[null, NEW]]);
    const odd = 'a:b,c/d:e,'.repeat(5);
    assert.deepEqual(keysOf(odd), [[null, odd]]);
  });

  it('are a ring with ids, newest first', () => {
    assert.deepEqual(keysOf(`k2:${NEW}, k1:${OLD}`), [
      ['k2', NEW],
      ['k1', OLD],
    ]);
    assert.deepEqual(keysOf(`k1:${OLD}`), [['k1', OLD]]);
  });

  it('are refused with the place of the mistake and without a secret', () => {
    const problems = ['short', `k2:${NEW},${OLD}`, `k2:${NEW},k1:short`, `k1:${NEW},k1:${OLD}`, `k2:${NEW},k1:${OLD}:x`, `k2:${NEW},`].map(
      (text) => keysOf(text),
    );
    assert.deepEqual(problems, [
      'use at least 32 characters',
      'key 2 is not written as id:secret',
      'use at least 32 characters for the key "k1"',
      'the key ID "k1" is used twice',
      'key 2 is not written as id:secret',
      'key 2 is not written as id:secret',
    ]);
  });
});
