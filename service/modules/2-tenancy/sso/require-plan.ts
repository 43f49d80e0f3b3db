import { refuse } from '#platform/refuse.ts';

/** Returns the agency's context; refuses `plan_feature_required` unless its plan includes single sign-on. */
export function requirePlan<Context extends { isAvailable: boolean }>(context: Context | undefined): Context {
  return context?.isAvailable ? context : refuse('plan_feature_required', { detail: 'Your plan does not include single sign-on.' });
}
