import { constants, createDecipheriv, privateDecrypt } from 'node:crypto';
import { attribute, children, descendants, NS, only, textOf } from './saml-dom.ts';

/**
 * Text decrypted with a key of ours; `xml` is null when it could not be decrypted. `isAuthenticated`: the cipher itself proves that the
 * text was not altered.
 */
export type Decrypted = { xml: string | null; isAuthenticated: boolean };

type Cipher = { name: 'aes-128-gcm' | 'aes-256-gcm' | 'aes-128-cbc' | 'aes-256-cbc'; keyBytes: number };
const CIPHERS: ReadonlyMap<string, Cipher> = new Map([
  ['http://www.w3.org/2009/xmlenc11#aes128-gcm', { name: 'aes-128-gcm', keyBytes: 16 }],
  ['http://www.w3.org/2009/xmlenc11#aes256-gcm', { name: 'aes-256-gcm', keyBytes: 32 }],
  ['http://www.w3.org/2001/04/xmlenc#aes128-cbc', { name: 'aes-128-cbc', keyBytes: 16 }],
  ['http://www.w3.org/2001/04/xmlenc#aes256-cbc', { name: 'aes-256-cbc', keyBytes: 32 }],
]);
const OAEP_SHA1 = 'http://www.w3.org/2001/04/xmlenc#rsa-oaep-mgf1p';
const OAEP = 'http://www.w3.org/2009/xmlenc11#rsa-oaep';
const MGF = 'http://www.w3.org/2009/xmlenc11#';
const GCM_IV_BYTES = 12;
const BLOCK_BYTES = 16;

/** The algorithms that an encrypted assertion may use, as the metadata lists them. */
export const ENCRYPTION_METHODS: readonly string[] = [...CIPHERS.keys(), OAEP_SHA1, OAEP];

/**
 * Decrypts an EncryptedAssertion by one of our keys, in PEM. Returns a sentence for an admin when its algorithms are not supported; null when
 * it was encrypted for another key, which may be shown: RSA-OAEP gives nothing away by it, while a
 * difference in the text would be one to guess it by.
 */
export function decryptAssertion(encrypted: Element, privateKeys: readonly string[]): Decrypted | string | null {
  const data = only(encrypted, NS.encryption, 'EncryptedData');
  const [wrapped] = descendants(encrypted, NS.encryption, 'EncryptedKey');
  const method = attribute(only(data, NS.encryption, 'EncryptionMethod'), 'Algorithm') ?? '';
  const cipher = CIPHERS.get(method);
  if (!data || !wrapped) return null;
  if (!cipher) return `The assertion is encrypted with ${method || 'no named algorithm'}. Choose AES-GCM or AES-CBC with 128 or 256 bits.`;
  const hash = oaepHash(wrapped);
  if (hash === null) return 'The key of the encrypted assertion is not wrapped with RSA-OAEP. Choose RSA-OAEP as key transport.';
  const secret = cipherValue(wrapped);
  const content = cipherValue(data);
  for (const key of privateKeys) {
    const opened = unwrap(key, hash, secret);
    if (opened !== null) return { xml: decrypt(opened, cipher, content), isAuthenticated: cipher.name.endsWith('gcm') };
  }
  return null;
}

/** Returns the hash of RSA-OAEP; null for another transport, or one with two different hashes. RSA 1.5 is open to guessing the key. */
function oaepHash(wrapped: Element): string | null {
  const method = only(wrapped, NS.encryption, 'EncryptionMethod');
  const algorithm = attribute(method, 'Algorithm');
  if (!method || (algorithm !== OAEP_SHA1 && algorithm !== OAEP)) return null;
  const digest = nameOf(attribute(children(method, NS.signature, 'DigestMethod')[0] ?? null, 'Algorithm'));
  const mask = nameOf(attribute(children(method, MGF, 'MGF')[0] ?? null, 'Algorithm')).replace(/^mgf1/, '');
  return digest === mask && /^sha(?:1|256|384|512)$/.test(digest) ? digest : null;
}

const nameOf = (uri: string | null): string => uri?.slice(uri.lastIndexOf('#') + 1) ?? 'sha1';

function unwrap(key: string, oaepHash: string, secret: Buffer): Buffer | null {
  try {
    return privateDecrypt({ key, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash }, secret);
  } catch {
    return null;
  }
}

function decrypt(opened: Buffer, { name, keyBytes }: Cipher, content: Buffer): string | null {
  try {
    if (opened.length !== keyBytes) return null;
    if (name === 'aes-128-gcm' || name === 'aes-256-gcm') {
      const decipher = createDecipheriv(name, opened, content.subarray(0, GCM_IV_BYTES), { authTagLength: BLOCK_BYTES });
      decipher.setAuthTag(content.subarray(-BLOCK_BYTES));
      return Buffer.concat([decipher.update(content.subarray(GCM_IV_BYTES, -BLOCK_BYTES)), decipher.final()]).toString('utf8');
    }
    const decipher = createDecipheriv(name, opened, content.subarray(0, BLOCK_BYTES)).setAutoPadding(false);
    const padded = Buffer.concat([decipher.update(content.subarray(BLOCK_BYTES)), decipher.final()]);
    const padding = padded.at(-1) ?? 0;
    return padding >= 1 && padding <= BLOCK_BYTES ? padded.subarray(0, -padding).toString('utf8') : null;
  } catch {
    return null;
  }
}

function cipherValue(within: Element): Buffer {
  return Buffer.from(textOf(only(only(within, NS.encryption, 'CipherData'), NS.encryption, 'CipherValue')) ?? '', 'base64');
}
