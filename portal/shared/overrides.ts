import type { Subscription, TermsChange } from '../queries/billing.ts';
import type { StaffPlan } from '../queries/plans.ts';
import { minorOf, typedAmount } from './money-input.ts';
import { FEATURE_NAMES, type PlanFeature } from './plan-labels.ts';

/** Overrides of a plan as typed: numbers in text, prices in whole units. An empty field means the plan's value. */
export type OverrideValues = {
  price: string;
  seatPrice: string;
  seats: string;
  clients: string;
  credits: string;
  retention: string;
  /** Features that differ from the plan's. */
  features: Partial<Record<PlanFeature, boolean>>;
};
type Overrides = Subscription['overrides'];

export const NO_OVERRIDES: OverrideValues = { price: '', seatPrice: '', seats: '', clients: '', credits: '', retention: '', features: {} };

/** Form field of each field of the API. */
export const OVERRIDE_FIELDS = {
  monthlyPriceMinor: 'price',
  seatPriceMinor: 'seatPrice',
  includedSeats: 'seats',
  includedClients: 'clients',
  monthlyCredits: 'credits',
  auditRetentionDays: 'retention',
} as const;

export function overrideValues(overrides: Overrides, currency: string): OverrideValues {
  const text = (count: number | undefined): string => (count === undefined ? '' : String(count));
  const price = (minor: number | undefined): string => (minor === undefined ? '' : typedAmount(minor, currency));
  const { features = {} } = overrides;
  return {
    price: price(overrides.monthlyPriceMinor),
    seatPrice: price(overrides.seatPriceMinor),
    seats: text(overrides.includedSeats),
    clients: text(overrides.includedClients),
    credits: text(overrides.monthlyCredits),
    retention: text(features.auditRetentionDays),
    features: Object.fromEntries(FEATURE_NAMES.flatMap((name) => (features[name] === undefined ? [] : [[name, features[name]]]))),
  };
}

/** Returns the overrides for the API; only what differs from the plan. */
export function toOverrides(values: OverrideValues, currency: string): Overrides {
  const features = {
    ...values.features,
    ...(values.retention.trim() ? { auditRetentionDays: Number(values.retention) } : {}),
  };
  return { ...numbersOf(values, currency), ...(Object.keys(features).length > 0 ? { features } : {}) };
}

/** Returns the query of a preview of the change; of the overrides alone without a plan. Numbers that are not valid yet count as absent. */
export function toChange(planId: string | undefined, values: OverrideValues, currency: string): TermsChange {
  const { features = {}, ...numbers } = toOverrides(values, currency);
  const { auditRetentionDays, ...flags } = features;
  const typed = { ...numbers, auditRetentionDays };
  const valid = Object.entries(typed).filter(([, value]) => value !== undefined && Number.isInteger(value) && value >= 0);
  return { planId, ...Object.fromEntries(valid), ...Object.fromEntries(Object.entries(flags).map(([name, on]) => [name, String(on)])) };
}

export function hasOverrides(values: OverrideValues): boolean {
  const texts = [values.price, values.seatPrice, values.seats, values.clients, values.credits, values.retention];
  return Object.keys(values.features).length > 0 || texts.some((text) => text.trim() !== '');
}

/** Sets a feature; a value equal to the plan's is no override. */
export function withFeature(
  features: OverrideValues['features'],
  name: PlanFeature,
  on: boolean,
  plan: Pick<StaffPlan, 'features'> | undefined,
): OverrideValues['features'] {
  const { [name]: _before, ...others } = features;
  return plan?.features[name] === on ? others : { ...others, [name]: on };
}

function numbersOf(values: OverrideValues, currency: string) {
  return {
    ...(values.price.trim() ? { monthlyPriceMinor: minorOf(values.price, currency) } : {}),
    ...(values.seatPrice.trim() ? { seatPriceMinor: minorOf(values.seatPrice, currency) } : {}),
    ...(values.seats.trim() ? { includedSeats: Number(values.seats) } : {}),
    ...(values.clients.trim() ? { includedClients: Number(values.clients) } : {}),
    ...(values.credits.trim() ? { monthlyCredits: Number(values.credits) } : {}),
  };
}
