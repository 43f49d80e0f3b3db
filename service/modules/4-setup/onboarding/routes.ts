import { defineHandlers } from '#platform/http/context.ts';
import { dismissStep } from './dismiss.ts';
import { listPartnerOnboarding, type OnboardingDeps, readOnboarding } from './read-onboarding.ts';
import { startSample } from './start-sample.ts';

export function onboardingHandlers(deps: OnboardingDeps) {
  return defineHandlers({
    getOnboarding: (_input, context) => readOnboarding(deps, context),
    dismissOnboarding: ({ params }, context) => dismissStep(deps, context, params.step, true),
    restoreOnboarding: ({ params }, context) => dismissStep(deps, context, params.step, false),
    startSampleRun: (_input, context) => startSample(deps, context),
    listPartnerOnboarding: ({ query }, { actor }) => listPartnerOnboarding(deps, actor, query.ids),
  });
}
