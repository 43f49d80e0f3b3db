import { createPublicKey, generateKeyPair, type KeyObject, randomBytes, sign } from 'node:crypto';
import { promisify } from 'node:util';

/** A key of the portal for one provider. `certificate` is base64 DER, `privateKey` PEM (PKCS#8). */
export type OwnKey = { certificate: string; privateKey: string };

const YEARS = 10;
const RSA_SHA256 = [1, 2, 840, 113549, 1, 1, 11];
const COMMON_NAME = [2, 5, 4, 3];

/** Creates an RSA key with a certificate signed by itself, in which SAML metadata carries public keys. `name` is its common name. */
export async function createOwnKey(name: string, now: Date): Promise<OwnKey> {
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 });
  return {
    certificate: certify(privateKey, name.slice(0, 64), now).toString('base64'),
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

/** RFC 5280 in its shortest form. Providers read the key and the dates of it, and no authority stands behind it. */
function certify(key: KeyObject, name: string, now: Date): Buffer {
  const until = new Date(now);
  until.setUTCFullYear(until.getUTCFullYear() + YEARS);
  const algorithm = sequence(oid(RSA_SHA256), tagged(0x05));
  const subject = sequence(tagged(0x31, sequence(oid(COMMON_NAME), tagged(0x0c, Buffer.from(name)))));
  const body = sequence(
    tagged(0xa0, tagged(0x02, Buffer.from([2]))),
    // Positive, as a serial number has to be.
    tagged(0x02, Buffer.concat([Buffer.from([1]), randomBytes(15)])),
    algorithm,
    subject,
    sequence(time(now), time(until)),
    subject,
    createPublicKey(key).export({ type: 'spki', format: 'der' }),
  );
  return sequence(body, algorithm, tagged(0x03, Buffer.concat([Buffer.from([0]), sign('sha256', body, key)])));
}

function sequence(...parts: Buffer[]): Buffer {
  return tagged(0x30, ...parts);
}

/** Returns a value in DER: its tag, its length and its bytes. */
function tagged(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

function oid([first = 0, second = 0, ...rest]: readonly number[]): Buffer {
  const bytes = rest.flatMap((part) => {
    const digits = [part & 0x7f];
    for (let left = part >> 7; left > 0; left >>= 7) digits.unshift((left & 0x7f) | 0x80);
    return digits;
  });
  return tagged(0x06, Buffer.from([first * 40 + second, ...bytes]));
}

/** UTCTime until 2049, then GeneralizedTime (RFC 5280, 4.1.2.5). */
function time(at: Date): Buffer {
  const digits = `${at.toISOString().slice(0, 19).replaceAll(/\D/g, '')}Z`;
  return at.getUTCFullYear() < 2050 ? tagged(0x17, Buffer.from(digits.slice(2))) : tagged(0x18, Buffer.from(digits));
}
