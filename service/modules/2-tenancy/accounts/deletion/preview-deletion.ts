import type { AccountScope } from '@partner-portal/contract/vocabulary.ts';
import { purgeAfter } from '@partner-portal/core/account/account.ts';
import { inScope } from '#platform/db/scope.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { refuse } from '#platform/refuse.ts';
import type { AccountsDeps } from '../deps.ts';
import { countAccount } from './store-preview.ts';

type Query = { scope?: AccountScope | undefined; clientId?: string | undefined; partnerId?: string | undefined };

/** Returns what a deletion would stop and remove, counted now. */
export async function previewDeletion({ db, deletionDays }: AccountsDeps, { actor, now }: RequestContext, query: Query) {
  const scope = query.scope ?? (query.clientId === undefined && actor.clientId === null ? 'partner' : 'client');
  if (actor.clientId !== null && (scope === 'partner' || (query.clientId ?? actor.clientId) !== actor.clientId)) return refuse('not_found');
  const clientId = scope === 'client' ? (query.clientId ?? actor.clientId) : null;
  if (scope === 'client' && clientId === null) return refuse('invalid_query', { detail: 'Name the client: clientId is missing.' });
  return inScope(db, actor, query.partnerId, async (tx, partnerId) => {
    if (partnerId === null && clientId === null) return refuse('invalid_query', { detail: 'Specify the agency: partnerId is missing.' });
    const counted = await countAccount(tx, { partnerId, clientId });
    return counted ? { ...counted, scope, clientId, purgeAfter: purgeAfter(now, deletionDays) } : refuse('not_found');
  });
}
