import { SAML, ValidateInResponseTo } from '@node-saml/node-saml';

/** A SAML provider as its metadata describes it. Certificates are base64 DER without line breaks, each once, at most five. */
export type SamlProvider = { entityId: string; ssoUrl: string; certificates: readonly string[] };
export type SamlMetadata = SamlProvider & { certificateExpiresAt: Date };
/** The service as registered with that provider; one per partner, so that no response is valid for two. */
export type SamlService = { entityId: string; acsUrl: string };
export type SamlClaims = { nameId: string; email: string | null; name: string | null };

const CLOCK_SKEW_MS = 60_000;
export const EMAIL_FORMAT = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress';

/** Returns the library for one provider and service. `requests`: ids a response may name; the library adds the id of the request it creates. */
export function samlLibrary(provider: SamlProvider, service: SamlService, requests: Map<string, string>): SAML {
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
