import { defineHandlers } from '#platform/http/context.ts';
import { refuse } from '#platform/refuse.ts';
import { verifyDomain } from './check-domain.ts';
import type { DomainsDeps } from './deps.ts';
import { domainAnswer } from './domain-answer.ts';
import { removeDomain, saveDomain } from './save-domain.ts';

export function domainHandlers(deps: DomainsDeps) {
  return defineHandlers({
    getMyDomain: (_input, { actor }) => deps.db.asTenant(actor, (tx) => domainAnswer(tx, deps.settings, actor.partnerId)),
    putMyDomain: ({ body }, context) => saveDomain(deps, context, body),
    verifyMyDomain: (_input, context) => verifyDomain(deps, context),
    deleteMyDomain: async (_input, context) => void (await removeDomain(deps, context)),
    // The same look-up for every name, without a query: nothing to learn but what opening the host shows.
    askDomain: async ({ query }) => ((await deps.served.find(query.domain)) ? { served: true as const } : refuse('not_found')),
  });
}
