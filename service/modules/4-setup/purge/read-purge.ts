import type { Actor } from '#platform/actor.ts';
import { inScope } from '#platform/db/scope.ts';
import type { Database } from '#platform/db/tx.ts';
import { refuse } from '#platform/refuse.ts';
import { findPurge, listPurgeSteps } from './store-views.ts';

/** Returns a purge with its steps. Staff see any, an agency those of its clients, without the problems, which are for staff. */
export async function readPurge(db: Database, actor: Actor, deletionRequestId: string) {
  return inScope(db, actor, undefined, async (tx) => {
    // One after the other: a step that ends in between is never behind its purge.
    const purge = await findPurge(tx, deletionRequestId);
    if (!purge) return refuse('not_found');
    const steps = await listPurgeSteps(tx, deletionRequestId);
    const isStaff = actor.role === 'ADMIN';
    return { ...purge, steps: isStaff ? steps : steps.map((step) => ({ ...step, problem: null })) };
  });
}
