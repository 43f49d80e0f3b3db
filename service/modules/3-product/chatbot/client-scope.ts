import { findClientRef, type ClientRef } from '#modules/2-tenancy/clients/index.ts';
import type { Actor } from '#platform/actor.ts';
import { inScope } from '#platform/db/scope.ts';
import type { Database, Tx } from '#platform/db/tx.ts';
import { AppError, refuse } from '#platform/refuse.ts';
import { requireChatbotFeature } from './require-feature.ts';

/**
 * Runs one transaction for the chatbot of a client: the caller's own, or the named one. Refuses `not_found` for a client of others, and
 * `plan_feature_required`. `missing`: the code for a caller who names none.
 */
export function withClient<T>(
  db: Database,
  actor: Actor,
  named: string | undefined,
  missing: 'invalid_query' | 'validation_failed',
  work: (tx: Tx, client: ClientRef) => Promise<T>,
): Promise<T> {
  if (actor.clientId !== null && named !== undefined && named !== actor.clientId) return refuse('not_found');
  const clientId = actor.clientId ?? named;
  if (clientId === undefined) {
    const message = 'Name the client whose chatbot you mean, by clientId.';
    throw new AppError(missing, { detail: message, errors: [{ field: 'clientId', code: 'required', message }] });
  }
  return inScope(db, actor, undefined, async (tx) => {
    const client = await findClientRef(tx, clientId);
    if (!client) return refuse('not_found');
    await requireChatbotFeature(tx, client.partnerId);
    return work(tx, client);
  });
}
