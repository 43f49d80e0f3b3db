import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { QUEUE_DEGRADED_AT } from '@partner-portal/service/modules/6-views/health/read-health.ts';
import { readAlertRules, readDashboards } from './operator-files.ts';

const FAILURE_MODES = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'failure-modes.md'), 'utf8');

describe('the alert rules', () => {
  const rules = readAlertRules();

  it('each lead to a row of failure-modes.md that names the rule and what to do, and each such row has a rule', () => {
    const rows = [...FAILURE_MODES.matchAll(/^\| <a id="(alert-[a-z-]+)"><\/a>`(\w+)` \|([^|]+)\|([^|]+)\|$/gm)];
    assert.deepEqual(
      rows.map(([, id, name]) => `${name} #${id}`),
      rules.map(({ alert, annotations }) => `${alert} ${new URL(annotations.runbook_url).hash}`),
    );
    for (const [row, , , meaning = '', remedy = ''] of rows) assert.ok(meaning.trim() !== '' && remedy.trim() !== '', row);
  });

  it('that is about waiting jobs has the number from which the health calls the queue degraded, and so has its row', () => {
    const { expr } = rules.find(({ alert }) => alert === 'PortalJobsWaiting') ?? { expr: '' };
    assert.equal(Number(/> (\d+)$/.exec(expr)?.[1]), QUEUE_DEGRADED_AT);
    assert.ok(FAILURE_MODES.includes(`\`PortalJobsWaiting\` | more than ${QUEUE_DEGRADED_AT.toLocaleString('en')} jobs`));
  });

  it('each have a name of their own and one source of runbooks', () => {
    assert.ok(rules.length > 5);
    assert.equal(new Set(rules.map(({ alert }) => alert)).size, rules.length);
    assert.equal(new Set(rules.map(({ annotations }) => annotations.runbook_url.split('#')[0])).size, 1);
  });
});

describe('the dashboards', () => {
  const dashboards = readDashboards();

  it('are service, engine, tenants, webhooks and database', () => {
    assert.deepEqual(
      dashboards.map(({ uid }) => uid),
      ['portal-database', 'portal-engine', 'portal-service', 'portal-tenants', 'portal-webhooks'],
    );
  });

  it('let a person choose the data source and the installation, which every query obeys', () => {
    for (const { file, templating, panels } of dashboards) {
      assert.deepEqual(
        templating.list.map(({ name, type }) => `${name} ${type}`),
        ['datasource datasource', 'job query'],
        file,
      );
      for (const { title, targets } of panels)
        for (const { expr } of targets) {
          const metrics = expr.match(/\b(?:portal|process)_\w+/g)?.length;
          assert.equal(expr.match(/\{job=~"\$job"/g)?.length, metrics, `${file}: ${title}: ${expr}`);
        }
    }
  });

  it('show durations in seconds and shares in percent', () => {
    for (const { file, panels } of dashboards)
      for (const { title, targets, fieldConfig } of panels) {
        const { unit } = fieldConfig.defaults;
        for (const { expr } of targets) {
          const isDuration = /histogram_quantile|_seconds\{/.test(expr) && !expr.startsWith('sum by');
          assert.equal(unit === 's', isDuration, `${file}: ${title}`);
          assert.equal(unit === 'percentunit', /_ratio\{|\) \/ |process_cpu/.test(expr), `${file}: ${title}`);
        }
      }
  });
});
