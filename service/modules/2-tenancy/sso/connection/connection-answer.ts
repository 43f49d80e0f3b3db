import type { ConnectionRow } from '../store.ts';

/** The addresses of one agency, as its provider has to know them. */
export function addressesOf(baseUrl: string, slug: string) {
  const own = `${baseUrl}/sso/${slug}`;
  return { loginUrl: `${baseUrl}/login?sso=${slug}`, acsUrl: `${own}/acs`, entityId: `${own}/metadata`, callbackUrl: `${own}/callback` };
}

/** The connection as it leaves: the secret has no member to leave by. */
export function toRecord(
  baseUrl: string,
  standing: { slug: string; isAvailable: boolean; lastSsoLoginAt: Date | null },
  row: ConnectionRow | undefined,
) {
  const { lastSsoLoginAt } = standing;
  return {
    id: row?.partnerId ?? null,
    configured: row !== undefined,
    available: standing.isAvailable,
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
    callerSignedIn: row !== undefined && hasComeIn(lastSsoLoginAt, row),
    lastTest: row?.lastTest ?? null,
    ...addressesOf(baseUrl, standing.slug),
    updatedAt: row?.updatedAt ?? null,
  };
}

/** Whether somebody came in through the connection as it is now. */
export function hasComeIn(lastSsoLoginAt: Date | null, row: ConnectionRow): boolean {
  return lastSsoLoginAt !== null && lastSsoLoginAt >= row.configuredAt;
}
