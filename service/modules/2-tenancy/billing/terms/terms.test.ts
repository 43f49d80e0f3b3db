import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startTestService, type TestService } from '@partner-portal/tests/harness/service.ts';
import { invitations } from '#modules/2-tenancy/invitations/index.ts';
import { partners } from '#modules/2-tenancy/partners/index.ts';
import { planRequests } from '#modules/2-tenancy/plan-requests/index.ts';
import { plans } from '#modules/2-tenancy/plans/index.ts';
import { billing } from '../index.ts';

let service: TestService;
before(async () => {
  service = await startTestService({
    modules: (platform) => [billing(platform), partners(platform), invitations(platform), planRequests(platform), plans(platform)],
  });
});
after(() => service.close());

describe('the billing of an agency', () => {
  it('holds plan, terms, seats, credits and the next invoice', async () => {
    const { status, body } = await service.call('GET', '/billing', { as: 'owner' });
    assert.equal(status, 200, JSON.stringify(body));
  });
});
