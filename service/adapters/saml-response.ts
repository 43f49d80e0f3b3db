import { X509Certificate } from 'node:crypto';
import { type AssertionFacts, type Confirmation, judgeAssertion, sessionEnd } from '@partner-portal/core/sso/assertion.ts';
import { decryptAssertion } from './saml-decrypt.ts';
import { attribute, children, descendants, isElement, NS, only, parseXml, textOf } from './saml-dom.ts';
import { type SamlReceived, SamlTaskFault, type SamlTaskFaultKind } from './saml-fault.ts';
import type { SamlProvider, SamlService } from './saml-library.ts';
import { type SignatureReport, type SignatureVerdict, verifySignature } from './saml-signature.ts';

export type SamlAnswer = {
  provider: SamlProvider;
  service: SamlService;
  /** In base64, as posted. */
  response: string;
  requestId: string;
  now: Date;
};

const SUCCESS = 'urn:oasis:names:tc:SAML:2.0:status:Success';
const ATTRIBUTES_MAX = 100;
const VALUES_MAX = 200;

/** An assertion that someone signed, with the response around it as it was signed, or as it was sent. */
type Signed = { assertion: Element; response: Element; isResponseSigned: boolean };

/**
 * Verifies a response and reads its assertion, from nothing but the text that was signed. `received` is filled on the way, so that it shows
 * what arrived also when this throws `SamlTaskFault`.
 */
export function verifyAnswer(answer: SamlAnswer, received: SamlReceived): void {
  const { provider, service, requestId, now } = answer;
  // As an XML reader normalizes line ends, before they are signed or verified.
  const xml = Buffer.from(answer.response, 'base64').toString('utf8').replaceAll(/\r\n?/g, '\n');
  const response = parseXml(xml);
  if (!response) throw new SamlTaskFault('invalid', 'The response is not readable XML.');
  if (!isElement(response, NS.protocol, 'Response')) throw new SamlTaskFault('invalid', 'This is not a SAML response.');
  received.issuedAt = attribute(response, 'IssueInstant');
  requireSuccess(response);
  const signed = findSigned(xml, response, answer, received);
  const { assertion } = signed;
  readPerson(assertion, received);
  received.sessionEndsAt = sessionEnd(sessionEndsOf(assertion));
  const fault = judgeAssertion(factsOf(signed), {
    now,
    issuer: provider.entityId,
    entityId: service.entityId,
    acsUrl: service.acsUrl,
    requestId,
  });
  if (fault) throw new SamlTaskFault(fault.kind === 'clock' ? 'clock' : 'invalid', fault.message);
}

/** Before any signature: a provider that refuses signs nothing, and has nothing to sign. */
function requireSuccess(response: Element): void {
  const status = only(response, NS.protocol, 'Status');
  const code = only(status, NS.protocol, 'StatusCode');
  if (!code) throw new SamlTaskFault('invalid', 'This is not a SAML response.');
  if (code.getAttribute('Value') === SUCCESS) return;
  const codes = [code, ...descendants(code, NS.protocol, 'StatusCode')].map((one) => (attribute(one, 'Value') ?? '').replace(/^.*:/, ''));
  const message = textOf(only(status, NS.protocol, 'StatusMessage'));
  throw new SamlTaskFault('refused', 'The provider refused the login.', [codes.join(' › '), message].filter(Boolean).join(': '));
}

/** Returns the assertion of which a signature was verified: its own, or that of the response that holds it. */
function findSigned(xml: string, response: Element, { provider, service }: SamlAnswer, received: SamlReceived): Signed {
  const trust = { certificates: certificatesOf(provider), allowsSha1: service.allowsSha1 };
  const whole = verifySignature(xml, response, 'response', trust);
  if (whole) received.signatures.push(whole.report);
  const verified = whole?.signed ? parseXml(whole.signed) : null;
  const outer = verified && isElement(verified, NS.protocol, 'Response') ? verified : response;
  const isResponseSigned = outer !== response;
  const plain = children(outer, NS.assertion, 'Assertion');
  const encrypted = children(outer, NS.assertion, 'EncryptedAssertion');
  received.isEncrypted = encrypted.length > 0;
  if (plain.length + encrypted.length !== 1) throw new SamlTaskFault('invalid', 'The response must hold exactly one assertion.');
  const [own] = plain;
  if (own && isResponseSigned) return { assertion: own, response: outer, isResponseSigned };
  const [sealed] = encrypted;
  if (sealed) return openSealed(sealed, { response: outer, isResponseSigned }, service, trust, received);
  if (!own) throw new SamlTaskFault('invalid', 'The response holds no assertion.');
  return { assertion: verifyOwn(xml, own, trust, received), response: outer, isResponseSigned };
}

type Trust = Parameters<typeof verifySignature>[3];

/** Returns the assertion as its own signature covers it. */
function verifyOwn(xml: string, assertion: Element, trust: Trust, received: SamlReceived): Element {
  const own = verifySignature(xml, assertion, 'assertion', trust);
  if (own) received.signatures.push(own.report);
  const read = own?.signed ? parseXml(own.signed) : null;
  if (read && isElement(read, NS.assertion, 'Assertion')) return read;
  throw signatureFault(received.signatures);
}

function openSealed(
  sealed: Element,
  around: Pick<Signed, 'response' | 'isResponseSigned'>,
  service: SamlService,
  trust: Trust,
  received: SamlReceived,
): Signed {
  if (service.keys.length === 0)
    throw new SamlTaskFault('encrypted', 'The assertion is encrypted, and the connection has no key yet. Create one.');
  const opened = decryptAssertion(
    sealed,
    service.keys.map(({ privateKey }) => privateKey),
  );
  if (typeof opened === 'string') throw new SamlTaskFault('encrypted', opened);
  if (opened === null)
    throw new SamlTaskFault(
      'encrypted',
      'The assertion is encrypted for a key that is not ours. Import our metadata at the provider again.',
    );
  const xml = opened.xml?.replaceAll(/\r\n?/g, '\n');
  const assertion = xml === undefined ? null : parseXml(xml);
  const isAssertion = assertion !== null && isElement(assertion, NS.assertion, 'Assertion');
  if (xml !== undefined && assertion && isAssertion) {
    if (around.isResponseSigned) return { ...around, assertion };
    if (opened.isAuthenticated) return { ...around, assertion: verifyOwn(xml, assertion, trust, received) };
    try {
      return { ...around, assertion: verifyOwn(xml, assertion, trust, received) };
    } catch {
      received.signatures.length = 0;
    }
  }
  if (opened.isAuthenticated) throw new SamlTaskFault('invalid', 'The encrypted assertion was altered, or holds something else.');
  // One sentence for all of it: with a cipher that proves nothing, the difference would give the text away byte by byte.
  throw new SamlTaskFault(
    'key_unknown',
    'Our key opened the encrypted assertion, and what it holds is not signed by a key of the metadata, or was altered.',
  );
}

const KINDS: Readonly<
  Record<Exclude<SignatureVerdict, 'verified'>, { kind: SamlTaskFaultKind; say: (report: SignatureReport) => string }>
> = {
  key_unknown: {
    kind: 'key_unknown',
    say: ({ over, key }) =>
      `The ${over} is signed by a key that is not in the metadata${key === null ? '' : ` (certificate with SHA-256 ${key})`}.`,
  },
  altered: { kind: 'invalid', say: ({ over }) => `The ${over} was altered after it was signed.` },
  malformed: { kind: 'invalid', say: ({ over }) => `The signature of the ${over} does not cover the whole ${over}.` },
  unsupported: {
    kind: 'algorithm',
    say: ({ over, algorithm }) => `The ${over} is signed with ${algorithm}, which is not supported. Choose RSA or ECDSA with SHA-256.`,
  },
  weak: {
    kind: 'algorithm',
    say: ({ over, algorithm }) =>
      `The ${over} is signed with ${algorithm}. SHA-1 can be forged: choose SHA-256 at your provider, or allow SHA-1 for this connection.`,
  },
};

/** Faults that an admin can fix come first: another algorithm, then another key, then faults that cannot be fixed. */
const ORDER: readonly SignatureVerdict[] = ['weak', 'unsupported', 'key_unknown', 'altered', 'malformed'];

function signatureFault(reports: readonly SignatureReport[]): SamlTaskFault {
  const [first] = reports.toSorted((a, b) => ORDER.indexOf(a.verdict) - ORDER.indexOf(b.verdict));
  if (!first || first.verdict === 'verified')
    return new SamlTaskFault('not_signed', 'Neither the response nor its assertion is signed. Have your provider sign one of them.');
  const { kind, say } = KINDS[first.verdict];
  return new SamlTaskFault(kind, say(first));
}

function certificatesOf({ certificates }: SamlProvider): X509Certificate[] {
  return certificates.map((one) => new X509Certificate(Buffer.from(one, 'base64')));
}

function factsOf({ assertion, response, isResponseSigned }: Signed): AssertionFacts {
  const subject = only(assertion, NS.assertion, 'Subject');
  const conditions = children(assertion, NS.assertion, 'Conditions');
  if (conditions.length > 1) throw new SamlTaskFault('invalid', 'The assertion has more than one set of Conditions.');
  const [given] = conditions;
  return {
    response: {
      issuer: textOf(only(response, NS.assertion, 'Issuer')),
      destination: attribute(response, 'Destination'),
      inResponseTo: attribute(response, 'InResponseTo'),
      isSigned: isResponseSigned,
    },
    issuer: textOf(only(assertion, NS.assertion, 'Issuer')),
    confirmations: (subject ? children(subject, NS.assertion, 'SubjectConfirmation') : []).map(confirmationOf),
    conditions: given
      ? {
          notBefore: attribute(given, 'NotBefore'),
          notOnOrAfter: attribute(given, 'NotOnOrAfter'),
          audiences: children(given, NS.assertion, 'AudienceRestriction').map((one) =>
            children(one, NS.assertion, 'Audience').map((audience) => textOf(audience) ?? ''),
          ),
        }
      : null,
    sessionEnds: sessionEndsOf(assertion),
  };
}

function sessionEndsOf(assertion: Element): string[] {
  return children(assertion, NS.assertion, 'AuthnStatement').flatMap((one) => attribute(one, 'SessionNotOnOrAfter') ?? []);
}

function confirmationOf(confirmation: Element): Confirmation {
  const data = only(confirmation, NS.assertion, 'SubjectConfirmationData');
  return {
    method: attribute(confirmation, 'Method') ?? '',
    recipient: attribute(data, 'Recipient'),
    inResponseTo: attribute(data, 'InResponseTo'),
    notBefore: attribute(data, 'NotBefore'),
    notOnOrAfter: attribute(data, 'NotOnOrAfter'),
  };
}

/** An encrypted id stays unread: it says no more than an attribute does. */
function readPerson(assertion: Element, received: SamlReceived): void {
  const nameId = only(only(assertion, NS.assertion, 'Subject'), NS.assertion, 'NameID');
  received.nameId = textOf(nameId);
  received.nameIdFormat = attribute(nameId, 'Format');
  const [sessionIndex = null] = children(assertion, NS.assertion, 'AuthnStatement').flatMap((one) => attribute(one, 'SessionIndex') ?? []);
  received.subject =
    received.nameId === null
      ? null
      : {
          nameId: received.nameId,
          format: received.nameIdFormat,
          nameQualifier: attribute(nameId, 'NameQualifier'),
          spNameQualifier: attribute(nameId, 'SPNameQualifier'),
          sessionIndex,
        };
  const statements = children(assertion, NS.assertion, 'AttributeStatement');
  const attributes = new Map<string, string[]>();
  for (const one of statements.flatMap((statement) => children(statement, NS.assertion, 'Attribute')).slice(0, ATTRIBUTES_MAX)) {
    const values = children(one, NS.assertion, 'AttributeValue').flatMap((value) => textOf(value) ?? []);
    const name = attribute(one, 'Name') ?? '';
    attributes.set(name, [...(attributes.get(name) ?? []), ...values].slice(0, VALUES_MAX));
  }
  // An object for the clone that leaves the thread; entries, so that no name is special.
  received.attributes = Object.fromEntries(attributes);
}
