import { sampleInput } from '@partner-portal/core/template/input.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { refuse } from '#platform/refuse.ts';
import { type OnboardingDeps, sampleBundle } from './read-onboarding.ts';
import { findSampleAgent } from './store.ts';

/** Starts a `test` run of the agent that needs no key, with the sample of its template. */
export async function startSample(deps: OnboardingDeps, context: RequestContext) {
  const { actor, now } = context;
  const bundle = sampleBundle(deps.bundles);
  if (!bundle) return refuse('not_found');
  const agent = await deps.db.asTenant(actor, (tx) => findSampleAgent(tx, actor.partnerId, bundle.template.name));
  if (!agent) return refuse('invalid_state', { detail: `${bundle.template.title} is not installed yet.` });
  return deps.startTest(context, agent.id, sampleInput(bundle.sample.input, now));
}
