import { randomUUID } from 'node:crypto';
import type { Actor } from '#platform/actor.ts';
import { runStatement } from '#platform/db/statements.ts';
import type { SystemTx } from '#platform/db/tx.ts';

/** Staff user on whose behalf a background job runs. */
export type ActingStaff = { userId: string; email: string; partnerId: string };

const SESSION_MS = 3_600_000;

/** Returns the user who requested a job, or undefined once they are no longer active staff. */
export async function findActingStaff(tx: SystemTx, userId: string): Promise<ActingStaff | undefined> {
  const [row] = await runStatement<'find_acting_staff', ActingStaff>(tx, {
    name: 'find_acting_staff',
    text: "select id as user_id, email, partner_id from app_user where id = $1 and role = 'ADMIN' and status = 'active'",
    values: [userId],
  });
  return row;
}

/** Returns the staff user as an actor. Each transaction asserts, as for a session, that they may still act. */
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
    whileSuspended: false,
  };
}
