import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startTestService, type TestService } from '@partner-portal/tests/harness/service.ts';
import { plans } from '#modules/2-tenancy/plans/index.ts';
import { billing } from '../index.ts';

let service: TestService;
before(async () => {
  service = await startTestService({ modules: (platform) => [billing(platform), plans(platform)] });
});
after(() => service.close());

/** The preview of overrides on the agency's own plan. */
async function preview(overrides: Record<string, string>, as: 'staff' | 'owner' = 'staff') {
  const { partnerId } = service.world;
  const { body } = await service.call('GET', `/billing?partnerId=${partnerId}`, { as: 'staff' });
  const planId = String(body.plan.id);
  const query = new URLSearchParams({ planId, ...(as === 'staff' ? { partnerId } : {}), ...overrides });
  return { plan: body.plan, answer: await service.call('GET', `/billing/plan-change?${query}`, { as }) };
}

describe('a preview of overrides', () => {
  it('shows staff what a higher price charges now and each month', async () => {
    const { answer } = await preview({ monthlyPriceMinor: '100000000' });
    assert.deepEqual([answer.status, answer.body.direction, answer.body.nextMonthlyMinor], [200, 'up', 100_000_000]);
    assert.ok(answer.body.dueNowMinor > 0);
  });

  it('counts features: taking one is a move down, at the end of the period', async () => {
    const { plan } = await preview({});
    const name = Object.entries(plan.features).find(([, on]) => on === true)?.[0] ?? '';
    const { answer } = await preview({ [name]: 'false' });
    assert.deepEqual([answer.body.direction, answer.body.lines], ['down', []]);
    const kept = await preview({ [name]: 'true', auditRetentionDays: String(plan.features.auditRetentionDays) });
    assert.equal(kept.answer.body.direction, 'same');
  });

  it('changes nothing for an agency that names overrides', async () => {
    const { answer } = await preview({ monthlyPriceMinor: '1', sso: 'false' }, 'owner');
    assert.deepEqual([answer.status, answer.body.direction], [200, 'same']);
  });
});
