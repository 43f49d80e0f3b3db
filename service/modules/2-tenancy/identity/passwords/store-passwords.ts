import { runStatement } from '#platform/db/statements.ts';
import type { SystemTx, TenantTx } from '#platform/db/tx.ts';

/** Stores a request for a reset link; the same for every address. */
export async function insertResetRequest(tx: SystemTx, request: { id: string; email: string; at: Date }): Promise<void> {
  await runStatement(tx, {
    name: 'reset_insert_request',
    text: 'insert into password_reset_request (id, email, created_at) values ($1, $2, $3)',
    values: [request.id, request.email, request.at],
  });
}

/** Removes a request; undefined when it was already handled. */
export async function takeResetRequest(tx: SystemTx, id: string): Promise<{ email: string; createdAt: Date } | undefined> {
  const [row] = await runStatement<'reset_take_request', { email: string; createdAt: Date }>(tx, {
    name: 'reset_take_request',
    text: 'delete from password_reset_request where id = $1 returning email, created_at',
    values: [id],
  });
  return row;
}

/** Stores a link in place of any older one of the user. */
export async function putReset(tx: SystemTx, reset: { userId: string; tokenHash: Buffer; expiresAt: Date }): Promise<void> {
  await runStatement(tx, {
    name: 'reset_put',
    text: `insert into password_reset (user_id, sessions_valid_from, token_hash, expires_at) select u.id, u.sessions_valid_from, $2, $3 from app_user u where u.id = $1
      on conflict (user_id) do update set sessions_valid_from = excluded.sessions_valid_from, token_hash = excluded.token_hash, expires_at = excluded.expires_at`,
    values: [reset.userId, reset.tokenHash, reset.expiresAt],
  });
}

/** Returns the user of a link; undefined when it is unknown, used, replaced, expired or older than the end of the user's sessions. */
export async function findReset(tx: SystemTx, tokenHash: Buffer, now: Date): Promise<{ userId: string } | undefined> {
  const [row] = await runStatement<'reset_find', { userId: string }>(tx, {
    name: 'reset_find',
    text: `select r.user_id from password_reset r join app_user u on u.id = r.user_id and u.sessions_valid_from = r.sessions_valid_from
      where r.token_hash = $1 and r.expires_at > $2`,
    values: [tokenHash, now],
  });
  return row;
}

/** Uses a link; false when it was used meanwhile. */
export async function useReset(tx: SystemTx, tokenHash: Buffer, now: Date): Promise<boolean> {
  const rows = await runStatement(tx, {
    name: 'reset_use',
    text: `delete from password_reset r using app_user u
      where r.token_hash = $1 and r.expires_at > $2 and u.id = r.user_id and u.sessions_valid_from = r.sessions_valid_from returning 1`,
    values: [tokenHash, now],
  });
  return rows.length > 0;
}

export async function setPassword(tx: SystemTx, userId: string, passwordHash: string): Promise<void> {
  await runStatement(tx, {
    name: 'password_set',
    text: 'update app_user set password_hash = $2 where id = $1',
    values: [userId, passwordHash],
  });
}

/** Replaces a password that was just verified; false when it changed meanwhile. */
export async function replacePassword(tx: SystemTx | TenantTx, userId: string, before: string, after: string): Promise<boolean> {
  const rows = await runStatement(tx, {
    name: 'password_replace',
    text: 'update app_user set password_hash = $3 where id = $1 and password_hash = $2 returning 1',
    values: [userId, before, after],
  });
  return rows.length > 0;
}

/** Deletes expired links, and requests whose job was lost. */
export async function deleteExpiredResets(tx: SystemTx): Promise<void> {
  await runStatement(tx, {
    name: 'identity_delete_expired_resets',
    prepare: false,
    text: 'delete from password_reset where expires_at < now()',
  });
  await runStatement(tx, {
    name: 'identity_delete_expired_resets_2',
    prepare: false,
    text: "delete from password_reset_request where created_at < now() - interval '1 day'",
  });
}
