import type { SSO_VERDICTS, SsoProblem, SsoProtocol, SsoTestStatus } from '@partner-portal/contract/vocabulary.ts';
import { runStatement } from '#platform/db/statements.ts';
import type { SystemTx, TenantTx, Tx } from '#platform/db/tx.ts';
import { DATA_KEY, type DataKeyRow } from '#schema/data-key-columns.ts';

/** The signature of a response, as a test login shows it. */
export type ShownSignature = {
  over: 'response' | 'assertion' | 'id_token';
  algorithm: string;
  key: string | null;
  verdict: (typeof SSO_VERDICTS)[number];
};
/** Tests of earlier versions lack the optional members. */
export type LastTest = {
  at: string;
  ok: boolean;
  problem: SsoProblem | null;
  detail: string | null;
  claims: Record<string, string>;
  email?: string | null;
  providerSaid?: string | null;
  signatures?: ShownSignature[];
  isEncrypted?: boolean;
  providerTime?: string | null;
};

/** A connection with the data key that opens its client secret. */
export type ConnectionRow = DataKeyRow & {
  partnerId: string;
  protocol: SsoProtocol;
  status: 'draft' | 'verified';
  enforced: boolean;
  emailDomains: string[];
  issuer: string | null;
  oidcClientId: string | null;
  clientSecretSealed: Buffer | null;
  secretKeyId: string | null;
  metadataUrl: string | null;
  idpEntityId: string | null;
  idpSsoUrl: string | null;
  idpCertificates: string[] | null;
  certificateExpiresAt: Date | null;
  metadataProblem: string | null;
  metadataReadAt: Date | null;
  /** When a failing login last began to read the metadata; null when none did. */
  metadataTriedAt: Date | null;
  metadataValidUntil: Date | null;
  idpWantsSigned: boolean;
  vouchesForEmails: boolean;
  allowsSha1: boolean;
  signsRequests: boolean;
  logsOut: boolean;
  /** Where the provider takes requests to log out; null when it names no address. */
  idpLogoutUrl: string | null;
  idpLogoutResponseUrl: string | null;
  ownCertificate: string | null;
  ownKeySealed: Buffer | null;
  ownKeyId: string | null;
  nextCertificate: string | null;
  nextKeySealed: Buffer | null;
  nextKeyId: string | null;
  configuredAt: Date;
  verifiedAt: Date | null;
  lastLoginAt: Date | null;
  lastTest: LastTest | null;
  /** Status of the newest test since the connection got its values. */
  testStatus: SsoTestStatus | null;
  testStartedAt: Date | null;
  testEndedAt: Date | null;
  updatedAt: Date;
};

const COLUMNS = `c.partner_id, c.protocol, c.status, c.enforced, c.email_domains, c.issuer, c.oidc_client_id, c.client_secret_sealed, c.secret_key_id, c.metadata_url,
  c.idp_entity_id, c.idp_sso_url, c.idp_certificates, c.certificate_expires_at, c.metadata_problem, c.metadata_read_at, c.metadata_tried_at, c.metadata_valid_until, c.idp_wants_signed, c.vouches_for_emails, c.allows_sha1, c.signs_requests,
  c.logs_out, c.idp_logout_url, c.idp_logout_response_url, c.own_certificate, c.own_key_sealed, c.own_key_id, c.next_certificate, c.next_key_sealed, c.next_key_id, c.configured_at, c.verified_at, c.last_login_at, c.last_test, c.updated_at, t.status as test_status, t.started_at as test_started_at, t.ended_at as test_ended_at, ${DATA_KEY}`;
const KEY = `left join partner_data_key k on k.partner_id = c.partner_id
  left join lateral (select a.status, a.started_at, a.ended_at from sso_attempt a
    where a.partner_id = c.partner_id and a.purpose = 'test' and a.started_at >= c.configured_at order by a.id desc limit 1) t on true`;
/** Whether the plan or its overrides include single sign-on. */
export const AVAILABLE = `coalesce((features_of(g.features, s.overrides)->>'sso')::boolean, false)`;
export const TERMS = 'left join subscription s on s.partner_id = p.id left join plan g on g.id = s.plan_id';

/** Returns the partner's slug, whether its plan includes single sign-on, and the caller's last sign-in through the provider. */
export async function findSsoContext(
  tx: TenantTx,
  { partnerId, userId }: { partnerId: string; userId: string },
): Promise<{ slug: string; isAvailable: boolean; lastSsoLoginAt: Date | null } | undefined> {
  const [row] = await runStatement<'sso_standing', { slug: string; isAvailable: boolean; lastSsoLoginAt: Date | null }>(tx, {
    name: 'sso_standing',
    text: `select p.slug, ${AVAILABLE} as is_available, u.last_sso_login_at
      from partner p left join app_user u on u.id = $2 and u.partner_id = p.id ${TERMS} where p.id = $1`,
    values: [partnerId, userId],
  });
  return row;
}

export async function findConnection(tx: Tx, partnerId: string): Promise<ConnectionRow | undefined> {
  const [row] = await runStatement<'sso_connection', ConnectionRow>(tx, {
    name: 'sso_connection',
    text: `select ${COLUMNS} from sso_connection c ${KEY} where c.partner_id = $1`,
    values: [partnerId],
  });
  return row;
}

export async function lockConnection(tx: Tx, partnerId: string): Promise<ConnectionRow | undefined> {
  const [row] = await runStatement<'sso_lock_connection', ConnectionRow>(tx, {
    name: 'sso_lock_connection',
    prepare: false,
    text: `select ${COLUMNS} from sso_connection c ${KEY} where c.partner_id = $1 for update of c`,
    values: [partnerId],
  });
  return row;
}

/** Returns the connection of a slug; undefined when the slug is unknown, has no connection or its plan lacks single sign-on. */
export async function findConnectionBySlug(tx: SystemTx, slug: string): Promise<ConnectionRow | undefined> {
  const [row] = await runStatement<'sso_by_slug', ConnectionRow>(tx, {
    name: 'sso_by_slug',
    text: `select ${COLUMNS} from partner p join sso_connection c on c.partner_id = p.id ${KEY} ${TERMS} where p.slug = $1 and p.status <> 'deleted' and ${AVAILABLE}`,
    values: [slug],
  });
  return row;
}

/** Returns the slug when single sign-on is enforced. A plan that lost the feature enforces nothing. */
export async function findEnforcement(tx: SystemTx, partnerId: string): Promise<{ slug: string } | undefined> {
  const [row] = await runStatement<'sso_enforced', { slug: string }>(tx, {
    name: 'sso_enforced',
    text: `select p.slug from partner p join sso_connection c on c.partner_id = p.id ${TERMS} where p.id = $1 and c.enforced and ${AVAILABLE}`,
    values: [partnerId],
  });
  return row;
}

export type ConnectionValues = Pick<
  ConnectionRow,
  | 'protocol'
  | 'emailDomains'
  | 'issuer'
  | 'oidcClientId'
  | 'clientSecretSealed'
  | 'secretKeyId'
  | 'metadataUrl'
  | 'idpEntityId'
  | 'idpSsoUrl'
  | 'idpCertificates'
  | 'certificateExpiresAt'
  | 'metadataValidUntil'
  | 'idpWantsSigned'
  | 'vouchesForEmails'
  | 'allowsSha1'
  | 'signsRequests'
  | 'logsOut'
  | 'idpLogoutUrl'
  | 'idpLogoutResponseUrl'
>;

/** Replaces all values and resets the connection to draft, because nothing about the new values is verified. */
export async function putConnection(tx: TenantTx, partnerId: string, values: ConnectionValues, at: Date): Promise<void> {
  await runStatement(tx, {
    name: 'sso_put_connection',
    prepare: false,
    text: `insert into sso_connection (partner_id, protocol, email_domains, issuer, oidc_client_id, client_secret_sealed, secret_key_id, metadata_url, idp_entity_id, idp_sso_url,
        idp_certificates, certificate_expires_at, metadata_valid_until, idp_wants_signed, vouches_for_emails, allows_sha1, signs_requests, logs_out, idp_logout_url, idp_logout_response_url, metadata_read_at, configured_at)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $14, $15, $16, $17, $18, $19, $20, $21, $13, $13)
      on conflict (partner_id) do update set protocol = excluded.protocol, status = 'draft', email_domains = excluded.email_domains, issuer = excluded.issuer,
        oidc_client_id = excluded.oidc_client_id, client_secret_sealed = excluded.client_secret_sealed, secret_key_id = excluded.secret_key_id,
        metadata_url = excluded.metadata_url, idp_entity_id = excluded.idp_entity_id, idp_sso_url = excluded.idp_sso_url, idp_certificates = excluded.idp_certificates,
        certificate_expires_at = excluded.certificate_expires_at, metadata_valid_until = excluded.metadata_valid_until,
        idp_wants_signed = excluded.idp_wants_signed, vouches_for_emails = excluded.vouches_for_emails, allows_sha1 = excluded.allows_sha1,
        signs_requests = excluded.signs_requests, logs_out = excluded.logs_out, idp_logout_url = excluded.idp_logout_url,
        idp_logout_response_url = excluded.idp_logout_response_url, metadata_read_at = excluded.metadata_read_at, metadata_problem = null,
        configured_at = excluded.configured_at, verified_at = null, last_test = null`,
    values: [
      partnerId,
      values.protocol,
      values.emailDomains,
      values.issuer,
      values.oidcClientId,
      values.clientSecretSealed,
      values.secretKeyId,
      values.metadataUrl,
      values.idpEntityId,
      values.idpSsoUrl,
      values.idpCertificates,
      values.certificateExpiresAt,
      at,
      values.metadataValidUntil,
      values.idpWantsSigned,
      values.vouchesForEmails,
      values.allowsSha1,
      values.signsRequests,
      values.logsOut,
      values.idpLogoutUrl,
      values.idpLogoutResponseUrl,
    ],
  });
}

/** Replaces the client secret alone: the connection stays verified, and logins in progress go on. */
export async function writeClientSecret(
  tx: TenantTx,
  partnerId: string,
  { clientSecretSealed, secretKeyId }: { clientSecretSealed: Buffer; secretKeyId: string },
): Promise<void> {
  await runStatement(tx, {
    name: 'sso_write_client_secret',
    prepare: false,
    text: 'update sso_connection set client_secret_sealed = $2, secret_key_id = $3, metadata_problem = null where partner_id = $1',
    values: [partnerId, clientSecretSealed, secretKeyId],
  });
}

export async function deleteConnection(tx: TenantTx, partnerId: string): Promise<void> {
  await runStatement(tx, {
    name: 'sso_delete_connection',
    prepare: false,
    text: 'delete from sso_connection where partner_id = $1',
    values: [partnerId],
  });
}

export async function setEnforced(tx: Tx, partnerId: string, enforced: boolean): Promise<void> {
  await runStatement(tx, {
    name: 'sso_set_enforced',
    prepare: false,
    text: 'update sso_connection set enforced = $2 where partner_id = $1',
    values: [partnerId, enforced],
  });
}

/** Stores the result of a test login; a successful one verifies the connection, unless it was changed since. */
export async function writeTest(tx: SystemTx, partnerId: string, configuredAt: Date, test: LastTest): Promise<boolean> {
  const rows = await runStatement<'sso_write_test', { id: string }>(tx, {
    name: 'sso_write_test',
    prepare: false,
    text: `update sso_connection set last_test = $3::jsonb, status = case when $4 then 'verified' else status end,
        verified_at = case when $4 then coalesce(verified_at, now()) else verified_at end,
        metadata_problem = case when protocol = 'saml' or not $4 then metadata_problem end
      where partner_id = $1 and configured_at = $2 returning partner_id as id`,
    values: [partnerId, configuredAt, JSON.stringify(test), test.ok],
  });
  return rows.length === 1;
}

/** Returns SAML connections whose metadata was last read before `before`. */
export async function listStaleMetadata(
  tx: SystemTx,
  before: Date,
  limit: number,
): Promise<{ partnerId: string; metadataUrl: string; idpEntityId: string; configuredAt: Date }[]> {
  return runStatement<'sso_list_stale_metadata', { partnerId: string; metadataUrl: string; idpEntityId: string; configuredAt: Date }>(tx, {
    name: 'sso_list_stale_metadata',
    prepare: false,
    text: `select partner_id, metadata_url, idp_entity_id, configured_at from sso_connection where protocol = 'saml' and metadata_url is not null and metadata_read_at < $1 order by metadata_read_at limit $2`,
    values: [before, limit],
  });
}

/** The stored result of reading metadata, or why it was not accepted. */
export type MetadataRead =
  | {
      ssoUrl: string;
      logoutUrl: string | null;
      logoutResponseUrl: string | null;
      certificates: readonly string[];
      certificateExpiresAt: Date;
      wantsSignedRequests: boolean;
      validUntil: Date | null;
    }
  | { problem: string };

/** `at`: null leaves the connection to the next daily reading. */
export async function writeMetadata(
  tx: Tx,
  connection: { partnerId: string; configuredAt: Date },
  read: MetadataRead,
  at: Date | null,
): Promise<void> {
  const good = 'problem' in read ? null : read;
  await runStatement(tx, {
    name: 'sso_write_metadata',
    prepare: false,
    text: `update sso_connection set metadata_read_at = coalesce($3, metadata_read_at), metadata_problem = $4, idp_sso_url = coalesce($5, idp_sso_url),
        idp_certificates = coalesce($6::text[], idp_certificates), certificate_expires_at = coalesce($7, certificate_expires_at),
        idp_wants_signed = coalesce($8, idp_wants_signed), metadata_valid_until = case when $4::text is null then $9 else metadata_valid_until end,
        idp_logout_url = case when $4::text is null then $10 else idp_logout_url end,
        idp_logout_response_url = case when $4::text is null then $11 else idp_logout_response_url end
      where partner_id = $1 and configured_at = $2`,
    values: [
      connection.partnerId,
      connection.configuredAt,
      at,
      'problem' in read ? read.problem : null,
      good?.ssoUrl ?? null,
      good?.certificates ?? null,
      good?.certificateExpiresAt ?? null,
      good?.wantsSignedRequests ?? null,
      good?.validUntil ?? null,
      good?.logoutUrl ?? null,
      good?.logoutResponseUrl ?? null,
    ],
  });
}

/**
 * Takes the right to read the metadata of a connection again; false when it was read, or a login had it read, after `before`, so that failing
 * logins cause no flood of requests. The daily reading is not put off by it. `shown`: the problem until the reading has ended.
 */
export async function claimMetadata(
  tx: SystemTx,
  connection: { partnerId: string; configuredAt: Date },
  before: Date,
  at: Date,
  shown: string,
): Promise<boolean> {
  const rows = await runStatement<'sso_claim_metadata', { id: string }>(tx, {
    name: 'sso_claim_metadata',
    prepare: false,
    text: `update sso_connection set metadata_tried_at = $4, metadata_problem = $5
      where partner_id = $1 and configured_at = $2 and metadata_read_at < $3 and (metadata_tried_at is null or metadata_tried_at < $3) returning partner_id as id`,
    values: [connection.partnerId, connection.configuredAt, before, at, shown],
  });
  return rows.length === 1;
}

/** Records that the keys of an OpenID Connect provider were read, and where it takes log-outs, or why not. */
export async function writeProviderRead(
  tx: TenantTx,
  connection: { partnerId: string; configuredAt: Date },
  read: { logoutUrl: string | null } | { problem: string },
  at: Date,
): Promise<void> {
  const good = 'problem' in read ? null : read;
  await runStatement(tx, {
    name: 'sso_write_provider_read',
    prepare: false,
    text: `update sso_connection set metadata_read_at = $3, metadata_problem = $4,
        idp_logout_url = case when $4::text is null then $5 else idp_logout_url end
      where partner_id = $1 and configured_at = $2`,
    values: [connection.partnerId, connection.configuredAt, at, 'problem' in read ? read.problem : null, good?.logoutUrl ?? null],
  });
}
