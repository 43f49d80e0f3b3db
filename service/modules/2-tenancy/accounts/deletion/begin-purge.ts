import { type AccountKey, isPurgeDue } from '@partner-portal/core/account/account.ts';
import type { SystemTx } from '#platform/db/tx.ts';
import { lockAccount } from '../account.ts';
import { hasPendingReactivation, insertPurge, lockDeletion } from './store-deletions.ts';

export type BegunPurge = AccountKey & { requestId: string };

/**
 * Marks the purge of a request as begun: from this commit on a reactivation is refused. Undefined when it is not due, waits for the decision
 * about a reactivation, was cancelled by one, or has begun already. Request and account are locked in the order of a reactivation, so only one of both wins.
 */
export async function beginPurge(tx: SystemTx, requestId: string, now: Date): Promise<BegunPurge | undefined> {
  const request = await lockDeletion(tx, requestId);
  if (request?.status !== 'approved') return undefined;
  const account = await lockAccount(tx, request);
  // Read with the account locked, as it is while a reactivation is requested.
  const isReactivationPending = await hasPendingReactivation(tx, request);
  if (!isPurgeDue(request, { ...account, isReactivationPending }, now)) return undefined;
  const { scope, partnerId, clientId } = request;
  const began = await insertPurge(tx, { requestId, partnerId, clientId }, now);
  return began ? { requestId, scope, partnerId, clientId } : undefined;
}
