import { runStatement } from '#platform/db/statements.ts';
import type { SystemTx, TenantTx } from '#platform/db/tx.ts';

/** The names under which a provider knows a session of the portal. */
export type ProviderSession = {
  id: string;
  partnerId: string;
  userId: string;
  subjectHash: Buffer | null;
  indexHash: Buffer | null;
  proofSealed: Buffer;
  proofKeyId: string;
  expiresAt: Date;
};
export type SealedProof = Pick<ProviderSession, 'id' | 'proofSealed' | 'proofKeyId'>;

export async function insertProviderSession(tx: SystemTx, session: ProviderSession): Promise<void> {
  await runStatement(tx, {
    name: 'sso_insert_session',
    prepare: false,
    text: `insert into sso_session (id, partner_id, user_id, subject_hash, index_hash, proof_sealed, proof_key_id, expires_at)
      values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    values: [
      session.id,
      session.partnerId,
      session.userId,
      session.subjectHash,
      session.indexHash,
      session.proofSealed,
      session.proofKeyId,
      session.expiresAt,
    ],
  });
}

/** Binds it to the session that its one-time code was exchanged for. */
export async function bindProviderSession(tx: SystemTx, id: string, session: { jti: string; expiresAt: Date }): Promise<void> {
  await runStatement(tx, {
    name: 'sso_bind_session',
    prepare: false,
    text: 'update sso_session set jti = $2, expires_at = $3 where id = $1',
    values: [id, session.jti, session.expiresAt],
  });
}

export async function findProviderSession(tx: TenantTx, partnerId: string, jti: string): Promise<SealedProof | undefined> {
  const [row] = await runStatement<'sso_find_session', SealedProof>(tx, {
    name: 'sso_find_session',
    prepare: false,
    text: 'select id, proof_sealed, proof_key_id from sso_session where partner_id = $1 and jti = $2',
    values: [partnerId, jti],
  });
  return row;
}

export type EndedSession = { userId: string; email: string; jti: string | null; expiresAt: Date };

/**
 * Takes the sessions of a person at the provider: those of these indexes and those without one, or all of them. Codes that were not exchanged yet are gone
 * with theirs. The caller revokes what has a `jti`.
 */
export async function takeProviderSessions(
  tx: SystemTx,
  partnerId: string,
  subjectHash: Buffer,
  indexHashes: readonly Buffer[],
): Promise<EndedSession[]> {
  return runStatement<'sso_take_sessions', EndedSession>(tx, {
    name: 'sso_take_sessions',
    prepare: false,
    text: `with gone as (
        delete from sso_session s where s.partner_id = $1 and s.subject_hash = $2
          and (cardinality($3::bytea[]) = 0 or s.index_hash is null or s.index_hash = any ($3::bytea[]))
        returning s.id, s.user_id, s.jti, s.expires_at),
      codes as (delete from sso_code c using gone g where c.provider_session_id = g.id)
      select g.user_id, u.email, g.jti, g.expires_at from gone g join app_user u on u.id = g.user_id`,
    values: [partnerId, subjectHash, [...indexHashes]],
  });
}

/** Forgets what a provider knows the team's sessions by; they go on. */
export async function forgetProviderSessions(tx: TenantTx, partnerId: string): Promise<void> {
  await runStatement(tx, {
    name: 'sso_forget_sessions',
    prepare: false,
    text: 'delete from sso_session where partner_id = $1',
    values: [partnerId],
  });
}

/** Takes the right to follow a request of a provider; false when it was followed before. */
export async function takeLogoutRequest(tx: SystemTx, partnerId: string, requestHash: Buffer, expiresAt: Date): Promise<boolean> {
  const rows = await runStatement<'sso_take_logout_request', { id: string }>(tx, {
    name: 'sso_take_logout_request',
    prepare: false,
    text: `insert into sso_logout_request (partner_id, request_hash, expires_at) values ($1, $2, $3)
      on conflict do nothing returning partner_id as id`,
    values: [partnerId, requestHash, expiresAt],
  });
  return rows.length === 1;
}
