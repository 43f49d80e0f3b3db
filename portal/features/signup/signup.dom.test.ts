import assert from 'node:assert/strict';
import { test } from 'node:test';
import { planRecord } from '@partner-portal/contract/records/plan.ts';
import { button, open, screen, see } from '../../testing/portal.ts';
import { idOf, sample } from '../../testing/sample.ts';

const plan = (given: object) => sample(planRecord, { currency: 'USD', isPublic: true, isActive: true, ...given });
const TRIAL = plan({ id: idOf(21), name: 'Trial', isTrial: true, trialDays: 14 });
const GROWTH = plan({ id: idOf(22), name: 'Growth', isTrial: false, monthlyPriceMinor: 29_900 });

test('a trial is offered as long as a plan for it is, also by an address that asks for one', async () => {
  await open(undefined, '/signup?trial=true', { listPlans: [TRIAL, GROWTH] });
  assert.equal((await screen.findByRole('switch', { name: 'Start with a trial' })).getAttribute('aria-checked'), 'true');
  await button('Apply for a trial');
  await open(undefined, '/signup?trial=true', { listPlans: [GROWTH] });
  await see('Growth');
  await button('Send application');
  assert.equal(screen.queryByRole('switch', { name: 'Start with a trial' }), null);
});
