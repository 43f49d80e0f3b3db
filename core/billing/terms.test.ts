import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { effectiveTerms, type Overrides, type PlanTerms } from './terms.ts';

const features = { sso: false, chatbot: true, customTemplates: false, aiPlatformKeys: true, customDomain: false, auditRetentionDays: 365 };
const plan: PlanTerms = {
  monthlyPriceMinor: 29_900,
  currency: 'USD',
  seatPriceMinor: 1_500,
  includedSeats: 10,
  includedClients: 50,
  monthlyCredits: 10_000,
  features,
};

describe('the terms in force', () => {
  for (const [name, overrides, expected] of [
    ['are the plan without overrides', {}, plan],
    [
      'have overrides in place, 0 and false among them',
      { monthlyPriceMinor: 0, features: { chatbot: false } },
      { ...plan, monthlyPriceMinor: 0, features: { ...features, chatbot: false } },
    ],
    [
      'keep features that are not overridden',
      { features: { auditRetentionDays: 90 } },
      { ...plan, features: { ...features, auditRetentionDays: 90 } },
    ],
    ['take no override that is undefined', { includedSeats: undefined, features: { sso: undefined } }, plan],
  ] as const)
    it(name, () => assert.deepEqual(effectiveTerms(plan, overrides), expected));

  it('are each the override or the plan, whichever overrides there are', () => {
    const amount = fc.option(fc.nat(1_000_000), { nil: undefined });
    const flag = fc.option(fc.boolean(), { nil: undefined });
    const overridesOf: fc.Arbitrary<Overrides> = fc.record({
      monthlyPriceMinor: amount,
      seatPriceMinor: amount,
      includedSeats: amount,
      includedClients: amount,
      monthlyCredits: amount,
      features: fc.option(
        fc.record({
          sso: flag,
          chatbot: flag,
          customTemplates: flag,
          aiPlatformKeys: flag,
          customDomain: flag,
          auditRetentionDays: amount,
        }),
        { nil: undefined },
      ),
    });
    fc.assert(
      fc.property(overridesOf, (overrides) => {
        const { features: ownFeatures = {}, ...own } = overrides;
        const defined = (of: object) => Object.fromEntries(Object.entries(of).filter(([, value]) => value !== undefined));
        assert.deepEqual(effectiveTerms(plan, overrides), { ...plan, ...defined(own), features: { ...features, ...defined(ownFeatures) } });
        assert.deepEqual(effectiveTerms(effectiveTerms(plan, overrides), overrides), effectiveTerms(plan, overrides));
      }),
    );
  });
});
