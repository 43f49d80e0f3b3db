import { createCipheriv, createDecipheriv } from 'node:crypto';

/**
 * Seals credentials with AES-256-GCM in two layers: a data key per partner seals the values, a master key of the key ring seals
 * the data key. The additional authenticated data binds each sealed value to its context, so bytes copied to another row,
 * partner, client, provider or version do not open. See docs/behaviour/vault.md.
 *
 * The caller supplies the nonces: 12 random bytes, fresh for every seal.
 */

export const KEY_BYTES = 32;
export const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const FORMAT = 1;

/** A master key. Its `id` is stored with what it sealed, so that a key ring can hold several during a rotation. */
export type MasterKey = { id: string; key: Uint8Array };
/** Newest first: the first seals, any opens. */
export type KeyRing = readonly [MasterKey, ...MasterKey[]];

/** The row a value belongs to. `keyVersion` counts saves, so that an older ciphertext of the same row does not open. */
export type ValueContext = { partnerId: string; clientId: string | null; provider: string; keyVersion: number };
export type DataKeyContext = { partnerId: string; masterKeyId: string };

export type Opened = { ok: true; bytes: Uint8Array } | { ok: false; problem: 'not_authentic' | 'unknown_format' };

/**
 * Parses `id:base64key,id:base64key`, newest first. Each key is 32 bytes, each id 1-32 of letters, digits, `.`, `_`, `-`.
 * The problem is a sentence for the operator and never quotes a key.
 */
export function parseKeyRing(text: string): { ok: true; ring: KeyRing } | { ok: false; problem: string } {
  const ring: MasterKey[] = [];
  for (const [index, entry] of text.split(',').entries()) {
    const [id = '', encoded = '', ...rest] = entry.trim().split(':');
    if (rest.length > 0 || !/^[A-Za-z0-9._-]{1,32}$/.test(id)) {
      return { ok: false, problem: `Key ${index + 1} is not written as id:base64key.` };
    }
    if (ring.some((known) => known.id === id)) return { ok: false, problem: `The key ID "${id}" is used twice.` };
    const key = Buffer.from(encoded, 'base64');
    if (!/^[A-Za-z0-9+/]+={0,2}$/.test(encoded) || key.length !== KEY_BYTES) {
      return { ok: false, problem: `The key "${id}" is not 32 bytes in base64.` };
    }
    ring.push({ id, key });
  }
  const [newest, ...older] = ring;
  return newest ? { ok: true, ring: [newest, ...older] } : { ok: false, problem: 'The key ring is empty.' };
}

/** Seals a partner's data key with the newest master key. */
export function sealDataKey(
  ring: KeyRing,
  partnerId: string,
  dataKey: Uint8Array,
  nonce: Uint8Array,
): { masterKeyId: string; sealed: Buffer } {
  const [{ id, key }] = ring;
  return { masterKeyId: id, sealed: seal(key, dataKeyContext({ partnerId, masterKeyId: id }), dataKey, nonce) };
}

/** Opens a partner's data key with the master key named in its context. */
export function openDataKey(
  ring: KeyRing,
  context: DataKeyContext,
  sealed: Uint8Array,
): Opened | { ok: false; problem: 'unknown_master_key' } {
  const master = ring.find((one) => one.id === context.masterKeyId);
  return master ? open(master.key, dataKeyContext(context), sealed) : { ok: false, problem: 'unknown_master_key' };
}

/** Seals one credential value with its partner's data key. */
export function sealValue(dataKey: Uint8Array, context: ValueContext, plain: Uint8Array, nonce: Uint8Array): Buffer {
  return seal(dataKey, valueContext(context), plain, nonce);
}

/** Opens one credential value; `not_authentic` when it was sealed for another context or changed since. */
export function openValue(dataKey: Uint8Array, context: ValueContext, sealed: Uint8Array): Opened {
  return open(dataKey, valueContext(context), sealed);
}

/** An opened data key; its `id` is stored with what it sealed. */
export type DataKey = { id: string; key: Uint8Array };

/** The row a secret belongs to. `use` names the kind of value (`mail`, `webhook-secret`), `place` its row; both are authenticated. */
export type SecretContext = { use: string; partnerId: string; place: string };

/** Seals one secret with its partner's data key, whose id is authenticated too. */
export function sealSecret(dataKey: DataKey, context: SecretContext, plain: Uint8Array, nonce: Uint8Array): Buffer {
  return seal(dataKey.key, secretContext(context, dataKey.id), plain, nonce);
}

/** Opens one secret; `not_authentic` when it was sealed for another context or changed since. */
export function openSecret(dataKey: DataKey, context: SecretContext, sealed: Uint8Array): Opened {
  return open(dataKey.key, secretContext(context, dataKey.id), sealed);
}

/** Opens a secret of before data keys, which the master key named in its row sealed. */
export function openDirect(
  ring: KeyRing,
  context: SecretContext,
  masterKeyId: string,
  sealed: Uint8Array,
): Opened | { ok: false; problem: 'unknown_master_key' } {
  const master = ring.find((one) => one.id === masterKeyId);
  return master ? open(master.key, directContext(context, masterKeyId), sealed) : { ok: false, problem: 'unknown_master_key' };
}

// A JSON array is canonical: its order is fixed and its quoting keeps any two contexts distinct.
function valueContext({ partnerId, clientId, provider, keyVersion }: ValueContext): Buffer {
  return Buffer.from(JSON.stringify(['credential', partnerId, clientId ?? 'agency', provider, keyVersion]));
}

function secretContext({ use, partnerId, place }: SecretContext, dataKeyId: string): Buffer {
  return Buffer.from(JSON.stringify(['secret', use, partnerId, place, dataKeyId]));
}

function directContext({ use, partnerId, place }: SecretContext, masterKeyId: string): Buffer {
  return Buffer.from(JSON.stringify(['direct', use, partnerId, place, masterKeyId]));
}

function dataKeyContext({ partnerId, masterKeyId }: DataKeyContext): Buffer {
  return Buffer.from(JSON.stringify(['data-key', partnerId, masterKeyId]));
}

/** format (1 byte) · nonce (12) · tag (16) · ciphertext */
function seal(key: Uint8Array, context: Buffer, plain: Uint8Array, nonce: Uint8Array): Buffer {
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(context);
  const body = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([Buffer.from([FORMAT]), nonce, cipher.getAuthTag(), body]);
}

function open(key: Uint8Array, context: Buffer, sealed: Uint8Array): Opened {
  if (sealed[0] !== FORMAT || sealed.length < 1 + NONCE_BYTES + TAG_BYTES) return { ok: false, problem: 'unknown_format' };
  const nonce = sealed.subarray(1, 1 + NONCE_BYTES);
  const tag = sealed.subarray(1 + NONCE_BYTES, 1 + NONCE_BYTES + TAG_BYTES);
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES }).setAAD(context).setAuthTag(tag);
  try {
    const bytes = Buffer.concat([decipher.update(sealed.subarray(1 + NONCE_BYTES + TAG_BYTES)), decipher.final()]);
    return { ok: true, bytes };
  } catch {
    return { ok: false, problem: 'not_authentic' };
  }
}
