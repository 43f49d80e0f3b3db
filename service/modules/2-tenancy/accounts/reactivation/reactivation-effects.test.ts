import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { CALL, type ExecutionService, startExecutionService } from '@partner-portal/tests/harness/executions.ts';
import { startOidcProvider, type TestOidc } from '@partner-portal/tests/harness/oidc-provider.ts';
import { startTestService, type TestService } from '@partner-portal/tests/harness/service.ts';
import { openBrowser } from '@partner-portal/tests/harness/sso-browser.ts';
import { createOidc } from '#adapters/oidc.ts';
import { createSaml } from '#adapters/saml.ts';
import { createSafeFetch } from '#platform/outbound/safe-fetch.ts';
import { clients } from '#modules/2-tenancy/clients/index.ts';
import { partners } from '#modules/2-tenancy/partners/index.ts';
import { sso, ssoRequirement } from '#modules/2-tenancy/sso/index.ts';
import { accounts } from '../index.ts';

/** Features that work again after a reactivation: events, schedules, single sign-on. Two services on one database: agents, and all about accounts. */

const BASE = 'http://portal.test';
let runs: ExecutionService;
let service: TestService;
let provider: TestOidc;
before(async () => {
  provider = await startOidcProvider([`${BASE}/sso/acme/callback`]);
  runs = await startExecutionService();
  const fetch = createSafeFetch({ allowedHosts: [new URL(provider.issuer).host] });
  service = await startTestService({
    database: { ...runs.database, drop: async () => undefined },
    world: runs.world,
    identity: { ssoRequirement: ssoRequirement(BASE) },
    modules: (platform) => [
      accounts({ ...platform, deletionDays: 30 }),
      partners(platform),
      clients(platform),
      sso({
        ...platform,
        fetch,
        oidc: createOidc({ fetch, clock: platform.clock, allowsHttp: () => true }),
        saml: createSaml({ fetch, compute: platform.compute, clock: platform.clock }),
        isProduction: false,
      }),
    ],
  });
});
after(async () => {
  await service.close();
  await runs.close();
  await provider.close();
});

const post = async (path: string, as: 'owner' | 'staff' | 'clientUser', body: object) => {
  const reply = await service.call('POST', path, { as, body });
  assert.ok(reply.status < 300, reply.text);
  return reply.body;
};
const arrive = async (): Promise<string | null> => (await openBrowser(service).go(`${BASE}/sso/acme/start`)).searchParams.get('code');
const outcomeOf = async (id: string) => {
  const [row] = await runs.query<{ enabled: boolean; last_outcome: string | null }>(
    'select enabled, last_outcome from workflow_schedule where workflow_id = $1',
    [id],
  );
  return [row?.enabled, row?.last_outcome];
};
const makeDue = (id: string) =>
  runs.query("update workflow_schedule set due_at = date_trunc('minute', now()) where workflow_id = $1", [id]);

describe('a reactivated account', () => {
  it('accepts events, runs its schedules and logs in through its provider as before; agents that were off stay off', async () => {
    const on = await runs.addAgent();
    const off = await runs.addAgent({ clientId: runs.world.otherClientId, isActive: false });
    const scheduled = await runs.addAgent({ templateName: 'daily-sql-report' });
    const daily = { every: 'day', at: '07:30', timezone: 'UTC', enabled: true };
    assert.equal((await runs.call('PUT', `/workflows/${scheduled}/schedule`, { as: 'owner', body: daily })).status, 200);
    const { issuer, clientId, clientSecret } = provider;
    provider.signIn({ email: 'owner@portal.test', email_verified: true });
    const connection = { protocol: 'oidc', issuer, clientId, clientSecret, emailDomains: ['portal.test'] };
    assert.equal((await service.call('PUT', '/sso/connection', { as: 'owner', body: connection })).status, 200);
    const { url } = await post('/sso/connection/test', 'owner', {});
    assert.equal((await openBrowser(service).go(url)).searchParams.get('test'), 'ok');
    assert.equal((await runs.ingest(on, CALL)).status, 202);
    assert.equal((await runs.ingest(off, CALL)).body.code, 'workflow_inactive');

    const request = await post('/account-deletion', 'owner', { scope: 'partner', reason: 'We merge', confirmName: 'Acme Agency' });
    await post(`/account-deletion/${request.id}/approve`, 'staff', {});
    const refused = await runs.ingest(on, CALL);
    assert.deepEqual([refused.status, refused.body.code], [403, 'account_suspended']);
    await makeDue(scheduled);
    await runs.workflows.runDueSchedules();
    assert.deepEqual(await outcomeOf(scheduled), [true, 'skipped']);

    const back = await post('/account-reactivation', 'owner', { message: 'We do not' });
    await post(`/account-reactivation/${back.id}/approve`, 'staff', {});
    assert.equal((await runs.ingest(on, CALL)).status, 202);
    assert.equal((await runs.ingest(off, CALL)).body.code, 'workflow_inactive');
    await makeDue(scheduled);
    await runs.workflows.runDueSchedules();
    assert.deepEqual(await outcomeOf(scheduled), [true, 'started']);
    assert.ok(await arrive());
  });

  it('is only the client whose reactivation is approved: its events are accepted again', async () => {
    const agent = await runs.addAgent({ templateName: 'review-request' });
    const other = await runs.addAgent({ templateName: 'review-request', clientId: runs.world.otherClientId });
    const event = { customerName: 'Ada', customerPhone: '+13125550121' };
    const codes = async () => [(await runs.ingest(agent, event)).body.code, (await runs.ingest(other, event)).body.code];
    const request = await post('/account-deletion', 'clientUser', { scope: 'client', reason: 'x', confirmName: 'Oak Street Dental' });
    await post(`/account-deletion/${request.id}/approve`, 'owner', {});
    const [own, others] = await codes();
    assert.equal(own, 'account_suspended');
    assert.notEqual(others, 'account_suspended');
    const back = await post('/account-reactivation', 'clientUser', { message: 'Please' });
    await post(`/account-reactivation/${back.id}/approve`, 'owner', {});
    assert.deepEqual(await codes(), [others, others]);
  });
});
