import { z } from 'zod';
import { id, time } from '../primitives.ts';
import { SSO_PROBLEMS, SSO_PROTOCOLS, SSO_TEST_STATUSES, SSO_VERDICTS } from '../vocabulary.ts';

/** A response of the provider, accepted or not. */
const arrived = {
  at: time,
  /** The address that the portal read; null when it found none. */
  email: z.string().nullable(),
  /** The portal's finding. */
  detail: z.string().nullable(),
  /** The provider's message, word for word. */
  providerSaid: z.string().nullable(),
  /** Each claim or attribute as it was received; several values are separated by semicolons. */
  claims: z.record(z.string(), z.string()),
  /** `key`: of SAML the SHA-256 of the certificate, of OpenID Connect the id of the key. */
  signatures: z.array(
    z.object({
      over: z.enum(['response', 'assertion', 'id_token']),
      algorithm: z.string(),
      key: z.string().nullable(),
      verdict: z.enum(SSO_VERDICTS),
    }),
  ),
  isEncrypted: z.boolean(),
  /** When the provider says it sent the response; the portal received it at `at`. */
  providerTime: time.nullable(),
};

/** A login of a person through the provider that failed. */
export const ssoFailedLogin = z.object({ id, problem: z.enum(SSO_PROBLEMS), ...arrived }).meta({ id: 'SsoFailedLogin' });

/** A partner's connection to its identity provider; null members belong to the other protocol. The secret is never included. */
export const ssoConnection = z
  .object({
    /** The partner's id, since there is one per partner; null until one is saved. */
    id: id.nullable(),
    configured: z.boolean(),
    /** Whether the plan includes single sign-on. */
    available: z.boolean(),
    protocol: z.enum(SSO_PROTOCOLS).nullable(),
    status: z.enum(['draft', 'verified']).nullable(),
    enforced: z.boolean(),
    emailDomains: z.array(z.string()),
    issuer: z.string().nullable(),
    clientId: z.string().nullable(),
    metadataUrl: z.string().nullable(),
    metadataProblem: z.string().nullable(),
    /** When the provider was last read: its metadata, or when the connection was saved. */
    metadataReadAt: time.nullable(),
    /** End of validity in the metadata; null when it names none. */
    metadataValidUntil: time.nullable(),
    /** OpenID Connect: addresses count that the provider does not say are verified. */
    vouchesForEmails: z.boolean(),
    /** SAML: signatures with SHA-1 count. */
    allowsSha1: z.boolean(),
    /** SAML: requests are signed because the agency asks for it, or because the provider wants it. */
    signsRequests: z.boolean(),
    providerWantsSigned: z.boolean(),
    /** Logging out ends the session at the provider, too; and SAML: the provider may end sessions here. */
    logsOut: z.boolean(),
    /** Whether the provider takes that: an `end_session_endpoint`, or SingleLogoutService by HTTP-Redirect. */
    providerLogsOut: z.boolean(),
    /** SAML: the keys of the portal that its metadata lists. The current one signs and decrypts, the next one decrypts. */
    keys: z.array(z.object({ use: z.enum(['current', 'next']), fingerprint: z.string(), expiresAt: time })),
    /** SAML does not work: the portal is opened without https, and browsers do not send the cookie of a login back. */
    isWithoutHttps: z.boolean(),
    verifiedAt: time.nullable(),
    lastLoginAt: time.nullable(),
    certificateExpiresAt: time.nullable(),
    /** Whether the caller logged in through this connection, which enforcing it requires. */
    callerSignedIn: z.boolean(),
    /** The newest test login since the connection has its values. */
    test: z.object({ status: z.enum(SSO_TEST_STATUSES), startedAt: time, endedAt: time.nullable() }).nullable(),
    /** The newest test login that ended with a response, or with the reason why there was none. */
    lastTest: z.object({ ok: z.boolean(), problem: z.enum(SSO_PROBLEMS).nullable(), ...arrived }).nullable(),
    /** Values to enter at the provider. */
    loginUrl: z.string(),
    acsUrl: z.string(),
    entityId: z.string(),
    callbackUrl: z.string(),
    /** SAML: the address for single log-out. OpenID Connect: where the provider leads after a log-out (`post_logout_redirect_uri`). */
    logoutUrl: z.string(),
    updatedAt: time.nullable(),
  })
  .meta({ id: 'SsoConnection' });
