import { type EventType, LIMITS } from '@partner-portal/contract/vocabulary.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { newId } from '#platform/ids.ts';
import { refuse } from '#platform/refuse.ts';
import { auditEndpoint } from './audit-endpoint.ts';
import type { ManageDeps } from '../deps.ts';
import { requireUrl } from './require-url.ts';
import { chosenEvents } from './chosen-events.ts';
import { newSigningSecret } from './secret-seal.ts';
import { countEndpointsLocked, insertEndpoint } from './store-endpoints.ts';

type Deps = Pick<ManageDeps, 'db' | 'outbound' | 'seal'>;

/**
 * Registers an endpoint and returns its signing secret, this once. It is sent the event types chosen, or all of them. The same URL can be registered twice, so that a secret can be replaced
 * without a gap. Refuses `webhook_limit_reached`, also for concurrent registrations.
 */
export async function registerEndpoint(
  deps: Deps,
  caller: RequestContext,
  { url, events = [] }: { url: string; events?: readonly EventType[] | undefined },
) {
  const { actor } = caller;
  await requireUrl(deps.outbound, url);
  const secret = newSigningSecret();
  const { partnerId } = actor;
  const row = await deps.db.asTenant(actor, async (tx) => {
    const used = await countEndpointsLocked(tx, partnerId);
    const limit = LIMITS.webhookEndpointsMax;
    if (used >= limit)
      return refuse('webhook_limit_reached', { detail: `Your agency has ${used} of ${limit} endpoints. Remove one first.`, limit, used });
    const id = newId();
    const endpoint = await insertEndpoint(tx, {
      id,
      partnerId,
      url,
      events: chosenEvents(events),
      ...(await deps.seal.seal(tx, { id, partnerId }, secret)),
      createdBy: actor.userId,
    });
    await auditEndpoint(tx, caller, endpoint, 'webhook.created', {
      url: [null, url],
      secret: ['changed', 'changed'],
      ...(endpoint.events.length > 0 && { events: [[], endpoint.events] }),
    });
    return endpoint;
  });
  return { id: row.id, url: row.url, isActive: row.isActive, secret, createdAt: row.createdAt };
}
