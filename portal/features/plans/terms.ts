import { PRESET_CURRENCY } from '@partner-portal/contract/vocabulary.ts';
import type { PlanFeature } from '../../shared/plan-labels.ts';
import type { StaffPlan } from '../../queries/plans.ts';
import { minorOf, typedAmount } from '../../shared/money-input.ts';

/** Form values of a plan: numbers as typed, prices in whole units ("99.50"). */
export type Terms = {
  name: string;
  description: string;
  price: string;
  currency: string;
  seats: string;
  clients: string;
  credits: string;
  seatPrice: string;
  packs: readonly Pack[];
  features: Record<PlanFeature, boolean>;
  /** Opens nothing and has no field; kept as it is. */
  customTemplates: boolean;
  auditRetentionDays: string;
  isPublic: boolean;
  isTrial: boolean;
  trialDays: string;
};
export type Pack = { id: string; credits: string; price: string };

const NEW: Terms = {
  name: '',
  description: '',
  price: '',
  currency: PRESET_CURRENCY,
  seats: '3',
  clients: '10',
  credits: '2000',
  seatPrice: '',
  packs: [],
  features: { sso: false, chatbot: true, aiPlatformKeys: true, customDomain: false },
  customTemplates: false,
  auditRetentionDays: '365',
  isPublic: true,
  isTrial: false,
  trialDays: '14',
};

export function termsOf(plan: StaffPlan | undefined): Terms {
  if (!plan) return NEW;
  const { sso, chatbot, customTemplates, aiPlatformKeys, customDomain, auditRetentionDays } = plan.features;
  return {
    name: plan.name,
    description: plan.description,
    price: typedAmount(plan.monthlyPriceMinor, plan.currency),
    currency: plan.currency,
    seats: String(plan.includedSeats),
    clients: String(plan.includedClients),
    credits: String(plan.monthlyCredits),
    seatPrice: typedAmount(plan.seatPriceMinor, plan.currency),
    packs: plan.creditPacks.map((pack) => ({
      id: pack.id,
      credits: String(pack.credits),
      price: typedAmount(pack.priceMinor, plan.currency),
    })),
    features: { sso, chatbot, aiPlatformKeys, customDomain },
    customTemplates,
    auditRetentionDays: String(auditRetentionDays),
    isPublic: plan.isPublic,
    isTrial: plan.isTrial,
    trialDays: plan.trialDays === null ? '' : String(plan.trialDays),
  };
}

/** Returns the request body for a new or changed plan. */
export function toTerms(terms: Terms) {
  const currency = terms.currency.trim().toUpperCase();
  return {
    name: terms.name.trim(),
    description: terms.description.trim(),
    monthlyPriceMinor: minorOf(terms.price, currency),
    currency,
    includedSeats: Number(terms.seats),
    includedClients: Number(terms.clients),
    monthlyCredits: Number(terms.credits),
    seatPriceMinor: minorOf(terms.seatPrice, currency),
    creditPacks: idsOf(terms.packs).map(([id, pack]) => ({
      id,
      credits: Number(pack.credits),
      priceMinor: minorOf(pack.price, currency),
    })),
    features: { ...terms.features, customTemplates: terms.customTemplates, auditRetentionDays: Number(terms.auditRetentionDays) },
    isPublic: terms.isPublic,
    isTrial: terms.isTrial,
    trialDays: terms.isTrial ? Number(terms.trialDays) : null,
  };
}

/** Packs with an id each, by which they are bought: a saved one keeps its own, also with other credits; a new one gets one that is free. */
function idsOf(packs: readonly Pack[]): [id: string, pack: Pack][] {
  const taken = new Set(packs.map(({ id }) => id));
  return packs.map((pack, at) => {
    if (pack.id && packs.findIndex(({ id }) => id === pack.id) === at) return [pack.id, pack];
    const name = `pack-${pack.credits.trim()}`;
    let id = name;
    for (let n = 2; taken.has(id); n += 1) id = `${name}-${n}`;
    taken.add(id);
    return [id, pack];
  });
}
