import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { routes } from '@partner-portal/contract/index.ts';
import { metricsIn, readExpressions } from '../../prometheus/operator-files.ts';
import { until } from '../../harness/system.ts';
import type { OnTheDemo } from './open.ts';

// What the journeys before this one did, as the metrics port shows it.

export function testMetrics(open: () => OnTheDemo): void {
  let text: string;
  const read = async (): Promise<string> => (await fetch(`http://127.0.0.1:${open().system.metricsPort}/metrics`)).text();
  const seriesOf = (name: string): string[] =>
    text.split('\n').filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `));
  const valueOf = (series: string): number =>
    Number(
      text
        .split('\n')
        .find((line) => line.startsWith(`${series} `))
        ?.slice(series.length + 1)
        .split(' ')[0],
    );

  before(async () => {
    text = await until('all of it is measured', async () => {
      text = await read();
      return seriesOf('portal_job_duration_seconds_count').length > 0 && text;
    });
  });

  it('counts events, runs, calls of the engine, webhook attempts, jobs, transactions and requests', () => {
    for (const series of [
      'portal_events_total{source="ingest",outcome="accepted"}',
      'portal_runs_ended_total{status="SUCCEEDED",cause="reported"}',
      'portal_run_duration_seconds_count{status="SUCCEEDED"}',
      'portal_engine_call_duration_seconds_count{operation="dispatch",outcome="ok"}',
      'portal_webhook_attempt_duration_seconds_count{outcome="delivered"}',
      'portal_database_transaction_duration_seconds_count{kind="transaction",outcome="done"}',
      'portal_http_request_duration_seconds_count{method="POST",route="/webhooks/agents/:workflowId",status="2xx"}',
      'portal_database_pool_max_connections{pool="service"}',
      'portal_agencies{status="active"}',
      'portal_worker_up',
      'portal_serves_requests',
      'portal_engine_up',
      'portal_database_up',
    ])
      assert.ok(valueOf(series) > 0, `${series}\n${seriesOf(series.split('{')[0] ?? '').join('\n')}`);
  });

  it('has everything that the dashboards and alert rules ask for', () => {
    const served = new Set(
      [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].flatMap(([, name = '', type]) => {
        if (type === 'counter') return [`${name}_total`];
        return type === 'histogram' ? ['bucket', 'sum', 'count'].map((part) => `${name}_${part}`) : [name];
      }),
    );
    const asked = readExpressions().flatMap(({ where, expr }) => metricsIn(expr).map((name) => ({ where, name })));
    assert.ok(asked.length > 40);
    assert.deepEqual(
      asked.filter(({ name }) => !served.has(name)),
      [],
    );
  });

  it('names no account, id or address: a label is a word of the code, and a route one of the table', () => {
    const patterns = new Set<string>(Object.values(routes).map(({ path }) => path));
    const declared = [...text.matchAll(/^# TYPE (portal_\w+) (histogram|counter)$/gm)];
    assert.ok(declared.length > 5);
    for (const [, name, type] of declared)
      for (const series of seriesOf(`${name}_${type === 'counter' ? 'total' : 'count'}`))
        for (const [, label, value = ''] of series.matchAll(/(\w+)="([^"]*)"/g)) {
          if (label === 'route') assert.ok(patterns.has(value) || /^(none|\/[\w.*:/-]*)$/.test(value), value);
          else assert.match(value, /^(?:[1-5]xx|[A-Za-z][\w.-]{0,50})$/, series);
        }
    assert.doesNotMatch(
      text.replaceAll(/ # \{trace_id="[0-9a-f]{32}"\}/g, ''),
      /[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}/,
    );
  });

  it('leads from a duration to the trace of a run', async () => {
    const traces = [...text.matchAll(/^portal_(\w+)_duration_seconds_bucket\{.* # \{trace_id="(\w+)"\}/gm)];
    const runs = await open().system.query<{ id: string }>("select replace(id::text, '-', '') as id from execution");
    const ids = new Set(runs.map(({ id }) => id));
    assert.deepEqual(
      ['http_request', 'run', 'webhook_attempt'].filter((kind) => !traces.some(([, found, id = '']) => found === kind && ids.has(id))),
      [],
    );
  });
}
