import { X509Certificate } from 'node:crypto';
import { SamlTaskFault } from './saml-fault.ts';
import { ENCRYPTION_METHODS } from './saml-decrypt.ts';
import { attribute, children, descendants, NS, parseXml, textOf } from './saml-dom.ts';
import { type DescribedService, EMAIL_FORMAT, type SamlMetadata } from './saml-library.ts';

/** Most different certificates of a provider: each is tried on a signature. A provider that rotates its keys lists two or three. */
const CERTIFICATES_MAX = 5;
const REDIRECT = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect';
const POST = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST';

/** Reads the metadata of a provider. Throws `SamlTaskFault`. */
export function parseMetadata(xml: string, now: Date): SamlMetadata {
  const root = parseXml(xml);
  if (!root) throw invalid('The XML cannot be read.');
  const descriptor = chooseDescriptor(root);
  const entity = descriptor.parentNode as Element | null; // an element by the parser, whose types are the DOM's
  const entityId = attribute(entity, 'entityID') ?? '';
  const ssoUrl = redirectAddress(descriptor) ?? '';
  if (ssoUrl === '' && addressOf(descriptor, POST) !== null) {
    const advice = 'Switch that binding on at your provider.';
    throw invalid(
      `The metadata names an address with the HTTP-POST binding only, and the portal sends requests by HTTP-Redirect. ${advice}`,
    );
  }
  if (!isStorable(entityId, 1_024) || !isStorable(ssoUrl, 2_048) || !/^https?:\/\//.test(ssoUrl) || !URL.canParse(ssoUrl)) {
    throw invalid('The metadata names no entity id or no address with the HTTP-Redirect binding.');
  }
  const keys = children(descriptor, NS.metadata, 'KeyDescriptor').filter((key) => key.getAttribute('use') !== 'encryption');
  const texts = keys
    .flatMap((key) => descendants(key, NS.signature, 'X509Certificate'))
    .map((one) => (textOf(one) ?? '').replaceAll(/-----(?:BEGIN|END) CERTIFICATE-----|\s/g, ''));
  return {
    entityId,
    ssoUrl,
    ...logoutOf(descriptor),
    ...readCertificates(texts),
    wantsSignedRequests: ['true', '1'].includes(attribute(descriptor, 'WantAuthnRequestsSigned') ?? ''),
    validUntil: readEnd(descriptor, now),
  };
}

/**
 * Returns the descriptor of the one provider. A provider may have several: for other protocols, or without the binding of our requests. The
 * metadata of a federation has several providers, among which nothing says which one is meant.
 */
function chooseDescriptor(root: Element): Element {
  const found = descendants(root, NS.metadata, 'IDPSSODescriptor').filter((one) => {
    const protocols = attribute(one, 'protocolSupportEnumeration');
    return protocols === null || protocols.split(/\s+/).includes(NS.protocol);
  });
  const entities = new Set(found.map((one) => one.parentNode));
  if (entities.size > 1)
    throw invalid(`The metadata describes ${entities.size} identity providers. Paste the EntityDescriptor of yours alone.`);
  const chosen = found.find((one) => redirectAddress(one) !== null) ?? found[0];
  if (!chosen) throw invalid('The metadata describes no identity provider of SAML 2.0 (IDPSSODescriptor).');
  return chosen;
}

/** An address that cannot be used is as good as none: a log-out ends here all the same. */
function logoutOf(descriptor: Element): Pick<SamlMetadata, 'logoutUrl' | 'logoutResponseUrl'> {
  const services = children(descriptor, NS.metadata, 'SingleLogoutService');
  const service = services.find((one) => one.getAttribute('Binding') === REDIRECT) ?? null;
  const usable = (name: string): string | null => {
    const url = attribute(service, name) ?? '';
    return isStorable(url, 2_048) && /^https?:\/\//.test(url) && URL.canParse(url) ? url : null;
  };
  const logoutUrl = usable('Location');
  return { logoutUrl, logoutResponseUrl: logoutUrl === null ? null : usable('ResponseLocation') };
}

const redirectAddress = (descriptor: Element): string | null => addressOf(descriptor, REDIRECT);

function addressOf(descriptor: Element, binding: string): string | null {
  const services = children(descriptor, NS.metadata, 'SingleSignOnService');
  return attribute(services.find((one) => one.getAttribute('Binding') === binding) ?? null, 'Location');
}

/** Returns when the first of the elements around it ends. */
function readEnd(descriptor: Element, now: Date): Date | null {
  const ends: Date[] = [];
  for (let at: Element | null = descriptor; at?.namespaceURI === NS.metadata; at = at.parentNode as Element | null) {
    const text = attribute(at, 'validUntil');
    if (text !== null) ends.push(new Date(text));
  }
  if (ends.some((end) => Number.isNaN(end.getTime()))) throw invalid('The expiry date in the metadata (validUntil) cannot be read.');
  const [first] = ends.toSorted((a, b) => a.getTime() - b.getTime());
  if (first && first <= now) {
    const advice = 'Have your provider publish it again.';
    throw invalid(`The metadata was valid until ${first.toISOString()}; the clock of the portal says ${now.toISOString()}. ${advice}`);
  }
  return first ?? null;
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
    throw invalid('A certificate of the metadata cannot be read.');
  }
  if (byBytes.size === 0) throw invalid('The metadata holds no signing certificate.');
  if (byBytes.size > CERTIFICATES_MAX) {
    const advice = `at most ${CERTIFICATES_MAX} are accepted. Remove those that your provider no longer signs with.`;
    throw invalid(`The metadata holds ${byBytes.size} different signing certificates; ${advice}`);
  }
  const last = Math.max(...[...byBytes.values()].map((one) => Date.parse(one.validTo)));
  if (Number.isNaN(last)) throw invalid('A certificate in the metadata has no expiry date.');
  return { certificates: [...byBytes.keys()], certificateExpiresAt: new Date(last) };
}

/** Returns whether a text has a valid length (SAML core 8.3.6) and only characters that addresses and the database accept. */
function isStorable(text: string, lengthMax: number): boolean {
  return text !== '' && text.length <= lengthMax && !/[\p{Cc}\p{Cs}]/u.test(text);
}

const invalid = (message: string): SamlTaskFault => new SamlTaskFault('invalid', message);

/** Returns the metadata of the service: where it wants responses, and its keys for requests and encrypted assertions. */
export function describeService({ entityId, acsUrl, logoutUrl, certificates, signsRequests }: DescribedService): string {
  const methods = ENCRYPTION_METHODS.map((method) => `<EncryptionMethod Algorithm="${method}"/>`).join('');
  const key = (use: 'signing' | 'encryption', certificate: string): string =>
    `<KeyDescriptor use="${use}"><ds:KeyInfo><ds:X509Data><ds:X509Certificate>${certificate}</ds:X509Certificate></ds:X509Data></ds:KeyInfo>${
      use === 'encryption' ? methods : ''
    }</KeyDescriptor>`;
  const descriptors = (['signing', 'encryption'] as const).flatMap((use) => certificates.map((one) => key(use, one)));
  const logout = logoutUrl === null ? '' : `    <SingleLogoutService Binding="${REDIRECT}" Location="${escape(logoutUrl)}"/>\n`;
  return `<?xml version="1.0"?>
<EntityDescriptor xmlns="${NS.metadata}" xmlns:ds="${NS.signature}" entityID="${escape(entityId)}">
  <SPSSODescriptor protocolSupportEnumeration="${NS.protocol}" AuthnRequestsSigned="${String(signsRequests)}" WantAssertionsSigned="true">
${descriptors.map((one) => `    ${one}\n`).join('')}${logout}    <NameIDFormat>${EMAIL_FORMAT}</NameIDFormat>
    <AssertionConsumerService index="1" isDefault="true" Binding="${POST}" Location="${escape(acsUrl)}"/>
  </SPSSODescriptor>
</EntityDescriptor>
`;
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
