import type { Plan } from '../queries/plans.ts';
import { formatPrice, formatNumber, plural } from '../ui/text/format.ts';

/** Features that a plan opens. `customTemplates` is in the API and opens nothing: custom requests are open to every plan (PLAN-1). */
export type PlanFeature = Exclude<keyof Plan['features'], 'auditRetentionDays' | 'customTemplates'>;

export const PLAN_FEATURES: Readonly<Record<PlanFeature, string>> = {
  sso: 'Single sign-on',
  chatbot: 'Website chatbot',
  aiPlatformKeys: 'AI included',
  customDomain: 'Custom domain for the client portal',
};
export const FEATURE_NAMES = Object.keys(PLAN_FEATURES) as PlanFeature[]; // the keys of a record over PlanFeature

export function priceOf({ monthlyPriceMinor, currency }: Pick<Plan, 'monthlyPriceMinor' | 'currency'>): string {
  return formatPrice(monthlyPriceMinor, currency);
}

/** "10 clients, 3 seats, 2,000 credits". */
export function limitsOf(plan: Pick<Plan, 'includedClients' | 'includedSeats' | 'monthlyCredits'>): string {
  return `${plural(plan.includedClients, 'client')}, ${plural(plan.includedSeats, 'seat')}, ${formatNumber(plan.monthlyCredits)} credits`;
}
