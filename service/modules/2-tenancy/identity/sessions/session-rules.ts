import { answersBeforeMfa, type RouteShape } from '@partner-portal/contract/define-route.ts';
import { LIMITS, type Role } from '@partner-portal/contract/vocabulary.ts';
import { LRUCache } from 'lru-cache';
import type { Actor } from '#platform/actor.ts';
import type { Database } from '#platform/db/tx.ts';
import { refuse } from '#platform/refuse.ts';
import { revokeSession } from '../store.ts';
import { findSessionState, noteUsed, type SessionState } from '../store-sessions.ts';

export type SessionRuleOptions = {
  /** Seconds without use after which a session of the role ends; null for never. */
  idleSeconds: Readonly<Record<Role, number | null>>;
  /** Whether staff may only set up their second step until they have one. */
  staffMfaRequired: boolean;
};
/** The data of a request that concerns its session. */
type Use = { address: string; userAgent: string; now: Date };

const NOTED_EVERY_MS = 5 * 60_000;
/** Sessions whose last use this process remembers; that of one it has forgotten is read. */
const REMEMBERED_MAX = 20_000;
const RECENT_MS = LIMITS.recentLoginMinutes * 60_000;

/**
 * Rules about a session besides its token and `assert_session`. A view-as session is part of the one it was opened from, so no rule here is about it.
 * A request costs a query only when a rule needs what this process does not know.
 */
export function createSessionRules(db: Database, { idleSeconds, staffMfaRequired }: SessionRuleOptions) {
  /** Time of the last use that is stored, and of the last use that this process saw. */
  const noted = new LRUCache<string, number>({ max: REMEMBERED_MAX });
  const used = new LRUCache<string, number>({ max: REMEMBERED_MAX });

  const requireInUse = async (actor: Actor, now: Date): Promise<void> => {
    const seconds = actor.readOnly ? null : idleSeconds[actor.role];
    if (seconds === null) return;
    const { jti, userId, issuedAt } = actor;
    const isIdle = (lastUse: number): boolean => now.getTime() - lastUse > seconds * 1000;
    if (!isIdle(used.get(jti) ?? issuedAt.getTime())) return;
    // Another process may have seen it since.
    const lastUse = (await findSessionState(db, jti, userId))?.lastUsedAt?.getTime() ?? 0;
    if (!isIdle(lastUse)) return void used.set(jti, lastUse);
    await db.asSystem('login', (tx) => revokeSession(tx, jti, actor.expiresAt));
    refuse('session_idle', { detail: `This session was not used for ${describe(seconds)}, so it has ended. Log in again.` });
  };

  return {
    requireInUse,
    /** Refuses `session_idle`, `mfa_setup_required` or `reauthentication_required`. */
    async requireUsable(actor: Actor, route: RouteShape, now: Date): Promise<void> {
      await requireInUse(actor, now);
      if (actor.readOnly) return;
      let state: Promise<SessionState | undefined> | undefined;
      const read = (): Promise<SessionState | undefined> => (state ??= findSessionState(db, actor.jti, actor.userId));
      if (staffMfaRequired && actor.role === 'ADMIN' && !answersBeforeMfa(route) && (await read())?.mfaEnabled === false)
        refuse('mfa_setup_required', { detail: 'Staff need two-step login here. Set it up under Security, then go on.' });
      if (!route.needsRecentLogin) return;
      if (!isRecent(actor.issuedAt, now) && !isRecent((await read())?.provenAt, now)) refuseOldLogin(actor);
    },
    /** Returns what refuses `reauthentication_required` for an old login. */
    async checkLogin(actor: Actor, now: Date): Promise<() => void> {
      const recent = isRecent(actor.issuedAt, now) || isRecent((await findSessionState(db, actor.jti, actor.userId))?.provenAt, now);
      return () => {
        if (!recent) refuseOldLogin(actor);
      };
    },
    /**
     * Records that a session was used, at most once every few minutes, so that a page of requests costs one statement. Failed writes are
     * retried on the session's next request.
     */
    async noteUse(actor: Actor, { address, userAgent, now }: Use): Promise<void> {
      if (actor.readOnly) return;
      const { jti, userId, authMethod, issuedAt: openedAt, expiresAt } = actor;
      used.set(jti, now.getTime());
      // Opening a session notes it as well.
      if (now.getTime() - (noted.get(jti) ?? openedAt.getTime()) < NOTED_EVERY_MS) return;
      noted.set(jti, now.getTime());
      try {
        await noteUsed(db, { jti, userId, authMethod, address, userAgent, openedAt, usedAt: now, expiresAt });
      } catch (error) {
        noted.delete(jti);
        throw error;
      }
    },
  };
}

function isRecent(at: Date | null | undefined, now: Date): boolean {
  return at instanceof Date && now.getTime() - at.getTime() <= RECENT_MS;
}

function refuseOldLogin({ authMethod }: Actor): never {
  const how =
    authMethod === 'saml' || authMethod === 'oidc'
      ? 'Log in through your identity provider again, then repeat the call.'
      : 'Send the password to POST /auth/reauthenticate or log in again, then repeat the call.';
  return refuse('reauthentication_required', { detail: `This needs a login of the last ${LIMITS.recentLoginMinutes} minutes. ${how}` });
}

function describe(seconds: number): string {
  const [count, unit] = seconds % 3600 === 0 ? [seconds / 3600, 'hour'] : [Math.round(seconds / 60), 'minute'];
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
