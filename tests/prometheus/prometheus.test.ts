import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { ApiError } from '@partner-portal/contract/client.ts';
import { DEMO, ingestUrl, postJson, type Workspace } from '@partner-portal/service/quick-start/seed-workspace.ts';
import { type Collector, prepareCollector } from '../harness/collector.ts';
import { type Receiver, startReceiver } from '../harness/deliveries.ts';
import { seedDemo, startSystem, type System, until } from '../harness/system.ts';
import { readAlertRules, readDashboards, RULES_FILE } from './operator-files.ts';
import { installPrometheus, type Prometheus, promtool, startPrometheus, whyNotAsked } from './prometheus.ts';

const TEMPLATE = 'missed-call-text-back';

describe('a Prometheus that scrapes the demo', { skip: whyNotAsked(), timeout: 1_800_000 }, () => {
  let receiver: Receiver;
  let collector: Collector;
  let system: System;
  let workspace: Workspace;
  let prometheus: Prometheus;
  let url: string;
  let webhookId: string;

  before(async () => {
    installPrometheus();
    receiver = await startReceiver();
    collector = await prepareCollector();
    await collector.open();
    system = await startSystem({
      env: { WEBHOOK_DEV_ALLOWED_HOSTS: new URL(receiver.url).host, OTEL_EXPORTER_OTLP_ENDPOINT: collector.url },
    });
    workspace = await seedDemo(system);
    url = await ingestUrl(workspace.owner, workspace.workflowIds[TEMPLATE]);
    ({ id: webhookId } = await workspace.owner.createWebhook({ body: { url: receiver.url } }));
    prometheus = await startPrometheus(system.metricsPort);
  });
  after(async () => {
    await prometheus?.close();
    await system?.stop();
    await receiver?.close();
    await collector?.close();
  });

  /** Some of everything: a run, a refused event, a webhook, a page. */
  const makeTraffic = async (): Promise<void> => {
    await postJson(url, { callerNumber: '+13125550177', businessNumber: DEMO.businessNumber });
    await postJson(url, {});
    await workspace.owner.listExecutions();
    await workspace.owner.testWebhook({ params: { id: webhookId } }).catch((error: unknown) => {
      if (!(error instanceof ApiError)) throw error;
    });
  };

  it('has data in every panel of every dashboard', async () => {
    const missing = new Map(
      readDashboards().flatMap(({ file, panels }) =>
        panels.flatMap(({ title, targets }) => targets.map(({ expr }) => [`${file}: ${title}: ${expr}`, expr] as const)),
      ),
    );
    assert.ok(missing.size > 50);
    await until('every panel has data', async () => {
      await makeTraffic();
      for (const [where, expr] of missing) {
        const values = await prometheus.query(expr.replaceAll('$job', '.+').replaceAll('$__rate_interval', '1m'));
        if (values.some(Number.isFinite)) missing.delete(where);
      }
      if (missing.size > 0) throw new Error(`Without data: ${[...missing.keys()].join('\n')}`);
      return true;
    });
  });

  it('evaluates every alert rule, and none fires on a system that works', async () => {
    const rules = await until('every rule was evaluated', async () => {
      const found = await prometheus.rules();
      return found.every(({ health }) => health !== 'unknown') && found;
    });
    assert.deepEqual(
      rules.map(({ name, health, state }) => `${name} ${health} ${state === 'firing'}`),
      readAlertRules().map(({ alert }) => `${alert} ok false`),
    );
  });

  it('stores the trace of a run with its durations', async () => {
    const ids = await until('a trace is there', async () => {
      await makeTraffic();
      const found = await prometheus.exemplars('portal_run_duration_seconds_bucket');
      return found.length > 0 && found;
    });
    const runs = await system.query<{ id: string }>("select replace(id::text, '-', '') as id from execution");
    for (const id of ids)
      assert.ok(
        runs.some((run) => run.id === id),
        id,
      );
  });
});

/** A series of a test of promtool: what is scraped each minute. */
type Series = { series: string; values: string };
const HTTP = 'portal_http_request_duration_seconds_count';
const WEBHOOK = 'portal_webhook_attempt_duration_seconds_count';
const UP: Series = { series: 'portal_worker_up{job="portal"}', values: '1x60' };

const TWO: Series = { series: 'portal_worker_up{job="two"}', values: '1x60' };
const SERVES: Series = { series: 'portal_serves_requests{job="portal", instance="service"}', values: '1x60' };

/** What fires each rule after an hour, and what is as close to it and does not. */
const CASES: { alert: string; labels?: string; fires: Series[]; rests: Series[] }[] = [
  { alert: 'PortalNotScraped', fires: [], rests: [UP] },
  // The second of two installations is gone.
  { alert: 'PortalNotScraped', labels: 'job="two"', fires: [UP, { ...TWO, values: '1x30' }], rests: [UP, TWO] },
  {
    alert: 'PortalNotServed',
    labels: 'job="portal"',
    fires: [UP, { ...SERVES, values: '1x30' }, { series: 'portal_serves_requests{job="portal", instance="worker"}', values: '0x60' }],
    rests: [UP, SERVES, { series: 'portal_serves_requests{job="portal", instance="worker"}', values: '0x60' }],
  },
  { alert: 'PortalWorkerAway', labels: 'job="portal"', fires: [{ ...UP, values: '0x60' }], rests: [UP] },
  {
    alert: 'PortalJobsWaiting',
    labels: 'job="portal"',
    fires: [UP, { series: 'portal_jobs_due{job="portal"}', values: '10001x60' }],
    rests: [UP, { series: 'portal_jobs_due{job="portal"}', values: '10000x60' }],
  },
  {
    alert: 'PortalDatabaseAway',
    labels: 'instance="b", job="portal"',
    fires: [
      UP,
      { series: 'portal_database_up{job="portal", instance="a"}', values: '1x60' },
      { series: 'portal_database_up{job="portal", instance="b"}', values: '0x60' },
    ],
    rests: [UP, { series: 'portal_database_up{job="portal", instance="a"}', values: '1x60' }],
  },
  {
    alert: 'PortalDatabasePoolExhausted',
    labels: 'job="portal", pool="service"',
    fires: [UP, { series: 'portal_database_pool_waiting{job="portal", pool="service"}', values: '3x60' }],
    rests: [UP, { series: 'portal_database_pool_waiting{job="portal", pool="service"}', values: '3x58 0 3' }],
  },
  {
    // A process that has just begun.
    alert: 'PortalDatabasePoolExhausted',
    labels: 'job="portal", pool="service"',
    fires: [UP, { series: 'portal_database_pool_waiting{job="portal", pool="service"}', values: '_x50 3x9' }],
    rests: [UP, { series: 'portal_database_pool_waiting{job="portal", pool="service"}', values: '_x57 3x2' }],
  },
  {
    alert: 'PortalEngineAway',
    labels: 'job="portal"',
    fires: [UP, { series: 'portal_engine_up{job="portal", instance="a"}', values: '0x60' }],
    rests: [
      UP,
      { series: 'portal_engine_up{job="portal", instance="a"}', values: Array(61).fill('NaN').join(' ') },
      { series: 'portal_engine_up{job="portal", instance="b"}', values: '1x60' },
    ],
  },
  {
    alert: 'PortalRunsWaiting',
    labels: 'job="portal"',
    fires: [UP, { series: 'portal_dispatch_oldest_age_seconds{job="portal"}', values: '301x60' }],
    rests: [UP, { series: 'portal_dispatch_oldest_age_seconds{job="portal"}', values: '300x60' }],
  },
  {
    alert: 'PortalWebhooksFailing',
    labels: 'job="portal"',
    fires: [
      UP,
      { series: `${WEBHOOK}{job="portal", outcome="delivered"}`, values: '0+10x60' },
      { series: `${WEBHOOK}{job="portal", outcome="timeout"}`, values: '0+11x60' },
    ],
    rests: [
      UP,
      { series: `${WEBHOOK}{job="portal", outcome="delivered"}`, values: '0+10x60' },
      { series: `${WEBHOOK}{job="portal", outcome="timeout"}`, values: '0+9x60' },
    ],
  },
  {
    alert: 'PortalServerErrors',
    labels: 'job="portal"',
    fires: [
      UP,
      { series: `${HTTP}{job="portal", status="2xx"}`, values: '0+94x60' },
      { series: `${HTTP}{job="portal", status="5xx"}`, values: '0+6x60' },
    ],
    rests: [
      UP,
      { series: `${HTTP}{job="portal", status="2xx"}`, values: '0+96x60' },
      { series: `${HTTP}{job="portal", status="5xx"}`, values: '0+4x60' },
    ],
  },
  {
    alert: 'PortalEventLoopDelayed',
    labels: 'job="portal", quantile="0.99"',
    fires: [UP, { series: 'portal_event_loop_delay_seconds{job="portal", quantile="0.99"}', values: '0.6x60' }],
    rests: [UP, { series: 'portal_event_loop_delay_seconds{job="portal", quantile="1"}', values: '5x60' }],
  },
];

describe('the alert rules, tried by promtool', { skip: process.env['TEST_PROMETHEUS'] !== 'true' }, () => {
  before(installPrometheus);

  it('are rules that Prometheus reads', () => {
    const { isOk, output } = promtool(['check', 'rules', RULES_FILE]);
    assert.ok(isOk, output);
  });

  it('each fire for what they are about, and not for what is close to it', () => {
    const rules = readAlertRules();
    assert.deepEqual(
      [...new Set(CASES.map(({ alert }) => alert))],
      rules.map(({ alert }) => alert),
    );
    const tests = CASES.flatMap(({ alert, labels, fires, rests }) => {
      const severity = rules.find((rule) => rule.alert === alert)?.labels.severity ?? '';
      const sample = `ALERTS{alertname="${alert}", alertstate="firing", ${labels === undefined ? '' : `${labels}, `}severity="${severity}"}`;
      const firing = (name: string, series: Series[], samples: string[]) => ({
        name,
        interval: '1m',
        input_series: series,
        promql_expr_test: [
          { expr: 'ALERTS{alertstate="firing"}', eval_time: '60m', exp_samples: samples.map((labels) => ({ labels, value: 1 })) },
        ],
      });
      return [firing(`${alert} fires`, fires, [sample]), firing(`${alert} rests`, rests, [])];
    });
    const { isOk, output } = promtool(['test', 'rules'], { rule_files: [RULES_FILE], evaluation_interval: '1m', tests });
    assert.ok(isOk, output);
  });
});
