import { runStatement } from '#platform/db/statements.ts';
import type { Database, SystemTx, Tx } from '#platform/db/tx.ts';

/** A session with the address and the browser it was last used from. Times of a token have whole seconds. */
export type SessionUse = {
  jti: string;
  userId: string;
  authMethod: string;
  address: string;
  userAgent: string;
  openedAt: Date;
  usedAt: Date;
  expiresAt: Date;
};

const NOTE = 'select note_session($1, $2, $3, $4, $5, $6, $7, $8)';

/** Adds the session, or moves its last use forward. */
export async function noteOpened(tx: Tx, session: SessionUse): Promise<void> {
  await runStatement(tx, { name: 'identity_session_opened', text: NOTE, values: valuesOf(session) });
}

/** Like `noteOpened`, without a transaction. */
export async function noteUsed(db: Database, session: SessionUse): Promise<void> {
  await db.call({ name: 'identity_session_used', text: NOTE, values: valuesOf(session) });
}

/** Notes that the user of a recorded session proved themselves again. */
export async function markProven(tx: SystemTx, jti: string, at: Date): Promise<void> {
  await runStatement(tx, {
    name: 'identity_session_proven',
    text: 'update user_session set proven_at = $2 where jti = $1',
    values: [jti, at],
  });
}

export type SessionState = { lastUsedAt: Date | null; provenAt: Date | null; mfaEnabled: boolean };

/** Returns when a session was last used and confirmed, null each while it is not recorded. Undefined when its user is gone. */
export async function findSessionState(db: Database, jti: string, userId: string): Promise<SessionState | undefined> {
  const [row] = await db.call<'identity_session_state', SessionState>({
    name: 'identity_session_state',
    text: 'select last_used_at, proven_at, mfa_enabled from session_state($1, $2)',
    values: [jti, userId],
  });
  return row;
}

const valuesOf = ({ jti, userId, authMethod, address, userAgent, openedAt, usedAt, expiresAt }: SessionUse) =>
  [jti, userId, authMethod, address, userAgent, openedAt, usedAt, expiresAt] as const;

export type OpenSessionRow = {
  id: string;
  authMethod: string;
  address: string;
  userAgent: string;
  openedAt: Date;
  lastUsedAt: Date;
  expiresAt: Date;
};

/** Returns the sessions of a user that are still valid, the last used first, at most `limit`. */
export async function listOpenSessions(tx: Tx, userId: string, limit: number): Promise<OpenSessionRow[]> {
  return runStatement<'identity_open_sessions', OpenSessionRow>(tx, {
    name: 'identity_open_sessions',
    text: 'select id, auth_method, address, user_agent, opened_at, last_used_at, expires_at from open_sessions($1) limit $2',
    values: [userId, limit],
  });
}

/** Returns when the token of this open session of the user expires; undefined for any other. */
export async function findOpenSession(tx: Tx, userId: string, id: string): Promise<{ expiresAt: Date } | undefined> {
  const [row] = await runStatement<'identity_open_session', { expiresAt: Date }>(tx, {
    name: 'identity_open_session',
    text: 'select expires_at from open_sessions($1) where id = $2',
    values: [userId, id],
  });
  return row;
}

/** Ends the open sessions of a user except one. Returns how many. */
export async function endOtherSessions(tx: Tx, userId: string, keptJti: string): Promise<number> {
  const [row] = await runStatement<'identity_end_other_sessions', { ended: number }>(tx, {
    name: 'identity_end_other_sessions',
    text: 'select end_other_sessions($1, $2) as ended',
    values: [userId, keptJti],
  });
  return row?.ended ?? 0;
}

/** Deletes sessions whose token has expired. */
export async function deleteExpiredSessions(tx: Tx): Promise<void> {
  await runStatement(tx, { name: 'identity_delete_expired_sessions', text: 'delete from user_session where expires_at < now()' });
}
