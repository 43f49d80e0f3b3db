import assert from 'node:assert/strict';
import { test } from 'node:test';
import { planOverrides } from '@partner-portal/contract/records/plan.ts';
import { NO_OVERRIDES, hasOverrides, overrideValues, toChange, toOverrides, withFeature } from './overrides.ts';

const OWN = {
  monthlyPriceMinor: 24_950,
  seatPriceMinor: 1000,
  includedSeats: 12,
  includedClients: 80,
  monthlyCredits: 20_000,
  features: { sso: true, auditRetentionDays: 900 },
};

test('opening and saving overrides unchanged keeps them, and they are a valid body', () => {
  assert.deepEqual(toOverrides(overrideValues(OWN, 'USD'), 'USD'), OWN);
  assert.equal(planOverrides.safeParse(toOverrides(overrideValues(OWN, 'USD'), 'USD')).success, true);
  assert.equal(hasOverrides(overrideValues(OWN, 'USD')), true);
});

test('empty fields are no overrides', () => {
  assert.deepEqual(toOverrides(NO_OVERRIDES, 'USD'), {});
  assert.deepEqual(overrideValues({}, 'USD'), NO_OVERRIDES);
  assert.equal(hasOverrides(NO_OVERRIDES), false);
  const form = { ...NO_OVERRIDES, planId: 'p', slug: 'northwind' };
  assert.equal(hasOverrides(form), false, 'other fields of the same form are no overrides');
});

test('prices are typed in whole units, of a currency without decimals too', () => {
  assert.deepEqual(toOverrides({ ...NO_OVERRIDES, price: '249.50', seatPrice: '0' }, 'EUR'), {
    monthlyPriceMinor: 24_950,
    seatPriceMinor: 0,
  });
  assert.deepEqual(toOverrides({ ...NO_OVERRIDES, price: '1200' }, 'JPY'), { monthlyPriceMinor: 1200 });
});

test('a preview has the same overrides, without numbers that are not valid yet', () => {
  assert.deepEqual(
    toChange(
      'p',
      { ...NO_OVERRIDES, price: '10', seats: '-', credits: '-4', clients: '5', retention: '30', features: { sso: false } },
      'USD',
    ),
    {
      planId: 'p',
      monthlyPriceMinor: 1000,
      includedClients: 5,
      auditRetentionDays: 30,
      sso: 'false',
    },
  );
});

test('a feature reset to the plan is no longer an override', () => {
  const plan = {
    features: { sso: false, chatbot: true, customTemplates: false, aiPlatformKeys: true, customDomain: false, auditRetentionDays: 365 },
  };
  assert.deepEqual(withFeature({}, 'chatbot', false, plan), { chatbot: false });
  assert.deepEqual(withFeature({ chatbot: false }, 'chatbot', true, plan), {});
});
