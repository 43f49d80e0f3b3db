import { X509Certificate } from 'node:crypto';
import { inflateRawSync } from 'node:zlib';
import { judgeLogout } from '@partner-portal/core/sso/logout.ts';
import { SAML_XML_LIMITS } from '@partner-portal/core/sso/xml.ts';
import { attribute, children, isElement, NS, only, parseXml, textOf } from './saml-dom.ts';
import { SamlTaskFault } from './saml-fault.ts';
import type { SamlProvider, SamlService } from './saml-library.ts';
import { verifyText } from './saml-signature.ts';

/** A request of a provider to end the sessions of a person: those of `sessionIndexes`, or all without one. */
export type SamlLogout = { requestId: string; nameId: string; sessionIndexes: string[] };
/** `xml` is what the provider signed. */
export type LogoutRequest = { provider: Pick<SamlProvider, 'entityId'>; logoutUrl: string; xml: string; now: Date };

const INDEXES_MAX = 100;
const SIGNED = ['SAMLRequest', 'RelayState', 'SigAlg'];

/**
 * Verifies the signature of a request in the HTTP-Redirect binding (SAML bindings 3.4.4.1), over the very characters that were sent, and
 * returns its XML, which nothing has looked at yet. Throws `SamlTaskFault`.
 */
export function verifyLogoutQuery(
  query: string,
  { certificates }: Pick<SamlProvider, 'certificates'>,
  { allowsSha1 }: Pick<SamlService, 'allowsSha1'>,
): string {
  const parts = query.split('&').map((part) => [part, part.split('=', 1)[0] ?? ''] as const);
  const named = (name: string): string | undefined => {
    const found = parts.filter(([, given]) => given === name);
    if (found.length > 1) throw new SamlTaskFault('invalid', `The request has ${name} more than once.`);
    return found[0]?.[0];
  };
  const signature = valueOf(named('Signature'));
  const algorithm = valueOf(named('SigAlg'));
  if (!signature || !algorithm) throw new SamlTaskFault('not_signed', 'The request is not signed.');
  const text = SIGNED.flatMap((name) => named(name) ?? []).join('&');
  const keys = certificates.map((one) => new X509Certificate(Buffer.from(one, 'base64')));
  const verdict = verifyText(text, algorithm, signature, { certificates: keys, allowsSha1 });
  if (verdict === 'key_unknown')
    throw new SamlTaskFault('key_unknown', 'The request is not signed by a key of the metadata, or was altered.');
  if (verdict !== 'verified') throw new SamlTaskFault('algorithm', `The request is signed with ${algorithm}, which is not accepted.`);
  try {
    const deflated = Buffer.from(valueOf(named('SAMLRequest')) ?? '', 'base64');
    return inflateRawSync(deflated, { maxOutputLength: SAML_XML_LIMITS.length }).toString('utf8');
  } catch {
    throw new SamlTaskFault('invalid', 'The request cannot be unpacked.');
  }
}

/** Reads a request whose signature was verified. Throws `SamlTaskFault`. */
export function parseLogout({ provider, logoutUrl, xml, now }: LogoutRequest): SamlLogout {
  const request = parseXml(xml);
  if (!request || !isElement(request, NS.protocol, 'LogoutRequest')) throw new SamlTaskFault('invalid', 'This is not a LogoutRequest.');
  const facts = {
    id: attribute(request, 'ID'),
    issuer: textOf(only(request, NS.assertion, 'Issuer')),
    destination: attribute(request, 'Destination'),
    issuedAt: attribute(request, 'IssueInstant'),
    notOnOrAfter: attribute(request, 'NotOnOrAfter'),
    nameId: textOf(only(request, NS.assertion, 'NameID')),
  };
  const fault = judgeLogout(facts, { now, issuer: provider.entityId, logoutUrl });
  if (fault !== null || facts.id === null || facts.nameId === null)
    throw new SamlTaskFault('invalid', fault ?? 'The request is incomplete.');
  const indexes = children(request, NS.protocol, 'SessionIndex').flatMap((one) => textOf(one) ?? []);
  if (indexes.length > INDEXES_MAX) throw new SamlTaskFault('invalid', `The request names more than ${INDEXES_MAX} sessions.`);
  return { requestId: facts.id, nameId: facts.nameId, sessionIndexes: indexes };
}

/** The value of `name=value` as it was meant; null when it cannot be decoded. */
function valueOf(part: string | undefined): string | null {
  if (part === undefined) return null;
  try {
    return decodeURIComponent(part.slice(part.indexOf('=') + 1).replaceAll('+', '%20'));
  } catch {
    return null;
  }
}
