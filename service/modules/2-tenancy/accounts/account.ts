import type { AccountKey, AccountState } from '@partner-portal/core/account/account.ts';
import type { Actor } from '#platform/actor.ts';
import type { Database, SystemTx, Tx } from '#platform/db/tx.ts';
import { refuse } from '#platform/refuse.ts';
import { lockClient } from '#modules/2-tenancy/clients/index.ts';
import { lockPartner } from '#modules/2-tenancy/partners/index.ts';

export type Account = AccountKey & AccountState & { name: string; partnerName: string };

/** The transaction of a decision; `system` only for staff, who alone decide about agencies. */
export type DecisionTx = { tx: Tx; system: SystemTx | null };

export function inDecision<T>(db: Database, actor: Actor, fn: (scoped: DecisionTx) => Promise<T>): Promise<T> {
  if (actor.role === 'ADMIN') return db.asStaff(actor, (tx) => fn({ tx, system: tx }));
  return db.asTenant(actor, (tx) => fn({ tx, system: null }));
}

/** Locks the account until the commit. Take the lock of its request first. Refuses `invalid_state` when it is gone. */
export async function lockAccount(tx: Tx, key: AccountKey): Promise<Account> {
  const { scope, partnerId, clientId } = key;
  const row = clientId === null ? await lockPartner(tx, partnerId) : await lockClient(tx, clientId);
  if (!row) return refuse('invalid_state', { detail: 'This account is already deleted.' });
  const { name, status, suspensionCause } = row;
  const state = { status, suspensionCause } as AccountState; // the columns' checks
  return { scope, partnerId, clientId, name, partnerName: 'partnerName' in row ? row.partnerName : name, ...state };
}
