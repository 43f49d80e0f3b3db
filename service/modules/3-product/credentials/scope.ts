import { allowsSourceMode, classifyProvider } from '@partner-portal/core/credential/credential.ts';
import { PROVIDER_RULES, type StoredProvider } from '@partner-portal/core/credential/provider-rules.ts';
import type { Actor } from '#platform/actor.ts';
import type { Database, Tx } from '#platform/db/tx.ts';
import { refuse } from '#platform/refuse.ts';
import { findClientRef } from '#modules/2-tenancy/clients/index.ts';
import { findPartnerRef } from '#modules/2-tenancy/partners/index.ts';
import type { Scope } from './store.ts';

/** Returns the provider of a path segment. Refuses an unknown one with 404, the capability flag with 422. */
export function requireStoredProvider(segment: string): StoredProvider {
  const found = classifyProvider(segment);
  if (found.kind === 'stored') return found.provider;
  if (found.kind === 'unknown') return refuse('not_found');
  return refuse('not_a_stored_credential', { detail: 'Code steps need no key: there is nothing to save, test or remove.' });
}

export function requireSourceMode(provider: StoredProvider, mode: 'platform' | 'byok'): void {
  if (allowsSourceMode(provider, mode)) return;
  refuse('source_mode_not_allowed', {
    detail: `${PROVIDER_RULES[provider].title} works with your own key only. Send sourceMode "byok" with the key.`,
  });
}

/** Returns the scope that a write concerns: a client's own; the partner's, or that of a client it can see (see `requireClient`). */
export function ownScope(actor: Actor, clientId: string | undefined): Scope {
  if (actor.role !== 'CLIENT') return { partnerId: actor.partnerId, clientId: clientId ?? null };
  if (clientId !== undefined && clientId !== actor.clientId) refuse('not_found');
  return { partnerId: actor.partnerId, clientId: actor.clientId };
}

/** Refuses `not_found` for a client that the caller cannot see: row-level security hides those of others. */
export async function requireClient(tx: Tx, scope: Scope): Promise<void> {
  if (scope.clientId === null) return;
  const client = await findClientRef(tx, scope.clientId);
  if (client?.partnerId !== scope.partnerId) refuse('not_found');
}

/**
 * Opens the transaction of a read: in the caller's own scope, or for staff in that of one partner (`partnerId`, else the client's, else the
 * platform's own). Refuses `not_found` for an unknown partner or client.
 */
export async function readInScope<T>(
  db: Database,
  actor: Actor,
  query: { clientId?: string | undefined; partnerId?: string | undefined },
  fn: (tx: Tx, scope: Scope) => Promise<T>,
): Promise<T> {
  if (actor.role !== 'ADMIN') {
    const scope = ownScope(actor, query.clientId);
    return db.asTenant(actor, async (tx) => {
      if (actor.role !== 'CLIENT') await requireClient(tx, scope);
      return fn(tx, scope);
    });
  }
  return db.asStaff(actor, async (tx) => fn(tx, await staffScope(tx, actor, query)));
}

async function staffScope(tx: Tx, actor: Actor, query: { clientId?: string | undefined; partnerId?: string | undefined }): Promise<Scope> {
  if (query.clientId !== undefined) {
    const client = await findClientRef(tx, query.clientId);
    if (!client || (query.partnerId !== undefined && query.partnerId !== client.partnerId)) return refuse('not_found');
    return { partnerId: client.partnerId, clientId: query.clientId };
  }
  if (query.partnerId === undefined) return { partnerId: actor.partnerId, clientId: null };
  if (!(await findPartnerRef(tx, query.partnerId))) refuse('not_found');
  return { partnerId: query.partnerId, clientId: null };
}
