import assert from 'node:assert/strict';
import { test } from 'node:test';
import { planRoutes } from '@partner-portal/contract/routes/plans.ts';
import type { StaffPlan } from '../../queries/plans.ts';
import { termsOf, toTerms } from './terms.ts';

const GROWTH: StaffPlan = {
  id: '0199a3b2-1111-7222-8333-444455556666',
  name: 'Growth',
  description: 'For an agency that lives on it.',
  monthlyPriceMinor: 29_950,
  currency: 'USD',
  includedSeats: 10,
  includedClients: 50,
  monthlyCredits: 10_000,
  seatPriceMinor: 1500,
  creditPacks: [{ id: 'pack-1000', credits: 1000, priceMinor: 2900 }],
  features: { sso: true, chatbot: true, customTemplates: false, aiPlatformKeys: true, customDomain: false, auditRetentionDays: 730 },
  isPublic: true,
  isTrial: false,
  trialDays: null,
  isActive: true,
  updatedAt: '2026-05-04T10:00:00.000Z',
  subscriptions: 4,
};

test('opening and saving a plan unchanged keeps its terms', () => {
  const { id: _id, isActive: _active, updatedAt: _at, subscriptions: _count, ...terms } = GROWTH;
  assert.deepEqual(toTerms(termsOf(GROWTH)), terms);
  const flagged = { ...GROWTH, features: { ...GROWTH.features, customTemplates: true } };
  assert.equal(toTerms(termsOf(flagged)).features.customTemplates, true);
});

test('converts prices from whole units to the smallest unit of the currency', () => {
  const terms = termsOf(undefined);
  assert.equal(toTerms({ ...terms, price: '99.50' }).monthlyPriceMinor, 9950);
  assert.equal(toTerms({ ...terms, price: '19.99' }).monthlyPriceMinor, 1999);
  assert.equal(toTerms({ ...terms, currency: 'jpy', price: '1200' }).monthlyPriceMinor, 1200);
  assert.equal(termsOf({ ...GROWTH, currency: 'JPY' }).price, '29950');
});

test('the defaults of a new plan are valid once it has a name', () => {
  const { body } = planRoutes.createPlan;
  assert.equal(body.safeParse(toTerms({ ...termsOf(undefined), name: 'Small' })).success, true);
  assert.equal(body.safeParse(toTerms(termsOf(undefined))).success, false);
});

test('sends trial days for trial plans only', () => {
  const trial = { ...termsOf(undefined), name: 'Try', isTrial: true, trialDays: '30' };
  assert.equal(toTerms(trial).trialDays, 30);
  assert.equal(toTerms({ ...trial, isTrial: false }).trialDays, null);
});

test('each credit pack has an id of its own, and a saved one keeps it', () => {
  const ids = (...packs: [id: string, credits: string][]) =>
    toTerms({ ...termsOf(undefined), packs: packs.map(([id, credits]) => ({ id, credits, price: '20' })) }).creditPacks.map(({ id }) => id);
  assert.deepEqual(ids(['pack-1000', '2000'], ['', '1000'], ['', '1000']), ['pack-1000', 'pack-1000-2', 'pack-1000-3']);
  assert.deepEqual(ids(['', '1000'], ['pack-1000', '2000']), ['pack-1000-2', 'pack-1000']);
  // A plan that was saved before with one id for two.
  assert.deepEqual(ids(['pack-1000', '2000'], ['pack-1000', '1000']), ['pack-1000', 'pack-1000-2']);
});
