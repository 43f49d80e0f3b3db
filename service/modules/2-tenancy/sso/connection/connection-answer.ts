import type { ConnectionRow } from '../store.ts';

/** The addresses that the identity provider of a partner needs. */
export function addressesOf(baseUrl: string, slug: string) {
  const own = `${baseUrl}/sso/${slug}`;
  return { loginUrl: `${baseUrl}/login?sso=${slug}`, acsUrl: `${own}/acs`, entityId: `${own}/metadata`, callbackUrl: `${own}/callback` };
}

/** The record of the API, without the secret. */
export function toRecord(
  baseUrl: string,
  context: { slug: string; isAvailable: boolean; lastSsoLoginAt: Date | null },
  row: ConnectionRow | undefined,
) {
  const { lastSsoLoginAt } = context;
  return {
    id: row?.partnerId ?? null,
    configured: row !== undefined,
    available: context.isAvailable,
    protocol: row?.protocol ?? null,
    status: row?.status ?? null,
    enforced: row?.enforced ?? false,
    emailDomains: row?.emailDomains ?? [],
    issuer: row?.issuer ?? null,
    clientId: row?.oidcClientId ?? null,
    metadataUrl: row?.metadataUrl ?? null,
    metadataProblem: row?.metadataProblem ?? null,
    verifiedAt: row?.verifiedAt ?? null,
    lastLoginAt: row?.lastLoginAt ?? null,
    certificateExpiresAt: row?.certificateExpiresAt ?? null,
    callerSignedIn: row !== undefined && hasSignedIn(lastSsoLoginAt, row),
    lastTest: row?.lastTest ?? null,
    ...addressesOf(baseUrl, context.slug),
    updatedAt: row?.updatedAt ?? null,
  };
}

/** Whether the caller signed in through the connection as it is now. */
export function hasSignedIn(lastSsoLoginAt: Date | null, row: ConnectionRow): boolean {
  return lastSsoLoginAt !== null && lastSsoLoginAt >= row.configuredAt;
}
