import { z } from 'zod';
import { defineRoute } from '../define-route.ts';
import { id, nothing, slug, text, webAddress } from '../primitives.ts';
import { ssoConnection, ssoFailedLogin } from '../records/sso.ts';
import { session } from '../records/user.ts';
import { LIMITS } from '../vocabulary.ts';
import { isPublic, partner, partnerWrite, staffWrite } from './access.ts';

const slugParams = z.object({ slug });
/** As people type it: of any length and case. */
const typedSlug = z.object({ slug: z.string().toLowerCase() });
/** Target of a login that is refused before it is examined. */
const REFUSED_AT = '/login/callback';
const domain = z
  .string()
  .trim()
  .toLowerCase()
  .max(253)
  .regex(/^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/, 'Use a domain such as example.com.');
const emailDomains = z.array(domain).min(1).max(LIMITS.ssoDomainsMax);
const lenient = (max: number) => z.string().max(max).optional().catch(undefined);

/** Single sign-on of a partner: SAML 2.0 and OpenID Connect. See docs/behaviour/sso.md. */
export const ssoRoutes = {
  getSsoConnection: defineRoute({
    method: 'GET',
    path: '/sso/connection',
    tag: 'sso',
    summary: 'Get the connection, and the values to paste at the provider',
    access: partner,
    reply: { 200: ssoConnection },
    errors: [],
  }),
  putSsoConnection: defineRoute({
    method: 'PUT',
    path: '/sso/connection',
    tag: 'sso',
    summary: 'Save the connection as a draft; a test login verifies it',
    access: partnerWrite,
    needsRecentLogin: true,
    body: z.discriminatedUnion('protocol', [
      z.object({
        protocol: z.literal('oidc'),
        issuer: webAddress,
        clientId: text(500),
        /** If omitted, the stored one is kept. */
        clientSecret: text(2_000).optional(),
        emailDomains,
        /** Accepts addresses without `email_verified`. Only for a provider that lets no one choose an address. */
        vouchesForEmails: z.boolean().default(false),
        /** Logs people out at the provider, too. */
        logsOut: z.boolean().default(false),
      }),
      z.object({
        protocol: z.literal('saml'),
        /** URL from which the metadata is read, now and every day. */
        metadataUrl: webAddress.optional(),
        /** The metadata itself, in place of its address; it is not read again. If both are omitted, a pasted one is kept. */
        metadataXml: z.string().max(LIMITS.samlBodyBytesMax).optional(),
        emailDomains,
        /** Accepts signatures with SHA-1, which can be forged. */
        allowsSha1: z.boolean().default(false),
        /** Signs requests also when the metadata does not ask for it. */
        signsRequests: z.boolean().default(false),
        /** Logs people out at the provider, too, and here when the provider asks for it. */
        logsOut: z.boolean().default(false),
      }),
    ]),
    reply: { 200: ssoConnection },
    errors: ['validation_failed', 'private_address', 'plan_feature_required', 'invalid_state', 'stale_record'],
    audit: 'sso.connection_saved',
  }),
  replaceSsoSecret: defineRoute({
    method: 'POST',
    path: '/sso/connection/secret',
    tag: 'sso',
    summary: 'Replace the client secret by one that the provider accepts; also while single sign-on is enforced',
    access: partnerWrite,
    // No recent login: the provider confirms one, which a secret that has ended prevents. Only a secret of the same client is taken.
    limit: 'caller',
    body: z.object({ clientSecret: text(2_000) }),
    reply: { 200: ssoConnection },
    errors: ['validation_failed', 'plan_feature_required', 'invalid_state'],
    audit: 'sso.secret_replaced',
  }),
  testSsoConnection: defineRoute({
    method: 'POST',
    path: '/sso/connection/test',
    tag: 'sso',
    summary: 'Get a link that runs a real login in a new tab and shows what the provider says',
    access: partnerWrite,
    reply: { 200: z.object({ url: z.string() }) },
    errors: ['invalid_state', 'plan_feature_required'],
    audit: 'sso.test_started',
  }),
  refreshSsoConnection: defineRoute({
    method: 'POST',
    path: '/sso/connection/refresh',
    tag: 'sso',
    summary: 'Read the metadata or keys of the provider again; also while single sign-on is enforced',
    access: partnerWrite,
    reply: { 200: ssoConnection },
    errors: ['invalid_state', 'plan_feature_required', 'service_unavailable'],
    audit: 'sso.metadata_read',
  }),
  listSsoFailedLogins: defineRoute({
    method: 'GET',
    path: '/sso/failed-logins',
    tag: 'sso',
    summary: 'List the last fifty logins of the team that failed, newest first, with what arrived',
    access: partner,
    reply: { 200: z.object({ items: z.array(ssoFailedLogin) }) },
    errors: [],
  }),
  addSsoKey: defineRoute({
    method: 'POST',
    path: '/sso/connection/keys',
    tag: 'sso',
    summary: 'Add a key to the metadata of the portal, to replace the current one later',
    access: partnerWrite,
    needsRecentLogin: true,
    reply: { 200: ssoConnection },
    errors: ['invalid_state', 'plan_feature_required'],
    audit: 'sso.key_added',
  }),
  useSsoKey: defineRoute({
    method: 'POST',
    path: '/sso/connection/keys/use',
    tag: 'sso',
    summary: 'Use the next key of the portal, and drop the current one',
    access: partnerWrite,
    needsRecentLogin: true,
    reply: { 200: ssoConnection },
    errors: ['invalid_state', 'plan_feature_required'],
    audit: 'sso.key_used',
  }),
  deleteSsoConnection: defineRoute({
    method: 'DELETE',
    path: '/sso/connection',
    tag: 'sso',
    summary: 'Remove the connection',
    access: partnerWrite,
    needsRecentLogin: true,
    reply: { 204: nothing },
    errors: ['not_found', 'invalid_state'],
    audit: 'sso.connection_deleted',
  }),
  listSsoAffected: defineRoute({
    method: 'GET',
    path: '/sso/enforcement/people',
    tag: 'sso',
    summary: 'List the people of the team whom enforcing would shut out, or may shut out; at most 200',
    access: partner,
    reply: {
      200: z.object({
        people: z.array(
          z.object({
            kind: z.enum(['member', 'invited']),
            /** Id of the user or of the invitation. */
            id,
            fullName: z.string().nullable(),
            email: z.string(),
            /** `not_logged_in`: the address fits, but the member has not logged in through the connection as it is. */
            reason: z.enum(['outside_domains', 'not_logged_in']),
          }),
        ),
      }),
    },
    errors: [],
  }),
  enforceSso: defineRoute({
    method: 'PATCH',
    path: '/sso/enforcement',
    tag: 'sso',
    summary: 'Let the team log in through the provider only, or lift that',
    access: partnerWrite,
    needsRecentLogin: true,
    body: z.object({ enforced: z.boolean() }),
    reply: { 200: ssoConnection },
    errors: ['validation_failed', 'sso_not_verified', 'plan_feature_required', 'stale_record'],
    audit: 'sso.enforcement_changed',
  }),
  releaseSso: defineRoute({
    method: 'POST',
    path: '/sso/enforcement/release',
    tag: 'sso',
    summary: 'Lift the enforcement of an agency that is locked out; its admins are notified by mail',
    access: staffWrite,
    needsRecentLogin: true,
    body: z.object({ partnerId: id, reason: text(500) }),
    reply: { 204: nothing },
    errors: ['validation_failed', 'not_found', 'invalid_state'],
    audit: 'sso.enforcement_released',
  }),
  startSso: defineRoute({
    method: 'GET',
    path: '/sso/:slug/start',
    tag: 'sso',
    summary: 'Go to the provider of an agency; for one that has none, back to the portal with an error',
    access: isPublic,
    mainHostOnly: true,
    limit: 'caller',
    params: typedSlug,
    query: z.object({ returnTo: lenient(500), test: lenient(128) }),
    format: 'redirect',
    refusedAt: REFUSED_AT,
    reply: { 302: nothing },
    errors: [],
  }),
  ssoBrand: defineRoute({
    method: 'GET',
    path: '/sso/:slug/brand',
    tag: 'sso',
    summary: 'Get the name, logo and colour of an agency for its login page; null unless its single sign-on can be used',
    access: isPublic,
    mainHostOnly: true,
    limit: 'caller',
    params: typedSlug,
    reply: {
      200: z.object({
        brand: z.object({ name: z.string(), logoUrl: z.string().nullable(), brandColor: z.string().nullable() }).nullable(),
      }),
    },
    errors: [],
  }),
  ssoCallback: defineRoute({
    method: 'GET',
    path: '/sso/:slug/callback',
    tag: 'sso',
    summary: 'Receive the response of an OpenID Connect provider',
    access: isPublic,
    mainHostOnly: true,
    limit: 'caller',
    params: typedSlug,
    // A longer or repeated one counts as missing: a person reads what follows, and no API client.
    query: z.object({
      code: lenient(4_096),
      state: lenient(512),
      iss: lenient(2_048),
      error: lenient(512),
      error_description: lenient(2_048),
      session_state: lenient(2_048),
    }),
    format: 'redirect',
    refusedAt: REFUSED_AT,
    reply: { 302: nothing },
    errors: [],
  }),
  ssoAssertion: defineRoute({
    method: 'POST',
    path: '/sso/:slug/acs',
    tag: 'sso',
    summary: 'Receive the response of a SAML provider',
    access: isPublic,
    mainHostOnly: true,
    limit: 'caller',
    params: typedSlug,
    body: z.object({ SAMLResponse: z.string().optional(), RelayState: z.string().optional() }),
    // A signed response with its certificates is longer than what other public routes take.
    bodyLimit: LIMITS.samlBodyBytesMax,
    formToo: true,
    format: 'redirect',
    refusedAt: REFUSED_AT,
    reply: { 302: nothing },
    errors: [],
    changesNothing: 'Ends in a one-time code; the session opened with it is accounted for.',
  }),
  ssoLogout: defineRoute({
    method: 'GET',
    path: '/sso/:slug/logout',
    tag: 'sso',
    summary: 'Come back from a log-out at the provider; a signed LogoutRequest of a SAML provider ends the sessions of its person',
    access: isPublic,
    mainHostOnly: true,
    limit: 'caller',
    params: typedSlug,
    query: z.object({
      SAMLRequest: lenient(8_192),
      SAMLResponse: lenient(8_192),
      RelayState: lenient(2_048),
      SigAlg: lenient(512),
      Signature: lenient(2_048),
      state: lenient(512),
    }),
    format: 'redirect',
    refusedAt: REFUSED_AT,
    reply: { 302: nothing },
    errors: [],
  }),
  ssoMetadata: defineRoute({
    method: 'GET',
    path: '/sso/:slug/metadata',
    tag: 'sso',
    summary: 'Get the SAML metadata of the service',
    access: isPublic,
    mainHostOnly: true,
    limit: 'caller',
    params: slugParams,
    format: 'xml',
    refusedAt: REFUSED_AT,
    reply: { 200: z.string() },
    errors: [],
  }),
  exchangeSsoCode: defineRoute({
    method: 'POST',
    path: '/sso/exchange',
    tag: 'sso',
    summary: 'Exchange the one-time code for a session',
    access: isPublic,
    mainHostOnly: true,
    limit: 'caller',
    body: z.object({ code: text(128).meta({ examples: ['pX3vO2mJ7nYb4Qd1Zc8RtL0aWfKeHsUg'] }) }),
    reply: { 200: session },
    errors: ['validation_failed', 'invalid_credentials', 'user_disabled'],
    audit: 'session.signed_in',
  }),
};
