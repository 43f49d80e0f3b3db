/** What a plan gives, as stored. Prices in minor units of `currency`. */
export type PlanTerms = {
  monthlyPriceMinor: number;
  currency: string;
  seatPriceMinor: number;
  includedSeats: number;
  includedClients: number;
  monthlyCredits: number;
  features: Readonly<Record<string, boolean | number>>;
};

/** A partner's exceptions from its plan. */
export type Overrides = {
  monthlyPriceMinor?: number | undefined;
  seatPriceMinor?: number | undefined;
  includedSeats?: number | undefined;
  includedClients?: number | undefined;
  monthlyCredits?: number | undefined;
  features?: Readonly<Record<string, boolean | number | undefined>> | undefined;
};

/** Returns the plan with the overrides in place of its terms. The currency is always the plan's. */
export function effectiveTerms(plan: PlanTerms, overrides: Overrides): PlanTerms {
  const features: Record<string, boolean | number> = { ...plan.features };
  for (const [name, value] of Object.entries(overrides.features ?? {})) if (value !== undefined) features[name] = value;
  return {
    monthlyPriceMinor: overrides.monthlyPriceMinor ?? plan.monthlyPriceMinor,
    currency: plan.currency,
    seatPriceMinor: overrides.seatPriceMinor ?? plan.seatPriceMinor,
    includedSeats: overrides.includedSeats ?? plan.includedSeats,
    includedClients: overrides.includedClients ?? plan.includedClients,
    monthlyCredits: overrides.monthlyCredits ?? plan.monthlyCredits,
    features,
  };
}
