export type PlanFeatures = {
  sso: boolean;
  chatbot: boolean;
  customTemplates: boolean;
  aiPlatformKeys: boolean;
  customDomain: boolean;
  auditRetentionDays: number;
};

/** Terms of a plan, as stored. Prices in minor units of `currency`. */
export type PlanTerms = {
  monthlyPriceMinor: number;
  currency: string;
  seatPriceMinor: number;
  includedSeats: number;
  includedClients: number;
  monthlyCredits: number;
  features: Readonly<PlanFeatures>;
};

/** A partner's exceptions from its plan. */
export type Overrides = {
  monthlyPriceMinor?: number | undefined;
  seatPriceMinor?: number | undefined;
  includedSeats?: number | undefined;
  includedClients?: number | undefined;
  monthlyCredits?: number | undefined;
  features?: { readonly [Name in keyof PlanFeatures]?: PlanFeatures[Name] | undefined } | undefined;
};

/** Returns the plan with the overrides in place of its terms. The currency is always the plan's. */
export function effectiveTerms(plan: PlanTerms, overrides: Overrides): PlanTerms {
  const { sso, chatbot, customTemplates, aiPlatformKeys, customDomain, auditRetentionDays } = overrides.features ?? {};
  return {
    monthlyPriceMinor: overrides.monthlyPriceMinor ?? plan.monthlyPriceMinor,
    currency: plan.currency,
    seatPriceMinor: overrides.seatPriceMinor ?? plan.seatPriceMinor,
    includedSeats: overrides.includedSeats ?? plan.includedSeats,
    includedClients: overrides.includedClients ?? plan.includedClients,
    monthlyCredits: overrides.monthlyCredits ?? plan.monthlyCredits,
    features: {
      sso: sso ?? plan.features.sso,
      chatbot: chatbot ?? plan.features.chatbot,
      customTemplates: customTemplates ?? plan.features.customTemplates,
      aiPlatformKeys: aiPlatformKeys ?? plan.features.aiPlatformKeys,
      customDomain: customDomain ?? plan.features.customDomain,
      auditRetentionDays: auditRetentionDays ?? plan.features.auditRetentionDays,
    },
  };
}
