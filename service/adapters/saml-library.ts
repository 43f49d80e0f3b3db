import { SAML, ValidateInResponseTo } from '@node-saml/node-saml';
import type { OwnKey } from './saml-certificate.ts';

/** A SAML provider as its metadata describes it. Certificates are base64 DER without line breaks, each once, at most five. */
export type SamlProvider = { entityId: string; ssoUrl: string; certificates: readonly string[] };
export type SamlMetadata = SamlProvider & {
  certificateExpiresAt: Date;
  /** The provider refuses requests that are not signed. */
  wantsSignedRequests: boolean;
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

/** The service for its metadata: certificates in base64 DER, the current one first. */
export type DescribedService = Pick<SamlService, 'entityId' | 'acsUrl' | 'signsRequests'> & { certificates: readonly string[] };

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
