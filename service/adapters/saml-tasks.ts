import { X509Certificate } from 'node:crypto';
import { DOMParser } from '@xmldom/xmldom';
import { EMAIL_FORMAT, type SamlClaims, samlLibrary, type SamlMetadata, type SamlProvider, type SamlService } from './saml-library.ts';

/** Faults are results: the thread that asked would not see the class of an error. */
export type SamlRead<T> = { ok: true; value: T } | { ok: false; kind: 'refused' | 'invalid'; message: string };

export type SamlAnswer = {
  provider: SamlProvider;
  service: SamlService;
  /** In base64, as posted. */
  response: string;
  requestId: string;
};

/** Most different certificates of a provider: each is tried on a signature. One that rotates its keys lists two or three. */
const CERTIFICATES_MAX = 5;
const MD = 'urn:oasis:names:tc:SAML:2.0:metadata';
const DS = 'http://www.w3.org/2000/09/xmldsig#';
const PROTOCOL = 'urn:oasis:names:tc:SAML:2.0:protocol';
const SUCCESS = 'urn:oasis:names:tc:SAML:2.0:status:Success';
const ASSERTION = 'urn:oasis:names:tc:SAML:2.0:assertion';
const REDIRECT = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect';
/** Names under which providers send the address; the name id counts when its format says that it is one. */
const EMAIL_NAMES = [
  'email',
  'mail',
  'emailAddress',
  'urn:oid:0.9.2342.19200300.100.1.3',
  'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress',
];

class Fault extends Error {
  readonly kind: 'refused' | 'invalid';
  constructor(kind: Fault['kind'], message: string) {
    super(message);
    this.kind = kind;
  }
}

// Tasks of the compute pool: nothing else parses XML of strangers, and only text that `judgeXml` accepted.

/** Reads a metadata document. */
export function readMetadata(xml: string): Promise<SamlRead<SamlMetadata>> {
  return settle(() => parseMetadata(xml));
}

/** Validates a posted response. */
export function verifyResponse(answer: SamlAnswer): Promise<SamlRead<SamlClaims>> {
  return settle(() => verify(answer));
}

async function settle<T>(work: () => T | Promise<T>): Promise<SamlRead<T>> {
  try {
    return { ok: true, value: await work() };
  } catch (error) {
    if (error instanceof Fault) return { ok: false, kind: error.kind, message: error.message };
    throw error;
  }
}

async function verify({ provider, service, response, requestId }: SamlAnswer): Promise<SamlClaims> {
  requireSuccess(parse(Buffer.from(response, 'base64').toString('utf8')));
  const saml = samlLibrary(provider, service, new Map([[requestId, new Date().toISOString()]]));
  const { profile } = await saml.validatePostResponseAsync({ SAMLResponse: response }).catch((error: unknown) => {
    throw new Fault('invalid', error instanceof Error ? error.message : 'The response was not valid.');
  });
  if (!profile?.getAssertionXml) throw new Fault('invalid', 'The response carries no assertion.');
  if (profile.issuer !== provider.entityId) throw new Fault('invalid', 'The assertion is of another issuer.');
  refuseOtherRecipient(profile.getAssertionXml(), service.acsUrl, requestId);
  const found = EMAIL_NAMES.map((name) => profile[name]).find((value) => typeof value === 'string');
  const named = profile.nameIDFormat === EMAIL_FORMAT ? profile.nameID : undefined;
  const email = typeof found === 'string' ? found : named;
  const name = profile['displayName'] ?? profile['http://schemas.microsoft.com/identity/claims/displayname'];
  return { nameId: profile.nameID, email: email?.trim().toLowerCase() ?? null, name: typeof name === 'string' ? name : null };
}

/** Before any signature: the library would accept an assertion in a response with any status. */
function requireSuccess(document: Document): void {
  const [status] = elements(document, PROTOCOL, 'StatusCode');
  const [message] = elements(document, PROTOCOL, 'StatusMessage');
  if (!status) throw new Fault('invalid', 'This is not a SAML response.');
  if (status.getAttribute('Value') !== SUCCESS) throw new Fault('refused', message?.textContent || 'The provider refused.');
}

/** The library leaves these two to its caller: for whom the confirmation was made, and to which request (SAML profiles 4.1.4.2). */
function refuseOtherRecipient(assertionXml: string, acsUrl: string, requestId: string): void {
  const confirmations = elements(parse(assertionXml), ASSERTION, 'SubjectConfirmationData');
  const fits = confirmations.some((one) => one.getAttribute('Recipient') === acsUrl && one.getAttribute('InResponseTo') === requestId);
  if (!fits) throw new Fault('invalid', 'The assertion was made for another recipient or request.');
}

function parseMetadata(xml: string): SamlMetadata {
  const document = parse(xml);
  const descriptors = elements(document, MD, 'IDPSSODescriptor');
  const [descriptor] = descriptors;
  if (!descriptor || descriptors.length > 1) throw new Fault('invalid', 'The metadata must describe one identity provider.');
  const entity = descriptor.parentNode as Element | null; // an element by the parser, whose types are the DOM's
  const entityId = entity?.getAttribute('entityID') ?? '';
  const services = elements(descriptor, MD, 'SingleSignOnService');
  const ssoUrl = services.find((one) => one.getAttribute('Binding') === REDIRECT)?.getAttribute('Location') ?? '';
  if (!isStorable(entityId, 1_024) || !isStorable(ssoUrl, 2_048) || !/^https?:\/\//.test(ssoUrl) || !URL.canParse(ssoUrl)) {
    throw new Fault('invalid', 'The metadata names no entity id or no address with the HTTP-Redirect binding.');
  }
  const keys = elements(descriptor, MD, 'KeyDescriptor').filter((key) => key.getAttribute('use') !== 'encryption');
  const texts = keys.flatMap((key) => elements(key, DS, 'X509Certificate')).map((one) => (one.textContent ?? '').replaceAll(/\s/g, ''));
  return { entityId, ssoUrl, ...readCertificates(texts) };
}

/** Returns each certificate once, and the latest expiry: a provider that rotates its keys lists old and new ones. */
function readCertificates(texts: readonly string[]): Pick<SamlMetadata, 'certificates' | 'certificateExpiresAt'> {
  // The same bytes can be written in several ways.
  const byBytes = new Map<string, X509Certificate>();
  try {
    for (const text of new Set(texts)) {
      const certificate = new X509Certificate(Buffer.from(text, 'base64'));
      byBytes.set(certificate.raw.toString('base64'), certificate);
    }
  } catch {
    throw new Fault('invalid', 'A certificate of the metadata cannot be read.');
  }
  if (byBytes.size === 0) throw new Fault('invalid', 'The metadata holds no signing certificate.');
  if (byBytes.size > CERTIFICATES_MAX) {
    const advice = `at most ${CERTIFICATES_MAX} are accepted. Remove those that your provider no longer signs with.`;
    throw new Fault('invalid', `The metadata holds ${byBytes.size} different signing certificates; ${advice}`);
  }
  const last = Math.max(...[...byBytes.values()].map((one) => Date.parse(one.validTo)));
  if (Number.isNaN(last)) throw new Fault('invalid', 'A certificate of the metadata names no day on which it ends.');
  return { certificates: [...byBytes.keys()], certificateExpiresAt: new Date(last) };
}

/** Returns whether a text has a valid length (SAML core 8.3.6) and only characters that addresses and the database accept. */
function isStorable(text: string, lengthMax: number): boolean {
  return text !== '' && text.length <= lengthMax && !/[\p{Cc}\p{Cs}]/u.test(text);
}

/** The parser's lists are not iterable. */
function elements(within: Document | Element, namespace: string, name: string): Element[] {
  const found = within.getElementsByTagNameNS(namespace, name);
  return Array.from({ length: found.length }, (_, index) => found.item(index)).filter((one) => one !== null);
}

function parse(xml: string): Document {
  const problems: string[] = [];
  const note = (problem: string): void => void problems.push(problem);
  const document = new DOMParser({ errorHandler: { warning: () => undefined, error: note, fatalError: note } }).parseFromString(
    xml,
    'text/xml',
  );
  if (problems.length > 0 || !document?.documentElement) throw new Fault('invalid', 'The XML cannot be read.');
  return document;
}
