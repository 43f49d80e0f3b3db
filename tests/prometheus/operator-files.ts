import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseYaml } from '@redocly/openapi-core';
import { z } from 'zod';

/** What an operator loads into Prometheus and Grafana. */

const DEPLOY = join(import.meta.dirname, '..', '..', 'deploy');
export const RULES_FILE = join(DEPLOY, 'prometheus', 'alerts.yaml');
const GRAFANA = join(DEPLOY, 'grafana');

const rulesShape = z.strictObject({
  groups: z.array(
    z.strictObject({
      name: z.string(),
      rules: z.array(
        z.strictObject({
          alert: z.string().regex(/^Portal[A-Za-z]+$/),
          expr: z.string(),
          for: z
            .string()
            .regex(/^\d+m$/)
            .optional(),
          labels: z.strictObject({ severity: z.enum(['critical', 'warning']) }),
          annotations: z.strictObject({ summary: z.string().min(1), runbook_url: z.url() }),
        }),
      ),
    }),
  ),
});
export type AlertRule = z.infer<typeof rulesShape>['groups'][number]['rules'][number];

export function readAlertRules(): AlertRule[] {
  return rulesShape.parse(parseYaml(readFileSync(RULES_FILE, 'utf8'))).groups.flatMap(({ rules }) => rules);
}

const dashboardShape = z.object({
  uid: z.string(),
  title: z.string(),
  templating: z.object({ list: z.array(z.object({ name: z.string(), type: z.string(), query: z.unknown() })) }),
  panels: z.array(
    z.object({
      title: z.string(),
      datasource: z.object({ uid: z.literal('${datasource}') }),
      fieldConfig: z.object({ defaults: z.object({ unit: z.string() }) }),
      targets: z.array(z.object({ expr: z.string() })).min(1),
    }),
  ),
});
export type Dashboard = z.infer<typeof dashboardShape> & { file: string };

export function readDashboards(): Dashboard[] {
  return readdirSync(GRAFANA).map((file) => ({ ...dashboardShape.parse(JSON.parse(readFileSync(join(GRAFANA, file), 'utf8'))), file }));
}

/** All expressions of dashboards and rules, each with where it stands. */
export function readExpressions(): { where: string; expr: string }[] {
  return [
    ...readDashboards().flatMap(({ file, panels }) =>
      panels.flatMap(({ title, targets }) => targets.map(({ expr }) => ({ where: `${file}: ${title}`, expr }))),
    ),
    ...readAlertRules().map(({ alert, expr }) => ({ where: alert, expr })),
  ];
}

/** Returns the names of the metrics in an expression: ours, and those of the process and of Node. */
export function metricsIn(expr: string): string[] {
  return [...new Set(expr.match(/\b(?:portal|process|nodejs)_\w+/g) ?? [])];
}
