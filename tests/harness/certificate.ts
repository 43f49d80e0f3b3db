import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';

/** A certificate with its key, as PEM; `host` is its name. */
export type TestCertificate = { host: string; cert: string; key: string };

/**
 * Makes a certificate for a name or an IPv4 address, so that tests of encryption carry no key that expires. It is signed by `issuer`, else by
 * itself, and an authority then. `from` and `days` move its validity.
 */
export function makeCertificate({
  host,
  issuer,
  from = new Date(Date.now() - 60_000),
  days = 2,
}: {
  host: string;
  issuer?: TestCertificate;
  from?: Date;
  days?: number;
}): TestCertificate {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const algorithm = sequence(oid('2a864886f70d01010b'), Buffer.from('0500', 'hex')); // sha256WithRSAEncryption
  const named = (text: string): Buffer => sequence(tagged(0x31, sequence(oid('550403'), tagged(0x0c, Buffer.from(text))))); // CN
  const until = new Date(from.getTime() + days * 86_400_000);
  const body = sequence(
    tagged(0xa0, tagged(0x02, Buffer.from([2]))), // version 3
    tagged(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])), // serial number, positive
    algorithm,
    named(issuer?.host ?? host),
    sequence(time(from), time(until)),
    named(host),
    publicKey.export({ format: 'der', type: 'spki' }),
    tagged(
      0xa3,
      sequence(
        sequence(oid('551d11'), tagged(0x04, sequence(nameOf(host)))), // subjectAltName
        // basicConstraints: an authority, or none
        sequence(oid('551d13'), tagged(0x04, sequence(...(issuer ? [] : [tagged(0x01, Buffer.from([0xff]))])))),
      ),
    ),
  );
  const signature = sign('sha256', body, issuer?.key ?? privateKey);
  const der = sequence(body, algorithm, tagged(0x03, Buffer.concat([Buffer.from([0]), signature])));
  const lines = der
    .toString('base64')
    .replace(/(.{64})/g, '$1\n')
    .trimEnd();
  return {
    host,
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
  };
}

/** One DER element: tag, length, content. */
function tagged(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

const sequence = (...parts: Buffer[]): Buffer => tagged(0x30, Buffer.concat(parts));
const oid = (hex: string): Buffer => tagged(0x06, Buffer.from(hex, 'hex'));
const time = (at: Date): Buffer => tagged(0x18, Buffer.from(`${at.toISOString().slice(0, 19).replace(/[-:T]/g, '')}Z`));

function nameOf(host: string): Buffer {
  const isAddress = /^\d+\.\d+\.\d+\.\d+$/.test(host);
  return isAddress ? tagged(0x87, Buffer.from(host.split('.').map(Number))) : tagged(0x82, Buffer.from(host));
}
