import type { Actor } from '#platform/actor.ts';
import type { CredentialsDeps } from './deps.ts';
import { needsForSql } from './requirements/needs.ts';
import { readInScope } from './scope.ts';
import { listSummaries } from './store-views.ts';
import { type CredentialSummary, toSummary } from './requirements/summary.ts';

/** Lists summaries of the credentials in scope; for a client also those it inherits from its partner. */
export async function listCredentials(
  deps: Pick<CredentialsDeps, 'db' | 'platformKeys'>,
  actor: Actor,
  query: { clientId?: string | undefined; partnerId?: string | undefined },
): Promise<CredentialSummary[]> {
  const rows = await readInScope(deps.db, actor, query, (tx, scope) => listSummaries(tx, scope, needsForSql()));
  return rows.map((row) => toSummary(deps.platformKeys, row));
}
