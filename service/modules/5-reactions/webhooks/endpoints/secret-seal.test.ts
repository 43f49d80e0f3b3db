import { SealFault } from '#platform/sealed-value.ts';
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import type { MasterKey } from '@partner-portal/core/credential/vault.ts';
import { createSecretSeal, newSigningSecret } from './secret-seal.ts';

const older: MasterKey = { id: 'older', key: randomBytes(32) };
const newer: MasterKey = { id: 'newer', key: randomBytes(32) };
const endpoint = { id: 'e-1', partnerId: 'p-1' };

describe('the seal of a signing secret', () => {
  const secret = newSigningSecret();
  const sealed = createSecretSeal([older]).seal(endpoint, secret);

  it('opens for its endpoint, also with a newer master key in the ring', () => {
    assert.equal(createSecretSeal([older]).open(endpoint, sealed), secret);
    assert.equal(createSecretSeal([newer, older]).open(endpoint, sealed), secret);
    assert.equal(createSecretSeal([newer, older]).newestKeyId, 'newer');
  });

  it('does not open for another endpoint or agency, without its key, or after a byte changed', () => {
    const seal = createSecretSeal([older]);
    const changed = Buffer.from(sealed);
    changed[changed.length - 1] = (changed.at(-1) ?? 0) ^ 1;
    const attempts: [ReturnType<typeof createSecretSeal>, typeof endpoint, Uint8Array][] = [
      [seal, { ...endpoint, id: 'e-2' }, sealed],
      [seal, { ...endpoint, partnerId: 'p-2' }, sealed],
      [createSecretSeal([newer]), endpoint, sealed],
      [seal, endpoint, changed],
      [seal, endpoint, Buffer.alloc(0)],
    ];
    for (const [one, where, bytes] of attempts) assert.throws(() => one.open(where, bytes), SealFault);
  });

  it('reveals nothing of the secret and differs each time', () => {
    const again = createSecretSeal([older]).seal(endpoint, secret);
    assert.notDeepEqual(again, sealed);
    assert.ok(!sealed.includes(Buffer.from(secret)));
  });

  it('secrets are 32 random bytes with a prefix', () => {
    assert.match(secret, /^whsec_[\w-]{43}$/);
    assert.notEqual(newSigningSecret(), secret);
  });
});
