import { runStatement } from '#platform/db/statements.ts';
import type { SystemTx, Tx } from '#platform/db/tx.ts';
import { DATA_KEY, type DataKeyRow } from '#schema/data-key-columns.ts';
import type { SealedTotp } from './seal-totp.ts';

export type MfaRow = SealedTotp & DataKeyRow & { userId: string; partnerId: string; enabledAt: Date | null };
export type MfaOwner = { userId: string; partnerId: string; clientId: string | null };

/** Returns the authenticator app of a user, locked, with the data key that opens its secret. */
export async function lockMfa(tx: Tx, userId: string): Promise<MfaRow | undefined> {
  const [row] = await runStatement<'mfa_lock', MfaRow>(tx, {
    name: 'mfa_lock',
    text: `select m.user_id, m.partner_id, m.secret_sealed, m.secret_key_id, m.enabled_at, ${DATA_KEY}
      from user_mfa m left join partner_data_key k on k.partner_id = m.partner_id where m.user_id = $1 for update of m`,
    values: [userId],
  });
  return row;
}

/** Replaces an unconfirmed secret; false when an app is already enabled. */
export async function putPendingSecret(tx: Tx, owner: MfaOwner, { secretSealed, secretKeyId }: SealedTotp): Promise<boolean> {
  const rows = await runStatement(tx, {
    name: 'mfa_put_pending',
    text: `insert into user_mfa as m (user_id, partner_id, client_id, secret_sealed, secret_key_id) values ($1, $2, $3, $4, $5)
      on conflict (user_id) do update set secret_sealed = excluded.secret_sealed, secret_key_id = excluded.secret_key_id, last_step = 0, created_at = now()
        where m.enabled_at is null returning 1`,
    values: [owner.userId, owner.partnerId, owner.clientId, secretSealed, secretKeyId],
  });
  return rows.length > 0;
}

/** Marks the code of a step as used; false when it or a later one was used before. Safe under concurrency. */
export async function useStep(tx: Tx, userId: string, step: number): Promise<boolean> {
  const rows = await runStatement(tx, {
    name: 'mfa_spend_step',
    text: 'update user_mfa set last_step = $2 where user_id = $1 and last_step < $2 returning 1',
    values: [userId, step],
  });
  return rows.length > 0;
}

export async function switchMfaOn(tx: Tx, owner: MfaOwner, codeHashes: readonly Buffer[], at: Date): Promise<void> {
  await runStatement(tx, {
    name: 'mfa_switch_on',
    text: `with app as (update user_mfa set enabled_at = $4 where user_id = $1),
        seen as (update app_user set mfa_enabled = true where id = $1)
      insert into mfa_recovery_code (user_id, partner_id, client_id, code_hash) select $1, $2, $3, unnest($5::bytea[])`,
    values: [owner.userId, owner.partnerId, owner.clientId, at, codeHashes],
  });
}

export async function replaceRecoveryCodes(tx: Tx, owner: MfaOwner, codeHashes: readonly Buffer[]): Promise<void> {
  await runStatement(tx, {
    name: 'mfa_replace_codes',
    text: `with old as (delete from mfa_recovery_code where user_id = $1)
      insert into mfa_recovery_code (user_id, partner_id, client_id, code_hash) select $1, $2, $3, unnest($4::bytea[])`,
    values: [owner.userId, owner.partnerId, owner.clientId, codeHashes],
  });
}

/** Deletes app and recovery codes; true when an app was enabled. */
export async function switchMfaOff(tx: Tx, userId: string): Promise<boolean> {
  const [row] = await runStatement<'mfa_switch_off', { wasOn: boolean }>(tx, {
    name: 'mfa_switch_off',
    text: `with codes as (delete from mfa_recovery_code where user_id = $1),
        seen as (update app_user set mfa_enabled = false where id = $1 and mfa_enabled)
      delete from user_mfa where user_id = $1 returning enabled_at is not null as was_on`,
    values: [userId],
  });
  return row?.wasOn ?? false;
}

/** Uses up a recovery code; false when it is unknown or was used before. */
export async function useRecoveryCode(tx: SystemTx, userId: string, codeHash: Buffer, at: Date): Promise<boolean> {
  const rows = await runStatement(tx, {
    name: 'mfa_burn_code',
    text: 'update mfa_recovery_code set used_at = $3 where user_id = $1 and code_hash = $2 and used_at is null returning 1',
    values: [userId, codeHash, at],
  });
  return rows.length > 0;
}

/** Stores a challenge after a correct password. False when password or status changed since it was verified. */
export async function insertChallenge(
  tx: SystemTx,
  challenge: { id: string; userId: string; passwordHash: string | null; expiresAt: Date },
): Promise<boolean> {
  const rows = await runStatement(tx, {
    name: 'mfa_insert_challenge',
    text: `insert into mfa_challenge (id, user_id, sessions_valid_from, expires_at)
      select $1, u.id, u.sessions_valid_from, $4 from app_user u where u.id = $2 and u.status = 'active' and u.password_hash is not distinct from $3 returning 1`,
    values: [challenge.id, challenge.userId, challenge.passwordHash, challenge.expiresAt],
  });
  return rows.length > 0;
}

export type ChallengeRow = {
  id: string;
  userId: string;
  partnerId: string;
  clientId: string | null;
  email: string;
  wrongCodes: number;
  /** Unused, not expired, and no session of the user was ended since. */
  isValid: boolean;
  mfa: (SealedTotp & DataKeyRow) | null;
};

/** Returns the challenge, locked, so that concurrent attempts are verified one after another. */
export async function lockChallenge(tx: SystemTx, id: string, now: Date): Promise<ChallengeRow | undefined> {
  type Row = Omit<ChallengeRow, 'mfa'> & DataKeyRow & { secretSealed: Buffer | null; secretKeyId: string | null };
  const [row] = await runStatement<'mfa_lock_challenge', Row>(tx, {
    name: 'mfa_lock_challenge',
    text: `select c.id, c.user_id, u.partner_id, u.client_id, u.email, c.wrong_codes,
        c.used_at is null and c.expires_at > $2 and c.sessions_valid_from = u.sessions_valid_from as is_valid, m.secret_sealed, m.secret_key_id, ${DATA_KEY}
      from mfa_challenge c join app_user u on u.id = c.user_id left join user_mfa m on m.user_id = c.user_id and m.enabled_at is not null
      left join partner_data_key k on k.partner_id = u.partner_id
      where c.id = $1 for update of c`,
    values: [id, now],
  });
  if (!row) return undefined;
  const { secretSealed, secretKeyId, dataKeyId, dataKeySealed, dataKeyMasterId, dataKeyDestroyedAt, ...challenge } = row;
  const dataKey = { dataKeyId, dataKeySealed, dataKeyMasterId, dataKeyDestroyedAt };
  return { ...challenge, mfa: secretSealed && secretKeyId ? { secretSealed, secretKeyId, ...dataKey } : null };
}

export async function countWrongCode(tx: SystemTx, id: string): Promise<void> {
  await runStatement(tx, {
    name: 'mfa_wrong_code',
    text: 'update mfa_challenge set wrong_codes = wrong_codes + 1 where id = $1',
    values: [id],
  });
}

export async function useChallenge(tx: SystemTx, id: string, at: Date): Promise<void> {
  await runStatement(tx, { name: 'mfa_use_challenge', text: 'update mfa_challenge set used_at = $2 where id = $1', values: [id, at] });
}

export async function deleteExpiredChallenges(tx: SystemTx): Promise<void> {
  await runStatement(tx, {
    name: 'identity_delete_expired_challenges',
    prepare: false,
    text: "delete from mfa_challenge where expires_at < now() - interval '1 hour'",
  });
}

/** Secrets of earlier versions, which a master key sealed: its id is shorter than that of a data key. Those under a destroyed key are left. */
const OLD = 'length(m.secret_key_id) <= 32 and k.destroyed_at is null';
const OLD_TABLES = 'user_mfa m left join partner_data_key k on k.partner_id = m.partner_id';

export async function countOldSecrets(tx: SystemTx): Promise<number> {
  const [row] = await runStatement<'identity_count_old_secrets', { count: number }>(tx, {
    name: 'identity_count_old_secrets',
    prepare: false,
    text: `select count(*)::int as count from ${OLD_TABLES} where ${OLD}`,
  });
  return row?.count ?? 0;
}

export async function claimOldSecrets(tx: SystemTx, afterId: string, batch: number): Promise<MfaRow[]> {
  return runStatement<'identity_claim_old_secrets', MfaRow>(tx, {
    name: 'identity_claim_old_secrets',
    prepare: false,
    text: `select m.user_id, m.partner_id, m.secret_sealed, m.secret_key_id, m.enabled_at, ${DATA_KEY} from ${OLD_TABLES}
      where ${OLD} and m.user_id > $1 order by m.user_id limit $2 for update of m`,
    values: [afterId, batch],
  });
}

export async function replaceSecrets(tx: SystemTx, fresh: readonly ({ userId: string } & SealedTotp)[]): Promise<void> {
  await runStatement(tx, {
    name: 'identity_replace_secrets',
    prepare: false,
    text: `update user_mfa m set secret_sealed = n.secret_sealed, secret_key_id = n.secret_key_id
      from unnest($1::uuid[], $2::bytea[], $3::text[]) as n(user_id, secret_sealed, secret_key_id) where m.user_id = n.user_id`,
    values: [fresh.map((one) => one.userId), fresh.map((one) => one.secretSealed), fresh.map((one) => one.secretKeyId)],
  });
}
