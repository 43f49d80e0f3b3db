import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import { equalSecrets, keyWeakness, passwordWeakness, secretWeakness } from './secret-strength.ts';

describe('a secret that can be guessed', () => {
  const patterns = [
    'a'.repeat(32),
    'ab'.repeat(20),
    'abcdefghijklmnopqrstuvwxyz012345',
    '0123456789abcdef0123456789abcdef',
    '00112233445566778899aabbccddeeff',
    '1234567890'.repeat(4),
    'deadbeef'.repeat(4),
    '0'.repeat(63) + '1',
  ];
  for (const secret of patterns)
    it(`is found by its pattern: ${secret}`, () => assert.equal(secretWeakness(secret), 'repeats or follows a pattern'));

  const placeholders = [
    'CHANGEME-CHANGEME-CHANGEME-CHANGEME',
    'jwt-secret-of-production-0f9a8b7c',
    'set me set me set me set me set me',
    '$(openssl rand -hex 32) # JWT_SECRET',
    'qwertyuiopasdfghjklzxcvbnm123456',
    'my-Password-is-longer-than-32-letters',
  ];
  for (const secret of placeholders)
    it(`is found by its words: ${secret}`, () => assert.equal(secretWeakness(secret), 'looks like a placeholder'));

  it('is found in a key of bytes: zeros, one byte, a sequence, text', () => {
    assert.equal(keyWeakness(new Uint8Array(32)), 'repeats or follows a pattern');
    assert.equal(keyWeakness(Buffer.alloc(32, 7)), 'repeats or follows a pattern');
    assert.equal(keyWeakness(Uint8Array.from({ length: 32 }, (_, index) => index)), 'repeats or follows a pattern');
    assert.equal(keyWeakness(Uint8Array.from({ length: 32 }, (_, index) => 255 - 7 * index)), 'repeats or follows a pattern');
    assert.equal(keyWeakness(Buffer.from('thirty-two letters are no key!!!')), 'is readable text instead of random bytes');
  });

  it('is found in a password of another service', () => {
    for (const password of ['aaaaaaaa', '12345678', 'password1', 'abababab']) assert.notEqual(passwordWeakness(password), null, password);
    for (const password of ['k3vT9xQ2', 'Tr4vel-Mug-82', 'correct horse battery']) assert.equal(passwordWeakness(password), null, password);
  });
});

it('a secret of random bytes passes, however it is written', () => {
  // The same bytes in each run: one text in some hundred thousand contains a placeholder by chance.
  for (let round = 0; round < 2_000; round++) {
    const bytes = createHash('sha256').update(String(round)).digest();
    assert.equal(secretWeakness(bytes.toString('hex')), null);
    assert.equal(secretWeakness(bytes.toString('base64')), null);
    assert.equal(secretWeakness(bytes.subarray(8).toString('base64url')), null);
    assert.equal(keyWeakness(bytes), null);
  }
});

it('equal secrets are found under all their names, also as text and bytes', () => {
  const key = randomBytes(32);
  const other = randomBytes(32).toString('hex');
  assert.deepEqual(
    equalSecrets([
      { name: 'A', value: key.toString('base64') },
      { name: 'B', value: other },
      { name: 'C', value: key.toString('base64').replace('=', '') },
      { name: 'D', value: other },
      { name: 'E', value: randomBytes(32).toString('hex') },
    ]),
    [
      ['A', 'C'],
      ['B', 'D'],
    ],
  );
});
