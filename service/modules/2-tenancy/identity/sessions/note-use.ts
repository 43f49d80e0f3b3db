import { LRUCache } from 'lru-cache';
import type { Actor } from '#platform/actor.ts';
import type { Database } from '#platform/db/tx.ts';
import { noteUsed } from './store-sessions.ts';

const NOTED_EVERY_MS = 5 * 60_000;
/** Sessions whose last note this process remembers; of one that was forgotten the next request is noted again. */
const REMEMBERED_MAX = 20_000;

/** What a request says of its session. */
type Use = { address: string; userAgent: string; now: Date };

/**
 * Returns what notes that a session was used: at most every few minutes for each, so a page of requests costs one statement. A view-as session is
 * not noted; it is part of the one it was opened from. One whose note failed is noted again by its next request.
 */
export function createSessionNotes(db: Database): (actor: Actor, use: Use) => Promise<void> {
  const noted = new LRUCache<string, number>({ max: REMEMBERED_MAX });
  return async (actor, { address, userAgent, now }) => {
    if (actor.readOnly) return;
    const { jti, userId, authMethod, issuedAt: openedAt, expiresAt } = actor;
    // Opening a session notes it as well.
    if (now.getTime() - (noted.get(jti) ?? openedAt.getTime()) < NOTED_EVERY_MS) return;
    noted.set(jti, now.getTime());
    try {
      await noteUsed(db, { jti, userId, authMethod, address, userAgent, openedAt, usedAt: now, expiresAt });
    } catch (error) {
      noted.delete(jti);
      throw error;
    }
  };
}
