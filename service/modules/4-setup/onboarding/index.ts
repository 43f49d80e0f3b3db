import type { OnboardingDeps } from './read-onboarding.ts';
import { onboardingHandlers } from './routes.ts';

export { type Checklist, readChecklist } from './read-onboarding.ts';

/** First steps of an agency, computed from its data, and a sample run without keys. */
export function onboarding(deps: OnboardingDeps) {
  return {
    routes: onboardingHandlers(deps),
  };
}
