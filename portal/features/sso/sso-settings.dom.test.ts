import assert from 'node:assert/strict';
import { test } from 'node:test';
import { planRecord } from '@partner-portal/contract/records/plan.ts';
import { holds, open, screen, see, user } from '../../testing/portal.ts';
import { idOf, sample } from '../../testing/sample.ts';
import { reply } from '../../testing/service.ts';

test('an agency whose plan has no single sign-on asks for one that has', async () => {
  const growth = sample(planRecord, { id: idOf(22), name: 'Growth', monthlyPriceMinor: 29_900, currency: 'USD', isActive: true });
  const billing = reply('getBilling');
  billing.subscription.terms.currency = 'USD';
  await open('owner', '/dashboard/settings/sso', { listPlans: [growth], getBilling: billing }, { sso: false });
  await see('Your plan does not include single sign-on');
  await user.click(await screen.findByRole('link', { name: 'Request a plan' }));
  await holds(() => assert.equal(location.pathname, '/dashboard/billing/plan'));
  await screen.findByRole('radio', { name: /Growth/ });
});
