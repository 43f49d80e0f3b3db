import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { findBundle, loadCatalog } from '@partner-portal/catalog/index.ts';
import { succeededPercent } from '@partner-portal/core/execution/succeeded.ts';
import { CALL, type ExecutionService, startExecutionService } from '@partner-portal/tests/harness/executions.ts';
import { startTestService, type TestService } from '@partner-portal/tests/harness/service.ts';
import { noonZone } from '@partner-portal/tests/harness/world.ts';
import { reports } from '#modules/5-reactions/reports/index.ts';
import { overview } from '#modules/6-views/overview/index.ts';
import { clientHome } from './index.ts';

/** The month of a client, written by the service as its runs end, and read in every place that shows it. */

const catalog = loadCatalog();
let runs: ExecutionService;
let pages: TestService;
let [calls, reviews, removed] = ['', '', ''];

before(async () => {
  runs = await startExecutionService();
  const { database, world } = runs;
  pages = await startTestService({
    database,
    world,
    modules: (platform) => [
      clientHome({ ...platform, catalog, templateOf: (name) => findBundle(name)?.template, platformProviders: [] }),
      reports({ ...platform, catalog, platformProviders: [] }),
      overview({ ...platform, catalog, platformProviders: [] }),
    ],
  });
  // A zone in which neither the day nor the month ends during the test.
  await runs.query('update client set timezone = $2 where id = $1', [world.clientId, noonZone()]);
  await runs.query('update partner set timezone = $2 where id = $1', [world.partnerId, noonZone()]);
  calls = await runs.addAgent({ name: 'Calls' });
  reviews = await runs.addAgent({ templateName: 'review-request', name: 'Reviews' });
  removed = await runs.addAgent({ templateName: 'lead-intake-cleaner', name: 'Gone' });
  const review = { customerName: 'Leo Grant', customerPhone: '+13125550144', rating: 2, service: 'Whitening' };
  const lead = { name: 'Priya Shah', email: 'priya@example.com', message: 'Do you treat runners knee?' };
  await run(calls, CALL, { status: 'SUCCEEDED', output: { contacted: '+13125550121' } });
  await run(calls, CALL, { status: 'SUCCEEDED', output: {} });
  await run(calls, CALL, { status: 'SUCCEEDED', output: { skipped: true, message: 'Quiet hours' } });
  await run(calls, CALL, { status: 'FAILED', error: { code: 'twilio_down', message: 'Twilio is away', stepName: 'send_text' } });
  await run(reviews, { ...review, rating: 5 }, { status: 'SUCCEEDED', output: { contacted: '+13125550144' } });
  // An unhappy customer was asked for nothing.
  await run(reviews, review, { status: 'SUCCEEDED', output: { asked: false, mailId: 'm1' } });
  for (let count = 0; count < 3; count += 1) await run(removed, { ...lead, message: `${count}` }, { status: 'SUCCEEDED', output: {} });
  await runs.query(
    `with gone as (delete from workflow where id = $1 returning id, partner_id, client_id, name, template_name)
      insert into agent_removal (workflow_id, partner_id, client_id, name, template_name) select * from gone`,
    [removed],
  );
});
after(async () => {
  await pages.close();
  await runs.close();
});

async function run(workflowId: string, event: object, report: Record<string, unknown>): Promise<void> {
  const { status, body } = await runs.ingest(workflowId, event);
  assert.equal(status, 202, JSON.stringify(body));
  await runs.executions.dispatcher.runOnce();
  assert.equal((await runs.report(body.executionId, report)).status, 200);
}

type Body = Awaited<ReturnType<TestService['call']>>['body'];
const read = async (service: TestService, path: string): Promise<Body> => (await service.call('GET', path, { as: 'clientUser' })).body;
const sum = (rows: Body[], name: string): number => rows.reduce((total, row) => total + row[name], 0);

describe('the results of a month', () => {
  it('are one number in the headline, its parts, the days, the agents, and the report with its parts and its course', async () => {
    const home = await read(pages, '/clients/me/summary');
    const report = await read(pages, `/clients/${runs.world.clientId}/report`);
    const month = report.trend.find((one: Body) => one.month === report.month);
    assert.deepEqual(
      {
        headline: home.resultsMonth,
        parts: sum(home.results, 'count'),
        days: sum(home.byDay, 'results'),
        agents: sum(home.resultsOfAgents, 'count'),
        report: report.totals.helped,
        reportParts: sum(report.results, 'count'),
        trend: month.helped,
      },
      { headline: 6, parts: 6, days: 6, agents: 6, report: 6, reportParts: 6, trend: 6 },
    );
    assert.deepEqual([home.failuresMonth, sum(home.byDay, 'failed'), report.totals.failed], [1, 1, 1]);
    assert.deepEqual([home.runsMonth, report.totals.runs], [9, 9]);
    assert.equal(home.hoursSavedMonth, report.totals.hoursSaved);
    for (const path of ['/partners/me/summary', `/partners/me/summary?clientId=${runs.world.clientId}`]) {
      const { today } = (await pages.call('GET', path, { as: 'owner' })).body;
      assert.deepEqual([today.hoursSaved, today.hoursSavedMonth], [home.hoursSavedMonth, home.hoursSavedMonth], path);
    }
  });

  it('are the runs that the list of activity marks as good', async () => {
    const { data } = await read(runs, '/executions?limit=100');
    assert.deepEqual([data.length, data.filter(({ tone }: Body) => tone === 'good').length], [9, 6]);
  });

  it('have one share of succeeded runs: in the list of agents, by day, and by the status of each run, also of a stopped one', async () => {
    const agents = (await read(runs, '/agents')).data;
    for (const [id, share] of [
      [calls, 75],
      [reviews, 100],
    ] as const) {
      const agent = agents.find((one: Body) => one.id === id);
      const days = await read(runs, `/workflows/${id}/executions/stats?range=7d`);
      const { data } = await read(runs, `/executions?limit=100&workflowId=${id}`);
      assert.deepEqual(
        {
          agents: succeededPercent({ runs: agent.runs30d, failed: agent.failures30d }),
          days: succeededPercent({ runs: sum(days, 'succeeded') + sum(days, 'failed'), failed: sum(days, 'failed') }),
          statuses: (data.filter(({ status }: Body) => status === 'SUCCEEDED').length / data.length) * 100,
        },
        { agents: share, days: share, statuses: share },
      );
    }
  });

  it('are those of each agent on its own page', async () => {
    const { resultsOfAgents } = await read(pages, '/clients/me/summary');
    for (const [id, count, failed] of [
      [calls, 2, 1],
      [reviews, 1, 0],
    ] as const) {
      const days = await read(runs, `/workflows/${id}/executions/stats?range=7d`);
      assert.deepEqual([sum(days, 'results'), sum(days, 'failed')], [count, failed]);
      assert.equal(resultsOfAgents.find((one: Body) => one.workflowId === id).count, count);
    }
  });
});
