import type { Actor } from '#platform/actor.ts';
import type { Database } from '#platform/db/tx.ts';
import { listChangedInstances } from './store-views.ts';

/** More than change while a reader is away that resumes: one that was away for longer reads everything again. */
const LISTED_MAX = 200;

/** Ids of the agencies of the reader whose setup has changed since a time, for a stream that may have missed it: for staff of every agency. */
export function findChangedSetups(db: Database, actor: Actor, since: Date): Promise<string[]> {
  const partnerId = actor.role === 'ADMIN' ? null : actor.partnerId;
  return db.asSystem('provisioning', (tx) => listChangedInstances(tx, since, partnerId, LISTED_MAX));
}
