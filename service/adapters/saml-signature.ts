import { constants, createHash, verify, X509Certificate } from 'node:crypto';
import { type HashAlgorithm, type SignatureAlgorithm, SignedXml } from 'xml-crypto';
import { attribute, children, descendants, NS, only, textOf } from './saml-dom.ts';

/**
 * `verified`: by a key of the metadata; `key_unknown`: by none of them; `altered`: the text is not what was signed; `unsupported`, `weak`: of
 * its algorithm; `malformed`: it does not sign the element that holds it.
 */
export type SignatureVerdict = 'verified' | 'key_unknown' | 'altered' | 'unsupported' | 'weak' | 'malformed';
/** `algorithm`: such as `rsa-sha256`; `key`: SHA-256 of the certificate it names or was verified by, in hexadecimal digits. */
export type SignatureReport = { over: 'response' | 'assertion'; algorithm: string; key: string | null; verdict: SignatureVerdict };

type Method = { hash: string; type: 'rsa' | 'ec'; isPss?: true };
const SIGNATURE_METHODS: ReadonlyMap<string, Method> = new Map([
  ['http://www.w3.org/2000/09/xmldsig#rsa-sha1', { hash: 'sha1', type: 'rsa' }],
  ['http://www.w3.org/2001/04/xmldsig-more#rsa-sha256', { hash: 'sha256', type: 'rsa' }],
  ['http://www.w3.org/2001/04/xmldsig-more#rsa-sha384', { hash: 'sha384', type: 'rsa' }],
  ['http://www.w3.org/2001/04/xmldsig-more#rsa-sha512', { hash: 'sha512', type: 'rsa' }],
  ['http://www.w3.org/2007/05/xmldsig-more#sha256-rsa-MGF1', { hash: 'sha256', type: 'rsa', isPss: true }],
  ['http://www.w3.org/2007/05/xmldsig-more#sha384-rsa-MGF1', { hash: 'sha384', type: 'rsa', isPss: true }],
  ['http://www.w3.org/2007/05/xmldsig-more#sha512-rsa-MGF1', { hash: 'sha512', type: 'rsa', isPss: true }],
  ['http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha1', { hash: 'sha1', type: 'ec' }],
  ['http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha256', { hash: 'sha256', type: 'ec' }],
  ['http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha384', { hash: 'sha384', type: 'ec' }],
  ['http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha512', { hash: 'sha512', type: 'ec' }],
]);
const DIGEST_METHODS: ReadonlyMap<string, string> = new Map([
  ['http://www.w3.org/2000/09/xmldsig#sha1', 'sha1'],
  ['http://www.w3.org/2001/04/xmlenc#sha256', 'sha256'],
  ['http://www.w3.org/2001/04/xmldsig-more#sha384', 'sha384'],
  ['http://www.w3.org/2001/04/xmlenc#sha512', 'sha512'],
]);
/** SAML core 5.4.4; the inclusive form is used by older providers. */
const TRANSFORMS = new Set([
  'http://www.w3.org/2000/09/xmldsig#enveloped-signature',
  'http://www.w3.org/2001/10/xml-exc-c14n#',
  'http://www.w3.org/2001/10/xml-exc-c14n#WithComments',
  'http://www.w3.org/TR/2001/REC-xml-c14n-20010315',
]);
const CANONICALIZATIONS = new Set([...TRANSFORMS].slice(1));

type Trust = { certificates: readonly X509Certificate[]; allowsSha1: boolean };

/**
 * Verifies the signature that an element carries over itself. `xml` is the text the element was parsed from. `signed` is the canonical text
 * that was signed, the only one to read from; null unless verified. Returns null when the element carries none.
 */
export function verifySignature(
  xml: string,
  element: Element,
  over: SignatureReport['over'],
  trust: Trust,
): { report: SignatureReport; signed: string | null } | null {
  const signatures = children(element, NS.signature, 'Signature');
  const [signature] = signatures;
  if (!signature) return null;
  const info = only(signature, NS.signature, 'SignedInfo');
  const reference = only(info, NS.signature, 'Reference');
  const algorithm = attribute(only(info, NS.signature, 'SignatureMethod'), 'Algorithm') ?? '';
  const digest = attribute(only(reference, NS.signature, 'DigestMethod'), 'Algorithm') ?? '';
  const embedded = embeddedCertificate(signature);
  const of = (verdict: SignatureVerdict, key: X509Certificate | null = embedded, signed: string | null = null) => ({
    report: { over, algorithm: `${shortName(algorithm)}, digest ${shortName(digest)}`, key: key ? fingerprint(key) : null, verdict },
    signed,
  });
  if (signatures.length > 1 || !info || !reference || !signsElement(info, reference, element)) return of('malformed');
  const method = SIGNATURE_METHODS.get(algorithm);
  const hash = DIGEST_METHODS.get(digest);
  if (!method || !hash) return of('unsupported');
  if (!trust.allowsSha1 && (method.hash === 'sha1' || hash === 'sha1')) return of('weak');
  const { outcome, certificate, signed } = check(xml, signature, algorithm, method, trust.certificates);
  if (outcome === 'verified') return of('verified', certificate, signed);
  // Named and known, it is the text of the signature itself that was changed.
  const isNamed = outcome === 'key_unknown' && trust.certificates.some((one) => embedded?.raw.equals(one.raw));
  return of(isNamed ? 'altered' : outcome);
}

/** Verifies a detached signature over a text, as in the HTTP-Redirect binding: `algorithm` is a URI, `value` base64. */
export function verifyText(
  text: string,
  algorithm: string,
  value: string,
  { certificates, allowsSha1 }: Trust,
): Extract<SignatureVerdict, 'verified' | 'key_unknown' | 'unsupported' | 'weak'> {
  const method = SIGNATURE_METHODS.get(algorithm);
  if (!method) return 'unsupported';
  if (!allowsSha1 && method.hash === 'sha1') return 'weak';
  return certificates.some((one) => isSignedBy(one, method, text, value)) ? 'verified' : 'key_unknown';
}

/** Returns whether the signature is over exactly the element that holds it, by allowed transforms. */
function signsElement(info: Element, reference: Element, element: Element): boolean {
  const id = attribute(element, 'ID');
  const transforms = descendants(reference, NS.signature, 'Transform').map((one) => attribute(one, 'Algorithm') ?? '');
  return (
    id !== null &&
    !/["'<>&]/.test(id) &&
    reference.getAttribute('URI') === `#${id}` &&
    transforms.length > 0 &&
    transforms.length <= 2 &&
    transforms.every((one) => TRANSFORMS.has(one)) &&
    CANONICALIZATIONS.has(attribute(only(info, NS.signature, 'CanonicalizationMethod'), 'Algorithm') ?? '')
  );
}

type Check =
  | { outcome: 'verified'; certificate: X509Certificate; signed: string }
  | { outcome: 'key_unknown' | 'altered' | 'malformed'; certificate: null; signed: null };

/** The text is canonicalized once for all certificates: canonicalization takes most of the time. */
function check(xml: string, signature: Element, algorithm: string, method: Method, certificates: readonly X509Certificate[]): Check {
  const found: { isTried: boolean; certificate: X509Certificate | undefined } = { isTried: false, certificate: undefined };
  const failed = (outcome: 'key_unknown' | 'altered' | 'malformed'): Check => ({ outcome, certificate: null, signed: null });
  const [first] = certificates;
  if (!first) return failed('key_unknown');
  // The library asks for a key before it calls the algorithm, which tries all of them.
  const library = new SignedXml({ publicCert: first.publicKey, getCertFromKeyInfo: () => null });
  library.SignatureAlgorithms = {
    [algorithm]: signatureAlgorithm(algorithm, (material, value) => {
      found.isTried = true;
      found.certificate = certificates.find((one) => isSignedBy(one, method, material, value));
      return found.certificate !== undefined;
    }),
  };
  library.HashAlgorithms = Object.fromEntries([...DIGEST_METHODS].map(([uri, name]) => [uri, hashAlgorithm(uri, name)]));
  try {
    library.loadSignature(signature);
    if (!library.checkSignature(xml)) return failed('altered');
  } catch {
    // The library throws when the signature is of another key, and for anything it cannot read.
    return failed(found.isTried ? 'key_unknown' : 'malformed');
  }
  const [signed, ...others] = library.getSignedReferences();
  if (signed === undefined || others.length > 0 || !found.certificate) return failed('malformed');
  return { outcome: 'verified', certificate: found.certificate, signed };
}

function isSignedBy({ publicKey: key }: X509Certificate, { hash, type, isPss }: Method, material: string, value: string): boolean {
  if (key.asymmetricKeyType !== type) return false;
  // XML signatures hold the two numbers of ECDSA side by side.
  const options = isPss
    ? { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_AUTO }
    : { key, dsaEncoding: 'ieee-p1363' as const };
  return verify(hash, Buffer.from(material), options, Buffer.from(value, 'base64'));
}

/** An algorithm as the library wants it: a class whose objects verify. */
function signatureAlgorithm(name: string, isVerified: (material: string, value: string) => boolean): new () => SignatureAlgorithm {
  return class implements SignatureAlgorithm {
    getAlgorithmName = (): string => name;
    getSignature = (): string => {
      throw new Error('Nothing is signed here.');
    };
    verifySignature = (material: string, _key: unknown, value: string): boolean => isVerified(material, value);
  };
}

function hashAlgorithm(uri: string, name: string): new () => HashAlgorithm {
  return class implements HashAlgorithm {
    getAlgorithmName = (): string => uri;
    getHash = (xml: string): string => createHash(name).update(xml, 'utf8').digest('base64');
  };
}

/** The certificate that a signature names, which proves nothing by itself. */
function embeddedCertificate(signature: Element): X509Certificate | null {
  const text = textOf(descendants(signature, NS.signature, 'X509Certificate')[0]);
  if (text === null) return null;
  try {
    return new X509Certificate(Buffer.from(text, 'base64'));
  } catch {
    return null;
  }
}

function fingerprint(certificate: X509Certificate): string {
  return certificate.fingerprint256.replaceAll(':', '').toLowerCase();
}

function shortName(uri: string): string {
  return uri === '' ? 'none' : uri.slice(uri.lastIndexOf('#') + 1).slice(0, 60);
}
