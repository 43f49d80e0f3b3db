import { randomUUID } from 'node:crypto';
import type { Actor } from '#platform/actor.ts';
import type { ActingStaff } from './store.ts';

const SESSION_MS = 3_600_000;

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
