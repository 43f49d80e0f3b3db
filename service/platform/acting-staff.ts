import { randomUUID } from 'node:crypto';
import type { Actor } from './actor.ts';
import { runStatement } from './db/statements.ts';
import type { SystemTx } from './db/tx.ts';

/** Somebody of the staff on whose word a job goes on after they have left the keyboard. */
export type ActingStaff = { userId: string; email: string; partnerId: string };

const SESSION_MS = 3_600_000;

/** Whoever asked for the job, as long as they may still act. */
export async function findActingStaff(tx: SystemTx, userId: string): Promise<ActingStaff | undefined> {
  const [row] = await runStatement<'find_acting_staff', ActingStaff>(tx, {
    name: 'find_acting_staff',
    text: "select id as user_id, email, partner_id from app_user where id = $1 and role = 'ADMIN' and status = 'active'",
    values: [userId],
  });
  return row;
}

/** They are the acting user: each transaction asserts that they may still act, as it does for a session. */
export function actorOf(staff: ActingStaff, now: Date): Actor {
  return {
    kind: 'user',
    ...staff,
    role: 'ADMIN',
    partnerRole: null,
    clientId: null,
    authMethod: 'password',
    jti: randomUUID(),
    issuedAt: now,
    expiresAt: new Date(now.getTime() + SESSION_MS),
    readOnly: false,
    actingUserId: null,
  };
}
