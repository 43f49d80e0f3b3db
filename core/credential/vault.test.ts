import assert from 'node:assert/strict';
import { createDecipheriv } from 'node:crypto';
import { describe, it } from 'node:test';
import {
  type KeyRing,
  openDataKey,
  openDirect,
  openSecret,
  openValue,
  parseKeyRing,
  sealDataKey,
  sealSecret,
  sealValue,
  type ValueContext,
} from './vault.ts';

const key = (fill: number): Buffer => Buffer.alloc(32, fill);
const nonce = (fill: number): Buffer => Buffer.alloc(12, fill);
const ring: KeyRing = [
  { id: 'new', key: key(1) },
  { id: 'old', key: key(2) },
];
const dataKey = key(9);
const home: ValueContext = { partnerId: 'p1', clientId: 'c1', provider: 'openai', keyVersion: 3 };
const secret = Buffer.from('{"apiKey":"sk-1"}');

describe('a sealed value', () => {
  it('opens in the place it was sealed for', () => {
    const opened = openValue(dataKey, home, sealValue(dataKey, home, secret, nonce(7)));
    assert.ok(opened.ok && Buffer.from(opened.bytes).equals(secret));
  });

  const elsewhere: [string, ValueContext][] = [
    ['another agency', { ...home, partnerId: 'p2' }],
    ['another client', { ...home, clientId: 'c2' }],
    ['the agency itself', { ...home, clientId: null }],
    ['another provider', { ...home, provider: 'anthropic' }],
    ['an older version', { ...home, keyVersion: 2 }],
    ['a newer version', { ...home, keyVersion: 4 }],
  ];
  for (const [name, context] of elsewhere) {
    it(`does not open for ${name}`, () => {
      const sealed = sealValue(dataKey, home, secret, nonce(7));
      assert.deepEqual(openValue(dataKey, context, sealed), { ok: false, problem: 'not_authentic' });
      assert.ok(openValue(dataKey, context, sealValue(dataKey, context, secret, nonce(7))).ok, 'its own seal opens there');
    });
  }

  it('does not open for a client whose name would spell another context', () => {
    const tricky = { ...home, clientId: 'c1","openai' };
    assert.equal(openValue(dataKey, tricky, sealValue(dataKey, home, secret, nonce(7))).ok, false);
  });

  it('does not open with another data key', () => {
    assert.equal(openValue(key(8), home, sealValue(dataKey, home, secret, nonce(7))).ok, false);
  });

  it('does not open when any single byte was changed', () => {
    const sealed = sealValue(dataKey, home, secret, nonce(7));
    for (let at = 0; at < sealed.length; at++) {
      const changed = Buffer.from(sealed);
      changed[at] = (changed[at] ?? 0) ^ 1;
      assert.equal(openValue(dataKey, home, changed).ok, false, `byte ${at}`);
    }
  });

  it('does not open when it was cut short', () => {
    const sealed = sealValue(dataKey, home, secret, nonce(7));
    for (const length of [0, 1, 12, 28, sealed.length - 1]) assert.equal(openValue(dataKey, home, sealed.subarray(0, length)).ok, false);
  });

  it('is plain AES-256-GCM: format, nonce, tag, ciphertext', () => {
    const sealed = sealValue(dataKey, home, secret, nonce(7));
    const decipher = createDecipheriv('aes-256-gcm', dataKey, sealed.subarray(1, 13));
    decipher.setAAD(Buffer.from('["credential","p1","c1","openai",3]')).setAuthTag(sealed.subarray(13, 29));
    assert.equal(sealed[0], 1);
    assert.equal(decipher.update(sealed.subarray(29), undefined, 'utf8') + decipher.final('utf8'), secret.toString());
  });
});

describe('a sealed data key', () => {
  it('is sealed by the newest master key and opens for its agency', () => {
    const { masterKeyId, sealed } = sealDataKey(ring, 'p1', dataKey, nonce(1));
    assert.equal(masterKeyId, 'new');
    const opened = openDataKey(ring, { partnerId: 'p1', masterKeyId }, sealed);
    assert.ok(opened.ok && Buffer.from(opened.bytes).equals(dataKey));
  });

  it('opens with an older master key that is still in the ring, and not when it has left', () => {
    const { sealed } = sealDataKey([{ id: 'old', key: key(2) }], 'p1', dataKey, nonce(1));
    assert.ok(openDataKey(ring, { partnerId: 'p1', masterKeyId: 'old' }, sealed).ok);
    const left = openDataKey([{ id: 'new', key: key(1) }], { partnerId: 'p1', masterKeyId: 'old' }, sealed);
    assert.deepEqual(left, { ok: false, problem: 'unknown_master_key' });
  });

  it('does not open for another agency or under another master key id', () => {
    const { sealed } = sealDataKey(ring, 'p1', dataKey, nonce(1));
    const twins: KeyRing = [...ring, { id: 'twin', key: key(1) }];
    assert.equal(openDataKey(ring, { partnerId: 'p2', masterKeyId: 'new' }, sealed).ok, false);
    assert.equal(openDataKey(twins, { partnerId: 'p1', masterKeyId: 'twin' }, sealed).ok, false);
  });

  it('is never taken for a value, nor a value for it', () => {
    const { sealed } = sealDataKey(ring, 'p1', dataKey, nonce(1));
    assert.equal(openValue(key(1), home, sealed).ok, false);
    assert.equal(openDataKey(ring, { partnerId: 'p1', masterKeyId: 'new' }, sealValue(key(1), home, dataKey, nonce(1))).ok, false);
  });
});

describe('a sealed secret', () => {
  const own = { id: 'k1', key: dataKey };
  const place = { use: 'mail', partnerId: 'p1', place: 'm1' };
  const sealed = sealSecret(own, place, secret, nonce(3));

  it('opens with its data key for exactly its use, agency and row', () => {
    const opened = openSecret(own, place, sealed);
    assert.ok(opened.ok && Buffer.from(opened.bytes).equals(secret));
    for (const other of [{ use: 'totp' }, { partnerId: 'p2' }, { place: 'm2' }])
      assert.equal(openSecret(own, { ...place, ...other }, sealed).ok, false, JSON.stringify(other));
    assert.equal(openSecret({ ...own, id: 'k2' }, place, sealed).ok, false);
    assert.equal(openSecret({ id: 'k1', key: key(8) }, place, sealed).ok, false);
  });

  it('is never taken for one that a master key sealed', () => {
    assert.equal(openDirect([own], place, 'k1', sealed).ok, false);
  });
});

describe('a key ring setting', () => {
  const good = Buffer.alloc(32, 5).toString('base64');
  it('reads keys newest first', () => {
    const parsed = parseKeyRing(`b:${good}, a:${Buffer.alloc(32, 6).toString('base64')}`);
    assert.deepEqual(parsed.ok && parsed.ring.map((one) => [one.id, one.key.length]), [
      ['b', 32],
      ['a', 32],
    ]);
  });

  const bad: [string, string][] = [
    ['nothing', ''],
    ['no id', good],
    ['an id with a space', `a b:${good}`],
    ['a short key', `a:${Buffer.alloc(16).toString('base64')}`],
    ['no base64', `a:${'!'.repeat(44)}`],
    ['one id twice', `a:${good},a:${good}`],
    ['a trailing comma', `a:${good},`],
  ];
  for (const [name, text] of bad) {
    it(`refuses ${name} without quoting the key`, () => {
      const parsed = parseKeyRing(text);
      assert.ok(!parsed.ok && !parsed.problem.includes(good));
    });
  }
});
