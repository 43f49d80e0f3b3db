import { runStatement } from '#platform/db/statements.ts';
import type { SystemTx, TenantTx } from '#platform/db/tx.ts';

/** A login in progress at the provider. */
export type LoginRow = {
  partnerId: string;
  purpose: 'login' | 'test';
  testUserId: string | null;
  /** The record of a test. */
  attemptId: string | null;
  browserHash: Buffer;
  configuredAt: Date;
  nonce: string | null;
  codeVerifier: string | null;
  samlRequestId: string | null;
  returnTo: string | null;
  expiresAt: Date;
};

export async function insertLogin(tx: SystemTx, stateHash: Buffer, login: LoginRow): Promise<void> {
  await runStatement(tx, {
    name: 'sso_insert_login',
    prepare: false,
    text: `insert into sso_login (partner_id, purpose, test_user_id, state_hash, browser_hash, configured_at, nonce, code_verifier, saml_request_id, return_to, expires_at, attempt_id)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
    values: [
      login.partnerId,
      login.purpose,
      login.testUserId,
      stateHash,
      login.browserHash,
      login.configuredAt,
      login.nonce,
      login.codeVerifier,
      login.samlRequestId,
      login.returnTo,
      login.expiresAt,
      login.attemptId,
    ],
  });
}

/** Takes the login of a state; only one of concurrent calls succeeds. */
export async function takeLogin(tx: SystemTx, stateHash: Buffer, at: Date): Promise<LoginRow | undefined> {
  const [row] = await runStatement<'sso_take_login', LoginRow>(tx, {
    name: 'sso_take_login',
    prepare: false,
    text: `update sso_login set used_at = $2 where state_hash = $1 and used_at is null and expires_at > $2
      returning partner_id, purpose, test_user_id, browser_hash, configured_at, nonce, code_verifier, saml_request_id, return_to, expires_at, attempt_id`,
    values: [stateHash, at],
  });
  return row;
}

export type MemberRow = { id: string; status: string };

/** Returns the team member of the partner with this address; never a client user. */
export async function findMember(tx: SystemTx, partnerId: string, email: string): Promise<MemberRow | undefined> {
  const [row] = await runStatement<'sso_find_member', MemberRow>(tx, {
    name: 'sso_find_member',
    prepare: false,
    text: `select id, status from app_user where partner_id = $1 and email = $2 and role = 'PARTNER'`,
    values: [partnerId, email],
  });
  return row;
}

/** Returns which of these addresses are of members of the team. */
export async function listMemberAddresses(tx: SystemTx, partnerId: string, emails: readonly string[]): Promise<string[]> {
  const rows = await runStatement<'sso_member_addresses', { email: string }>(tx, {
    name: 'sso_member_addresses',
    prepare: false,
    text: `select email from app_user where partner_id = $1 and email = any ($2::text[]) and role = 'PARTNER'`,
    values: [partnerId, [...emails]],
  });
  return rows.map(({ email }) => email);
}

/**
 * `sessionUntil`: when the provider's session ends; null when it names no end. `providerSessionId`: what the provider knows the session by, where a
 * log-out takes that.
 */
export type CodeRow = {
  partnerId: string;
  userId: string;
  authMethod: 'saml' | 'oidc';
  browserHash: Buffer;
  sessionUntil: Date | null;
  providerSessionId: string | null;
};

/** Stores a code, unless its connection was saved or removed since the login began: it waits for one that is being saved. */
export async function insertCode(
  tx: SystemTx,
  codeHash: Buffer,
  code: CodeRow & { expiresAt: Date },
  { configuredAt }: Pick<LoginRow, 'configuredAt'>,
): Promise<void> {
  await runStatement(tx, {
    name: 'sso_insert_code',
    prepare: false,
    text: `insert into sso_code (code_hash, partner_id, user_id, auth_method, browser_hash, expires_at, session_until, provider_session_id)
      select $1, c.partner_id, $3, $4, $5, $6, $7, $8 from sso_connection c where c.partner_id = $2 and c.configured_at = $9 for share`,
    values: [
      codeHash,
      code.partnerId,
      code.userId,
      code.authMethod,
      code.browserHash,
      code.expiresAt,
      code.sessionUntil,
      code.providerSessionId,
      configuredAt,
    ],
  });
}

/** Takes a one-time code; undefined when it is unknown, used or expired. */
export async function takeCode(tx: SystemTx, codeHash: Buffer, at: Date): Promise<CodeRow | undefined> {
  const [row] = await runStatement<'sso_take_code', CodeRow & { expiresAt: Date }>(tx, {
    name: 'sso_take_code',
    prepare: false,
    text: 'delete from sso_code where code_hash = $1 returning partner_id, user_id, auth_method, browser_hash, session_until, provider_session_id, expires_at',
    values: [codeHash],
  });
  return row && row.expiresAt > at ? row : undefined;
}

/** Records a sign-in through the provider. */
export async function markSsoLogin(tx: SystemTx, who: { partnerId: string; userId: string }, at: Date): Promise<void> {
  await runStatement(tx, {
    name: 'sso_mark_sso_login',
    prepare: false,
    text: 'update app_user set last_sso_login_at = $2 where id = $1',
    values: [who.userId, at],
  });
  await runStatement(tx, {
    name: 'sso_mark_sso_login_2',
    prepare: false,
    text: `update sso_connection set last_login_at = $2, metadata_problem = case when protocol = 'saml' then metadata_problem end where partner_id = $1`,
    values: [who.partnerId, at],
  });
}

export async function insertTest(
  tx: TenantTx,
  test: { tokenHash: Buffer; partnerId: string; userId: string; attemptId: string; expiresAt: Date },
): Promise<void> {
  await runStatement(tx, {
    name: 'sso_insert_test',
    prepare: false,
    text: 'insert into sso_test (token_hash, partner_id, user_id, expires_at, attempt_id) values ($1, $2, $3, $4, $5)',
    values: [test.tokenHash, test.partnerId, test.userId, test.expiresAt, test.attemptId],
  });
}

export type TakenTest = { partnerId: string; userId: string; attemptId: string | null };

export async function takeTest(tx: SystemTx, tokenHash: Buffer, at: Date): Promise<TakenTest | undefined> {
  const [row] = await runStatement<'sso_take_test', TakenTest & { expiresAt: Date }>(tx, {
    name: 'sso_take_test',
    prepare: false,
    text: 'delete from sso_test where token_hash = $1 returning partner_id, user_id, attempt_id, expires_at',
    values: [tokenHash],
  });
  return row && row.expiresAt > at ? row : undefined;
}

/** Deletes expired logins, codes and test links, and what is over of log-outs. */
export async function forgetLogins(tx: SystemTx, at: Date): Promise<void> {
  await runStatement(tx, {
    name: 'sso_forget_logins',
    prepare: false,
    text: `with codes as (delete from sso_code where expires_at < $1), tests as (delete from sso_test where expires_at < $1),
        sessions as (delete from sso_session where expires_at < $1), requests as (delete from sso_logout_request where expires_at < $1)
      delete from sso_login where expires_at < $1`,
    values: [at],
  });
}
