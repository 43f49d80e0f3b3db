import { X509Certificate } from 'node:crypto';
import { SAML, ValidateInResponseTo } from '@node-saml/node-saml';
import { DOMParser } from '@xmldom/xmldom';
import { OutboundError } from '#platform/outbound/outbound-error.ts';
import type { SafeFetch } from '#platform/outbound/safe-fetch.ts';

/** A SAML provider as its metadata describes it. Certificates are base64 DER without line breaks. */
export type SamlProvider = { entityId: string; ssoUrl: string; certificates: readonly string[] };
/** The service as registered with that provider; one per partner, so that no response is valid for two. */
export type SamlService = { entityId: string; acsUrl: string };
export type SamlClaims = { nameId: string; email: string | null; name: string | null };

export type SamlClient = {
  /** Reads a metadata document. Throws `SamlFault`. */
  readMetadata(url: string): Promise<SamlProvider & { certificateExpiresAt: Date }>;
  /** Returns where to send the browser (HTTP-Redirect binding), and the id the response must name. */
  begin(provider: SamlProvider, service: SamlService, relayState: string): Promise<{ url: string; requestId: string }>;
  /** Validates a posted response to `requestId`. Throws `SamlFault` for any but the expected one. */
  finish(provider: SamlProvider, service: SamlService, samlResponse: string, requestId: string): Promise<SamlClaims>;
  /** The service's own metadata. */
  describe(service: SamlService): string;
};

export class SamlFault extends Error {
  readonly kind: 'refused' | 'unreachable' | 'invalid';
  constructor(kind: SamlFault['kind'], message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'SamlFault';
    this.kind = kind;
  }
}

const TIMEOUT_MS = 8_000;
const METADATA_BYTES_MAX = 512 * 1024;
/** Base64 of a response; a real one has a few kilobytes. */
const RESPONSE_CHARS_MAX = 256 * 1024;
/** Elements, their ends, comments and the like. A provider with every claim it knows has some hundreds. */
const MARKUP_MAX = 3_000;
const CLOCK_SKEW_MS = 60_000;
const MD = 'urn:oasis:names:tc:SAML:2.0:metadata';
const DS = 'http://www.w3.org/2000/09/xmldsig#';
const PROTOCOL = 'urn:oasis:names:tc:SAML:2.0:protocol';
const SUCCESS = 'urn:oasis:names:tc:SAML:2.0:status:Success';
const ASSERTION = 'urn:oasis:names:tc:SAML:2.0:assertion';
const REDIRECT = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect';
const EMAIL_FORMAT = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress';
/** Names under which providers send the address; the name id counts when its format says that it is one. */
const EMAIL_NAMES = [
  'email',
  'mail',
  'emailAddress',
  'urn:oid:0.9.2342.19200300.100.1.3',
  'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress',
];

/** SAML 2.0 by node-saml: signed assertions only, bound to the one request they answer, to this service and this provider. */
export function createSaml(deps: { fetch: SafeFetch }): SamlClient {
  return {
    async readMetadata(url) {
      const answer = await deps.fetch
        .call({
          method: 'GET',
          url,
          headers: { accept: 'application/samlmetadata+xml, application/xml' },
          timeoutMs: TIMEOUT_MS,
          answerBytesMax: METADATA_BYTES_MAX,
        })
        .catch((error: unknown) => {
          throw new SamlFault('unreachable', error instanceof OutboundError ? error.message : 'The metadata could not be read.', error);
        });
      if (answer.status !== 200) throw new SamlFault('unreachable', `The metadata address answered ${answer.status}.`);
      if (answer.truncated) throw new SamlFault('invalid', 'The metadata is longer than any provider needs.');
      return parseMetadata(answer.body.toString('utf8'));
    },
    async begin(provider, service, relayState) {
      const requests = new Map<string, string>();
      const url = await build(provider, service, requests).getAuthorizeUrlAsync(relayState, undefined, {});
      const [requestId] = requests.keys();
      if (requestId === undefined) throw new Error('The SAML request has no id.');
      return { url, requestId };
    },
    async finish(provider, service, samlResponse, requestId) {
      requireSuccess(samlResponse);
      const saml = build(provider, service, new Map([[requestId, new Date().toISOString()]]));
      const { profile } = await saml.validatePostResponseAsync({ SAMLResponse: samlResponse }).catch((error: unknown) => {
        throw new SamlFault('invalid', error instanceof Error ? error.message : 'The response was not valid.', error);
      });
      if (!profile?.getAssertionXml) throw new SamlFault('invalid', 'The response carries no assertion.');
      if (profile.issuer !== provider.entityId) throw new SamlFault('invalid', 'The assertion is of another issuer.');
      refuseOtherRecipient(profile.getAssertionXml(), service.acsUrl, requestId);
      const found = EMAIL_NAMES.map((name) => profile[name]).find((value) => typeof value === 'string');
      const named = profile.nameIDFormat === EMAIL_FORMAT ? profile.nameID : undefined;
      const email = typeof found === 'string' ? found : named;
      const name = profile['displayName'] ?? profile['http://schemas.microsoft.com/identity/claims/displayname'];
      return { nameId: profile.nameID, email: email?.trim().toLowerCase() ?? null, name: typeof name === 'string' ? name : null };
    },
    describe: (service) => {
      const placeholder = { entityId: '', ssoUrl: 'https://unused.invalid', certificates: ['AA=='] };
      return build(placeholder, service, new Map()).generateServiceProviderMetadata(null);
    },
  };
}

/** `requests`: ids a response may name; the library adds the id of the request it creates. */
function build(provider: SamlProvider, service: SamlService, requests: Map<string, string>): SAML {
  return new SAML({
    issuer: service.entityId,
    callbackUrl: service.acsUrl,
    audience: service.entityId,
    entryPoint: provider.ssoUrl,
    idpIssuer: provider.entityId,
    idpCert: [...provider.certificates],
    wantAssertionsSigned: true,
    wantAuthnResponseSigned: false,
    signatureAlgorithm: 'sha256',
    digestAlgorithm: 'sha256',
    acceptedClockSkewMs: CLOCK_SKEW_MS,
    identifierFormat: EMAIL_FORMAT,
    disableRequestedAuthnContext: true,
    validateInResponseTo: ValidateInResponseTo.always,
    cacheProvider: {
      saveAsync: async (key, value) => {
        requests.set(key, value);
        return { value, createdAt: Date.now() };
      },
      getAsync: async (key) => requests.get(key) ?? null,
      removeAsync: async (key) => (key !== null && requests.delete(key) ? key : null),
    },
  });
}

/**
 * Checks size, markup and status before any signature. The library would accept an assertion in a response with any status.
 */
function requireSuccess(samlResponse: string): void {
  if (samlResponse.length > RESPONSE_CHARS_MAX) throw new SamlFault('invalid', 'The response is longer than any response.');
  const xml = Buffer.from(samlResponse, 'base64').toString('utf8');
  refuseAttack(xml);
  const document = parse(xml);
  const [status] = elements(document, PROTOCOL, 'StatusCode');
  const [message] = elements(document, PROTOCOL, 'StatusMessage');
  if (!status) throw new SamlFault('invalid', 'This is not a SAML response.');
  if (status.getAttribute('Value') !== SUCCESS) throw new SamlFault('refused', message?.textContent || 'The provider refused.');
}

/**
 * Refuses document types and excessive markup: the work of parsing and canonicalising grows quadratically with it, and would block the process
 * for minutes.
 */
function refuseAttack(xml: string): void {
  if (xml.split('<', MARKUP_MAX + 2).length > MARKUP_MAX + 1)
    throw new SamlFault('invalid', 'There is more markup in this than any provider writes.');
  if (/<!(?:DOCTYPE|ENTITY)/i.test(xml)) throw new SamlFault('invalid', 'A document type is not accepted.');
}

/** The library leaves these two to its caller: for whom the confirmation was made, and to which request (SAML profiles 4.1.4.2). */
function refuseOtherRecipient(assertionXml: string, acsUrl: string, requestId: string): void {
  const confirmations = elements(parse(assertionXml), ASSERTION, 'SubjectConfirmationData');
  const fits = confirmations.some((one) => one.getAttribute('Recipient') === acsUrl && one.getAttribute('InResponseTo') === requestId);
  if (!fits) throw new SamlFault('invalid', 'The assertion was made for another recipient or request.');
}

function parseMetadata(xml: string): SamlProvider & { certificateExpiresAt: Date } {
  refuseAttack(xml);
  const document = parse(xml);
  const descriptors = elements(document, MD, 'IDPSSODescriptor');
  const [descriptor] = descriptors;
  if (!descriptor || descriptors.length > 1) throw new SamlFault('invalid', 'The metadata must describe one identity provider.');
  const entity = descriptor.parentNode as Element | null; // an element by the parser, whose types are the DOM's
  const entityId = entity?.getAttribute('entityID') ?? '';
  const services = elements(descriptor, MD, 'SingleSignOnService');
  const ssoUrl = services.find((one) => one.getAttribute('Binding') === REDIRECT)?.getAttribute('Location') ?? '';
  if (!isStorable(entityId, 1_024) || !isStorable(ssoUrl, 2_048) || !/^https?:\/\//.test(ssoUrl) || !URL.canParse(ssoUrl)) {
    throw new SamlFault('invalid', 'The metadata names no entity id or no address with the HTTP-Redirect binding.');
  }
  const keys = elements(descriptor, MD, 'KeyDescriptor').filter((key) => key.getAttribute('use') !== 'encryption');
  const certificates = keys
    .flatMap((key) => elements(key, DS, 'X509Certificate'))
    .map((one) => (one.textContent ?? '').replaceAll(/\s/g, ''));
  if (certificates.length === 0) throw new SamlFault('invalid', 'The metadata holds no signing certificate.');
  return { entityId, ssoUrl, certificates, certificateExpiresAt: lastExpiry(certificates) };
}

/** Returns whether a text has a valid length (SAML core 8.3.6) and only characters that addresses and the database accept. */
function isStorable(text: string, lengthMax: number): boolean {
  return text !== '' && text.length <= lengthMax && !/[\p{Cc}\p{Cs}]/u.test(text);
}

/** Returns the latest expiry: a provider that rotates its keys lists old and new ones. */
function lastExpiry(certificates: readonly string[]): Date {
  let last = Number.NaN;
  try {
    last = Math.max(...certificates.map((one) => Date.parse(new X509Certificate(Buffer.from(one, 'base64')).validTo)));
  } catch (error) {
    throw new SamlFault('invalid', 'A certificate of the metadata cannot be read.', error);
  }
  if (Number.isNaN(last)) throw new SamlFault('invalid', 'A certificate of the metadata names no day on which it ends.');
  return new Date(last);
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
  if (problems.length > 0 || !document?.documentElement) throw new SamlFault('invalid', 'The XML cannot be read.');
  return document;
}
