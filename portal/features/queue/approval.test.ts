import assert from 'node:assert/strict';
import { test } from 'node:test';
import { planRequestRoutes } from '@partner-portal/contract/routes/plan-requests.ts';
import type { PlanRequest, StaffPlan } from '../../queries/plans.ts';
import { losesOverrides, offeredPlans, overridesOn, priceWhenAsked, startOf, toApproval } from './approval.ts';

const ID = '0199a3b2-1111-7222-8333-44445555666';
const plan = (id: number, change: Partial<StaffPlan> = {}): StaffPlan => ({
  id: `${ID}${id}`,
  name: 'Growth',
  description: '',
  monthlyPriceMinor: 29_900,
  currency: 'USD',
  includedSeats: 10,
  includedClients: 50,
  monthlyCredits: 10_000,
  seatPriceMinor: 1500,
  creditPacks: [],
  features: { sso: false, chatbot: true, customTemplates: false, aiPlatformKeys: true, customDomain: false, auditRetentionDays: 365 },
  isPublic: true,
  isTrial: false,
  trialDays: null,
  isActive: true,
  updatedAt: '2026-05-04T10:00:00.000Z',
  subscriptions: 0,
  ...change,
});
const PLANS = [plan(1, { isActive: false, isTrial: true, trialDays: 7 }), plan(2, { isTrial: true, trialDays: 14 }), plan(3), plan(4)];
const request = (change: Partial<PlanRequest>): PlanRequest => ({
  id: `${ID}9`,
  kind: 'signup',
  status: 'pending',
  applicant: { email: 'ana@b.example', fullName: 'Ana', companyName: 'Brightline Média', website: null, country: null },
  partnerId: null,
  planId: null,
  planName: null,
  desired: { clients: 14, message: 'Hello' },
  decidedBy: null,
  decisionNote: null,
  resultPartnerId: null,
  mailWaits: false,
  nameResembles: null,
  createdAt: '2026-11-18T20:00:00.000Z',
  decidedAt: null,
  ...change,
});

test('an application starts with its plan, a trial with the available trial plan, and both with a slug', () => {
  assert.equal(startOf(request({ planId: `${ID}3` }), PLANS, undefined).planId, `${ID}3`);
  const trial = startOf(request({ kind: 'trial' }), PLANS, undefined);
  assert.deepEqual([trial.planId, trial.trialDays, trial.slug], [`${ID}2`, '14', 'brightline-media']);
  assert.equal(startOf(request({ planId: `${ID}1` }), PLANS, undefined).planId, undefined);
});

test('expected clients of an applicant are not overrides; terms an agency requests are', () => {
  assert.equal(startOf(request({}), PLANS, undefined).clients, '');
  const own = startOf(
    request({ kind: 'custom', partnerId: ID + '8', desired: { seats: 40, features: ['sso', 'chatbot', 'teleport'] } }),
    PLANS,
    { planId: `${ID}4`, overrides: {} },
  );
  assert.deepEqual([own.planId, own.seats, own.slug, own.features], [`${ID}4`, '40', '', { sso: true }]);
});

test('begins with the agency’s own terms, and lays what it requests over them', () => {
  const present = {
    planId: `${ID}4`,
    overrides: { monthlyPriceMinor: 19_900, includedClients: 100, features: { sso: true, chatbot: false } },
  };
  const custom = request({ kind: 'custom', partnerId: `${ID}8`, desired: { clients: 120, features: ['chatbot'] } });
  const own = startOf(custom, PLANS, present);
  assert.deepEqual([own.price, own.clients, own.features], ['199', '120', { sso: true }]);
  assert.deepEqual(toApproval({ ...own, planId: `${ID}4` }, PLANS[3], false).overrides, {
    monthlyPriceMinor: 19_900,
    includedClients: 120,
    features: { sso: true },
  });
  assert.equal(losesOverrides(`${ID}4`, present), false);
  // Another plan has prices and limits of its own.
  const moved = startOf({ ...custom, kind: 'change', planId: `${ID}3` }, PLANS, present);
  assert.deepEqual([moved.planId, moved.price, moved.clients, moved.features], [`${ID}3`, '', '120', {}]);
  assert.equal(losesOverrides(`${ID}3`, present), true);
  assert.deepEqual(overridesOn(PLANS[3], custom, present).price, '199');
  // A retired plan is kept by the agency on it.
  const retired = { ...present, planId: `${ID}1` };
  assert.equal(startOf(custom, PLANS, retired).planId, `${ID}1`);
  assert.deepEqual(
    [offeredPlans(PLANS, retired), offeredPlans(PLANS, undefined)].map((plans) => plans.length),
    [4, 3],
  );
});

test('sends only differences from the plan, in a valid body', () => {
  const { body } = planRequestRoutes.approvePlanRequest;
  const start = { ...startOf(request({ planId: `${ID}3` }), PLANS, undefined), planId: `${ID}3` };
  assert.deepEqual(toApproval(start, PLANS[2], true), { planId: `${ID}3`, slug: 'brightline-media' });
  const own = { ...start, credits: '20000', note: ' Fine. ', trialDays: '9', price: '249', features: { sso: true } };
  const sent = toApproval(own, PLANS[2], false);
  assert.deepEqual(sent, {
    planId: `${ID}3`,
    overrides: { monthlyPriceMinor: 24_900, monthlyCredits: 20_000, features: { sso: true } },
    note: 'Fine.',
  });
  assert.equal(body.safeParse(sent).success, true);
});

test('a price that changed since the agency asked for the plan is named, for this plan alone', () => {
  const asked = request({ kind: 'change', partnerId: `${ID}8`, planId: `${ID}3`, desired: { monthlyPriceMinor: 19_900 } });
  assert.deepEqual(
    [plan(3), plan(3, { monthlyPriceMinor: 19_900 }), plan(4), undefined].map((one) => priceWhenAsked(asked, one)),
    [19_900, null, null, null],
  );
  assert.equal(priceWhenAsked({ ...asked, desired: {} }, plan(3)), null);
});
