import { defineHandlers } from '#platform/http/context.ts';
import type { TermsDeps } from './deps.ts';
import { previewChange } from './preview-change.ts';
import { readBilling } from './read-billing.ts';
import { updateSubscription } from './update-subscription.ts';

export function termsHandlers(deps: TermsDeps) {
  return defineHandlers({
    getBilling: ({ query }, context) => readBilling(deps, context, query.partnerId),
    previewPlanChange: ({ query }, context) => previewChange(deps, context, query),
    updateSubscription: ({ params, body }, context) => updateSubscription(deps, context, params.partnerId, body),
  });
}
