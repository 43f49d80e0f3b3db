import type { SsoDeps } from '../deps.ts';
import type { ConnectionRow, LastTest } from '../store.ts';
import { showKeys } from './own-keys.ts';

/** The addresses that the identity provider of a partner needs. */
export function addressesOf(baseUrl: string, slug: string) {
  const own = `${baseUrl}/sso/${slug}`;
  return {
    loginUrl: `${baseUrl}/login?sso=${slug}`,
    acsUrl: `${own}/acs`,
    entityId: `${own}/metadata`,
    callbackUrl: `${own}/callback`,
    logoutUrl: `${own}/logout`,
  };
}

/** The name in the certificate of a key of the portal: its entity id, without the scheme. */
export function keyName(baseUrl: string, slug: string): string {
  return addressesOf(baseUrl, slug).entityId.replace(/^https?:\/\//, '');
}

/** How the audit log names a connection. */
export function labelOf({
  issuer,
  metadataUrl,
  idpEntityId,
}: Pick<ConnectionRow, 'issuer' | 'metadataUrl' | 'idpEntityId'>): string | null {
  return issuer ?? metadataUrl ?? idpEntityId;
}

/** Fields that tests of earlier versions did not record. */
const BEFORE = { email: null, providerSaid: null, signatures: [], isEncrypted: false, providerTime: null };

/** How a login ended, for the API. */
export function showResult(result: LastTest) {
  return { ...BEFORE, ...result };
}

/** The record of the API, without the secret. */
export function toRecord(
  { baseUrl }: Pick<SsoDeps, 'baseUrl'>,
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
    metadataReadAt: row?.metadataReadAt ?? null,
    metadataValidUntil: row?.metadataValidUntil ?? null,
    vouchesForEmails: row?.vouchesForEmails ?? false,
    allowsSha1: row?.allowsSha1 ?? false,
    signsRequests: row?.signsRequests ?? false,
    providerWantsSigned: row?.idpWantsSigned ?? false,
    logsOut: row?.logsOut ?? false,
    providerLogsOut: (row?.idpLogoutUrl ?? null) !== null,
    keys: row?.protocol === 'saml' ? showKeys(row) : [],
    isWithoutHttps: !baseUrl.startsWith('https:'),
    verifiedAt: row?.verifiedAt ?? null,
    lastLoginAt: row?.lastLoginAt ?? null,
    certificateExpiresAt: row?.certificateExpiresAt ?? null,
    callerSignedIn: row !== undefined && hasSignedIn(lastSsoLoginAt, row),
    test: row?.testStatus && row.testStartedAt ? { status: row.testStatus, startedAt: row.testStartedAt, endedAt: row.testEndedAt } : null,
    lastTest: row?.lastTest ? showResult(row.lastTest) : null,
    ...addressesOf(baseUrl, context.slug),
    updatedAt: row?.updatedAt ?? null,
  };
}

/** Whether the caller logged in through the connection as it is now. */
export function hasSignedIn(lastSsoLoginAt: Date | null, row: ConnectionRow): boolean {
  return lastSsoLoginAt !== null && lastSsoLoginAt >= row.configuredAt;
}
