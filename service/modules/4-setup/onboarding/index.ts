import { defineHandlers } from '#platform/http/context.ts';
import { dismissStep } from './dismiss.ts';
import { listPartnerOnboarding, type OnboardingDeps, readOnboarding } from './read-onboarding.ts';
import { startSample } from './start-sample.ts';

export { type Checklist, readChecklist } from './read-onboarding.ts';

/** First steps of an agency, computed from its data, and a sample run without keys. */
export function onboarding(deps: OnboardingDeps) {
  return {
    routes: defineHandlers({
      getOnboarding: (_input, context) => readOnboarding(deps, context),
      dismissOnboarding: ({ params }, context) => dismissStep(deps, context, params.step, true),
      restoreOnboarding: ({ params }, context) => dismissStep(deps, context, params.step, false),
      startSampleRun: (_input, context) => startSample(deps, context),
      listPartnerOnboarding: ({ query }, { actor }) => listPartnerOnboarding(deps, actor, query.ids),
    }),
  };
}
