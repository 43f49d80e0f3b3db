import { sign } from 'node:crypto';
import { SAML, ValidateInResponseTo } from '@node-saml/node-saml';
import type { OwnKey } from './saml-certificate.ts';
import type { SamlSubject } from './saml-fault.ts';

/** A SAML provider as its metadata describes it. Certificates are base64 DER without line breaks, each once, at most five. */
export type SamlProvider = { entityId: string; ssoUrl: string; certificates: readonly string[] };
export type SamlMetadata = SamlProvider & {
  certificateExpiresAt: Date;
  /** The provider refuses requests that are not signed. */
  wantsSignedRequests: boolean;
  /** Where it takes requests to log out by HTTP-Redirect, and responses if elsewhere; null when it names no address. */
  logoutUrl: string | null;
  logoutResponseUrl: string | null;
  /** When the document ends by its own words; null when it names no end. */
  validUntil: Date | null;
};
/** The service as registered with that provider; one per partner, so that no response is valid for two. */
export type SamlService = {
  entityId: string;
  acsUrl: string;
  /** Newest last. The first one signs; each of them decrypts and is listed in the metadata. */
  keys: readonly OwnKey[];
  signsRequests: boolean;
  /** Whether signatures with SHA-1 count. */
  allowsSha1: boolean;
};

/** The service for its metadata: certificates in base64 DER, the current one first. `logoutUrl`: null when it takes no part in log-outs. */
export type DescribedService = Pick<SamlService, 'entityId' | 'acsUrl' | 'signsRequests'> & {
  certificates: readonly string[];
  logoutUrl: string | null;
};

export const EMAIL_FORMAT = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress';

/** Returns a request to the provider in the HTTP-Redirect binding, signed where the service signs, and its id. */
export async function requestLogin(
  provider: SamlProvider,
  service: SamlService,
  relayState: string,
  { asksAccount }: { asksAccount: boolean } = { asksAccount: false },
): Promise<{ url: string; requestId: string }> {
  let requestId: string | undefined;
  const [key] = service.keys;
  const library = new SAML({
    issuer: service.entityId,
    callbackUrl: service.acsUrl,
    entryPoint: provider.ssoUrl,
    idpCert: [...provider.certificates],
    signatureAlgorithm: 'sha256',
    identifierFormat: EMAIL_FORMAT,
    disableRequestedAuthnContext: true,
    forceAuthn: asksAccount,
    validateInResponseTo: ValidateInResponseTo.always,
    ...(service.signsRequests && key ? { privateKey: key.privateKey } : {}),
    cacheProvider: {
      saveAsync: async (id, value) => {
        requestId = id;
        return { value, createdAt: Date.now() };
      },
      // Responses are verified in saml-tasks.ts.
      getAsync: async () => null,
      removeAsync: async () => null,
    },
  });
  const url = await library.getAuthorizeUrlAsync(relayState, undefined, {});
  if (requestId === undefined) throw new Error('The SAML request has no id.');
  return { url, requestId };
}

const UNSPECIFIED = 'urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified';

/** Returns a request to the provider to end its session of a person, in the HTTP-Redirect binding. */
export async function requestLogout(logoutUrl: string, service: SamlService, subject: SamlSubject): Promise<string> {
  const { nameId, format, nameQualifier, spNameQualifier, sessionIndex } = subject;
  const person = {
    issuer: '',
    nameID: nameId,
    nameIDFormat: format ?? UNSPECIFIED,
    ...(nameQualifier === null ? {} : { nameQualifier }),
    ...(spNameQualifier === null ? {} : { spNameQualifier }),
    ...(sessionIndex === null ? {} : { sessionIndex }),
  };
  return signUrl(await forLogout(logoutUrl, service).getLogoutUrlAsync(person, '', {}), service);
}

/** Returns the response to a provider that had sessions of a person ended. */
export async function answerLogout(url: string, service: SamlService, requestId: string, relayState: string): Promise<string> {
  const request = { ID: requestId, issuer: '', nameID: '', nameIDFormat: '' };
  return signUrl(await forLogout(url, service).getLogoutResponseUrlAsync(request, relayState, {}, true), service);
}

function forLogout(logoutUrl: string, { entityId, acsUrl, keys }: SamlService): SAML {
  const [key] = keys;
  return new SAML({
    issuer: entityId,
    callbackUrl: acsUrl,
    entryPoint: logoutUrl,
    logoutUrl,
    // Messages of the provider are verified elsewhere; the library wants one all the same.
    idpCert: key?.certificate ?? 'none',
  });
}

const SIGNED = ['SAMLRequest', 'SAMLResponse', 'RelayState'];
const RSA_SHA256 = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256';

/**
 * Signs a message about a log-out, wherever there is a key: the profile wants it (SAML profiles 4.4.4). The library signs other characters than it sends
 * when a relay state, which is the provider's, has a space or an apostrophe.
 */
function signUrl(text: string, { keys: [key] }: SamlService): string {
  if (!key) return text;
  const url = new URL(text);
  url.search = url.search.replaceAll('+', '%20');
  const parts = url.search.slice(1).split('&');
  const message = SIGNED.flatMap((name) => parts.find((part) => part.startsWith(`${name}=`)) ?? []);
  const signed = [...message, `SigAlg=${encodeURIComponent(RSA_SHA256)}`].join('&');
  const signature = sign('sha256', Buffer.from(signed), key.privateKey).toString('base64');
  url.search = [...parts.filter((part) => !message.includes(part)), signed, `Signature=${encodeURIComponent(signature)}`].join('&');
  return url.href;
}
