import { constants, createCipheriv, createHash, publicEncrypt, randomBytes, sign, X509Certificate } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inflateRawSync } from 'node:zlib';
import { type HashAlgorithm, type SignatureAlgorithm, SignedXml } from 'xml-crypto';
import { EC_CERTIFICATE, EC_KEY, OTHER_CERTIFICATE, OTHER_KEY, OWN_CERTIFICATE, OWN_KEY } from './saml-keys.ts';

const KEYS = {
  own: { key: OWN_KEY, certificate: OWN_CERTIFICATE },
  other: { key: OTHER_KEY, certificate: OTHER_CERTIFICATE },
  ec: { key: EC_KEY, certificate: EC_CERTIFICATE },
};
type KeyName = keyof typeof KEYS;
type Signing = 'rsa-sha1' | 'rsa-sha256' | 'rsa-sha384' | 'rsa-sha512' | 'sha256-rsa-MGF1' | 'ecdsa-sha256' | 'ecdsa-sha384' | 'dsa-sha256';
type Digest = 'sha1' | 'sha256' | 'sha384' | 'sha512';

/** Differences between the messages of providers. Defaults: signed assertion, RSA with SHA-256, address as name id. */
export type SamlShape = {
  signs?: 'assertion' | 'response' | 'both' | 'nothing';
  key?: KeyName;
  algorithm?: Signing;
  digest?: Digest;
  /** Leaves out the certificate that accompanies the signature. */
  namesNoKey?: boolean;
  nameId?: { text: string; format?: string } | 'encrypted' | null;
  attributes?: Record<string, string[]>;
  encryption?: {
    cipher: 'aes128-gcm' | 'aes256-gcm' | 'aes128-cbc' | 'aes256-cbc' | 'tripledes-cbc';
    certificate: string;
    transport?: 'rsa-1_5' | 'oaep-sha256';
  };
  /** The provider's clock minus the service's. */
  skewMs?: number;
  destination?: string | null;
  recipient?: string;
  hasNoConditions?: boolean;
  isHolderOfKey?: boolean;
  /** Top-level status code, then nested ones; a message. */
  refusal?: { codes: string[]; message?: string };
  relayState?: string;
  isUnsolicited?: boolean;
  /** Changes the assertion before it is signed. */
  before?: (xml: string) => string;
  /** Changes the text once it is signed. */
  after?: (xml: string) => string;
};

export type SamlShapes = {
  metadataUrl: string;
  entityId: string;
  /** Changes its metadata from now on. */
  publish(metadata: {
    keys?: KeyName[];
    wantsSigned?: boolean;
    validUntil?: string;
    ssoUrl?: string;
    entityId?: string;
    change?: (xml: string) => string;
  }): void;
  /** Where a request for `/moved` leads, and the addresses after it. */
  redirect(to: string): void;
  metadata(): string;
  /** Number of times its metadata was read. */
  readings(): number;
  respond(asked: URL, email: string, shape?: SamlShape): { SAMLResponse: string; RelayState: string };
  /** What its login page and its tile answer from now on, in a real browser. */
  signIn(email: string, shape?: SamlShape): void;
  /** Where a click on its tile leads. */
  tileUrl: string;
  close(): Promise<void>;
};

const MORE = 'http://www.w3.org/2001/04/xmldsig-more#';
const DIGESTS: Record<Digest, string> = {
  sha1: 'http://www.w3.org/2000/09/xmldsig#sha1',
  sha256: 'http://www.w3.org/2001/04/xmlenc#sha256',
  sha384: `${MORE}sha384`,
  sha512: 'http://www.w3.org/2001/04/xmlenc#sha512',
};
const SIGNINGS: Record<Signing, { uri: string; hash: string; isPss?: true }> = {
  'rsa-sha1': { uri: 'http://www.w3.org/2000/09/xmldsig#rsa-sha1', hash: 'sha1' },
  'rsa-sha256': { uri: `${MORE}rsa-sha256`, hash: 'sha256' },
  'rsa-sha384': { uri: `${MORE}rsa-sha384`, hash: 'sha384' },
  'rsa-sha512': { uri: `${MORE}rsa-sha512`, hash: 'sha512' },
  'sha256-rsa-MGF1': { uri: 'http://www.w3.org/2007/05/xmldsig-more#sha256-rsa-MGF1', hash: 'sha256', isPss: true },
  'ecdsa-sha256': { uri: `${MORE}ecdsa-sha256`, hash: 'sha256' },
  'ecdsa-sha384': { uri: `${MORE}ecdsa-sha384`, hash: 'sha384' },
  // Named only: what a provider does not offer any more, we do not verify.
  'dsa-sha256': { uri: 'http://www.w3.org/2009/xmldsig11#dsa-sha256', hash: 'sha256' },
};
const STATUS = 'urn:oasis:names:tc:SAML:2.0:status:';
const EMAIL = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress';
const REDIRECT = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect';

/** A SAML provider on loopback whose responses take any shape that providers are known for. */
export async function startSamlShapes(service: { entityId: string; acsUrl: string }): Promise<SamlShapes> {
  let published: Parameters<SamlShapes['publish']>[0] = {};
  let readings = 0;
  let moved = '/metadata';
  let person: { email: string; shape: SamlShape } = { email: 'unknown@idp.test', shape: {} };
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', base);
    if (url.pathname === '/metadata') {
      readings += 1;
      return void response.setHeader('content-type', 'application/xml').end(metadata());
    }
    if (url.pathname === '/moved') return void response.writeHead(302, { location: moved }).end();
    if (url.pathname !== '/sso' && url.pathname !== '/tile') return void response.writeHead(404).end();
    const shape = url.pathname === '/tile' ? { ...person.shape, isUnsolicited: true } : person.shape;
    return void response.setHeader('content-type', 'text/html').end(formOf(service.acsUrl, respond(url, person.email, shape)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // it listens on a port
  const base = `http://127.0.0.1:${port}`;
  const entityId = `${base}/entity`;
  const metadata = (): string => published.change?.(describe()) ?? describe();
  const describe = (): string => {
    const { keys = ['own'], wantsSigned, validUntil, ssoUrl = `${base}/sso`, entityId: named = entityId } = published;
    const descriptors = keys.map(
      (one) =>
        `<md:KeyDescriptor use="signing"><ds:KeyInfo><ds:X509Data><ds:X509Certificate>${bare(KEYS[one].certificate)}</ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor>`,
    );
    return `<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" xmlns:ds="http://www.w3.org/2000/09/xmldsig#" entityID="${named}"${
      validUntil === undefined ? '' : ` validUntil="${validUntil}"`
    }><md:IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol"${
      wantsSigned ? ' WantAuthnRequestsSigned="true"' : ''
    }>${descriptors.join('')}<md:SingleSignOnService Binding="${REDIRECT}" Location="${ssoUrl}"/></md:IDPSSODescriptor></md:EntityDescriptor>`;
  };
  const respond: SamlShapes['respond'] = (asked, email, shape = {}) => {
    const requestId = shape.isUnsolicited ? null : requestIdOf(asked);
    const xml = build(shape, { email, requestId, entityId, acsUrl: service.acsUrl });
    return {
      SAMLResponse: Buffer.from(shape.after ? shape.after(xml) : xml).toString('base64'),
      RelayState: shape.relayState ?? asked.searchParams.get('RelayState') ?? '',
    };
  };
  return {
    metadataUrl: `${base}/metadata`,
    entityId,
    publish: (next) => void (published = next),
    readings: () => readings,
    redirect: (to) => void (moved = to),
    metadata,
    respond,
    signIn: (email, shape = {}) => void (person = { email, shape }),
    tileUrl: `${base}/tile`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** The page that providers answer with: a form that sends itself. */
function formOf(action: string, fields: Record<string, string>): string {
  const inputs = Object.entries(fields).map(([name, value]) => `<input type="hidden" name="${name}" value="${value}">`);
  return `<!doctype html><title>Provider</title><form method="post" action="${action}">${inputs.join('')}</form><script>document.forms[0].submit()</script>`;
}

function requestIdOf(asked: URL): string {
  const request = inflateRawSync(Buffer.from(asked.searchParams.get('SAMLRequest') ?? '', 'base64')).toString();
  return /\bID="([^"]+)"/.exec(request)?.[1] ?? '';
}

type Facts = { email: string; requestId: string | null; entityId: string; acsUrl: string };

function build(shape: SamlShape, facts: Facts & { entityId: string }): string {
  const { signs = 'assertion' } = shape;
  const at = (ms: number): string => new Date(Date.now() + (shape.skewMs ?? 0) + ms).toISOString();
  const inResponseTo = facts.requestId === null ? '' : ` InResponseTo="${facts.requestId}"`;
  const destination = shape.destination === null ? '' : ` Destination="${shape.destination ?? facts.acsUrl}"`;
  const issuer = `<saml:Issuer>${facts.entityId}</saml:Issuer>`;
  let assertion = shape.refusal ? '' : assertionOf(shape, facts, at, inResponseTo, issuer);
  if (shape.before) assertion = shape.before(assertion);
  if (assertion && (signs === 'assertion' || signs === 'both')) assertion = signXml(assertion, 'Assertion', shape);
  if (assertion && shape.encryption) assertion = encrypt(assertion, shape.encryption);
  const [top = 'Success', ...nested] = shape.refusal?.codes ?? [];
  const inner = nested.map((code) => `<samlp:StatusCode Value="${STATUS}${code}"/>`).join('');
  const message = shape.refusal?.message ? `<samlp:StatusMessage>${shape.refusal.message}</samlp:StatusMessage>` : '';
  const response = `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="_r${randomBytes(8).toString('hex')}" Version="2.0" IssueInstant="${at(0)}"${destination}${inResponseTo}>${issuer}<samlp:Status><samlp:StatusCode Value="${STATUS}${top}">${inner}</samlp:StatusCode>${message}</samlp:Status>${assertion}</samlp:Response>`;
  return signs === 'response' || signs === 'both' ? signXml(response, 'Response', shape) : response;
}

function assertionOf(shape: SamlShape, { email, acsUrl }: Facts, at: (ms: number) => string, inResponseTo: string, issuer: string): string {
  const audience = acsUrl.replace(/acs$/, 'metadata');
  const nameId = shape.nameId === undefined ? { text: email, format: EMAIL } : shape.nameId;
  const named =
    nameId === null
      ? ''
      : nameId === 'encrypted'
        ? '<saml:EncryptedID><xenc:EncryptedData xmlns:xenc="http://www.w3.org/2001/04/xmlenc#"><xenc:CipherData><xenc:CipherValue>AAAA</xenc:CipherValue></xenc:CipherData></xenc:EncryptedData></saml:EncryptedID>'
        : `<saml:NameID${nameId.format ? ` Format="${nameId.format}"` : ''}>${nameId.text}</saml:NameID>`;
  const attributes = Object.entries(shape.attributes ?? {}).map(
    ([name, values]) =>
      `<saml:Attribute Name="${name}">${values.map((value) => `<saml:AttributeValue>${value}</saml:AttributeValue>`).join('')}</saml:Attribute>`,
  );
  const method = `urn:oasis:names:tc:SAML:2.0:cm:${shape.isHolderOfKey ? 'holder-of-key' : 'bearer'}`;
  const conditions = shape.hasNoConditions
    ? ''
    : `<saml:Conditions NotBefore="${at(-60_000)}" NotOnOrAfter="${at(300_000)}"><saml:AudienceRestriction><saml:Audience>${audience}</saml:Audience></saml:AudienceRestriction></saml:Conditions>`;
  return `<saml:Assertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="_a${randomBytes(8).toString('hex')}" Version="2.0" IssueInstant="${at(0)}">${issuer}<saml:Subject>${named}<saml:SubjectConfirmation Method="${method}"><saml:SubjectConfirmationData NotOnOrAfter="${at(300_000)}" Recipient="${shape.recipient ?? acsUrl}"${inResponseTo}/></saml:SubjectConfirmation></saml:Subject>${conditions}${
    attributes.length > 0 ? `<saml:AttributeStatement>${attributes.join('')}</saml:AttributeStatement>` : ''
  }</saml:Assertion>`;
}

function signXml(xml: string, name: 'Assertion' | 'Response', shape: SamlShape): string {
  const { key, certificate } = KEYS[shape.key ?? 'own'];
  const { uri, hash, isPss } = SIGNINGS[shape.algorithm ?? (shape.key === 'ec' ? 'ecdsa-sha256' : 'rsa-sha256')];
  const digest = DIGESTS[shape.digest ?? 'sha256'];
  const signer = new SignedXml({
    privateKey: key,
    ...(shape.namesNoKey ? {} : { publicCert: certificate }),
    signatureAlgorithm: uri,
    canonicalizationAlgorithm: 'http://www.w3.org/2001/10/xml-exc-c14n#',
  });
  const options = isPss
    ? { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST }
    : { key, dsaEncoding: 'ieee-p1363' as const };
  signer.SignatureAlgorithms = {
    [uri]: class implements SignatureAlgorithm {
      getAlgorithmName = (): string => uri;
      getSignature = (text: unknown): string => sign(hash, Buffer.from(String(text)), options).toString('base64');
      verifySignature = (): boolean => false;
    },
  };
  signer.HashAlgorithms = {
    [digest]: class implements HashAlgorithm {
      getAlgorithmName = (): string => digest;
      getHash = (text: string): string =>
        createHash(shape.digest ?? 'sha256')
          .update(text)
          .digest('base64');
    },
  };
  signer.addReference({
    xpath: `/*[local-name(.)='${name}']`,
    transforms: ['http://www.w3.org/2000/09/xmldsig#enveloped-signature', 'http://www.w3.org/2001/10/xml-exc-c14n#'],
    digestAlgorithm: digest,
  });
  signer.computeSignature(xml, { prefix: 'ds', location: { reference: `/*/*[local-name(.)='Issuer']`, action: 'after' } });
  return signer.getSignedXml();
}

/** XML encryption, written apart from what decrypts it. */
function encrypt(xml: string, { cipher, certificate, transport }: NonNullable<SamlShape['encryption']>): string {
  const isGcm = cipher.endsWith('gcm');
  const bytes = cipher.includes('256') ? 32 : cipher === 'tripledes-cbc' ? 24 : 16;
  const secret = randomBytes(bytes);
  const names = {
    'aes128-gcm': 'aes-128-gcm',
    'aes256-gcm': 'aes-256-gcm',
    'aes128-cbc': 'aes-128-cbc',
    'aes256-cbc': 'aes-256-cbc',
    'tripledes-cbc': 'des-ede3-cbc',
  };
  const iv = randomBytes(isGcm ? 12 : cipher === 'tripledes-cbc' ? 8 : 16);
  // GCM and CBC differ in their types only by the tag.
  const sealer = createCipheriv(names[cipher] as 'aes-128-gcm', secret, iv);
  const sealed = Buffer.concat([iv, sealer.update(xml, 'utf8'), sealer.final(), ...(isGcm ? [sealer.getAuthTag()] : [])]);
  const { publicKey } = new X509Certificate(Buffer.from(certificate, 'base64'));
  const padding = transport === 'rsa-1_5' ? constants.RSA_PKCS1_PADDING : constants.RSA_PKCS1_OAEP_PADDING;
  const wrapped = publicEncrypt({ key: publicKey, padding, oaepHash: transport === 'oaep-sha256' ? 'sha256' : 'sha1' }, secret);
  const method =
    transport === 'rsa-1_5'
      ? '<xenc:EncryptionMethod Algorithm="http://www.w3.org/2001/04/xmlenc#rsa-1_5"/>'
      : transport === 'oaep-sha256'
        ? `<xenc:EncryptionMethod Algorithm="http://www.w3.org/2009/xmlenc11#rsa-oaep"><ds:DigestMethod Algorithm="${DIGESTS.sha256}"/><xenc11:MGF xmlns:xenc11="http://www.w3.org/2009/xmlenc11#" Algorithm="http://www.w3.org/2009/xmlenc11#mgf1sha256"/></xenc:EncryptionMethod>`
        : '<xenc:EncryptionMethod Algorithm="http://www.w3.org/2001/04/xmlenc#rsa-oaep-mgf1p"/>';
  const algorithm = isGcm ? `http://www.w3.org/2009/xmlenc11#${cipher}` : `http://www.w3.org/2001/04/xmlenc#${cipher}`;
  const value = (data: Buffer): string =>
    `<xenc:CipherData><xenc:CipherValue>${data.toString('base64')}</xenc:CipherValue></xenc:CipherData>`;
  return `<saml:EncryptedAssertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion"><xenc:EncryptedData xmlns:xenc="http://www.w3.org/2001/04/xmlenc#" Type="http://www.w3.org/2001/04/xmlenc#Element"><xenc:EncryptionMethod Algorithm="${algorithm}"/><ds:KeyInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><xenc:EncryptedKey>${method}${value(wrapped)}</xenc:EncryptedKey></ds:KeyInfo>${value(sealed)}</xenc:EncryptedData></saml:EncryptedAssertion>`;
}

function bare(pem: string): string {
  return pem.replaceAll(/-----[^-]+-----|\s/g, '');
}
