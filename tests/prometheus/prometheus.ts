import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { freePort } from '../harness/free-port.ts';
import { until } from '../harness/system.ts';
import { RULES_FILE } from './operator-files.ts';

const PACKAGE = 'prometheus';

/** Why the queries are not tried, which is also written where skipped tests are only counted; false when they are. */
export function whyNotAsked(): string | false {
  if (process.env['TEST_PROMETHEUS'] === 'true') return false;
  const line =
    'The dashboards and alert rules were NOT tried: TEST_PROMETHEUS=true asks a Prometheus, which apt-get installs as root (package prometheus).';
  process.stderr.write(`${line}\n`);
  return line;
}

/** Makes sure that Prometheus and its tool are there. */
export function installPrometheus(): void {
  const isThere = (program: string): boolean => spawnSync(program, ['--version'], { stdio: 'ignore' }).status === 0;
  if (isThere('prometheus') && isThere('promtool')) return;
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const apt = (args: readonly string[]): boolean => spawnSync('apt-get', args, { stdio: 'ignore', env }).status === 0;
  if (!apt(['update']) || !apt(['install', '--yes', '--no-install-recommends', PACKAGE]))
    throw new Error(`apt-get could not install ${PACKAGE}.`);
}

/** Runs promtool on a file with these contents, in JSON, which is YAML; returns its output. */
export function promtool(args: readonly string[], contents?: unknown): { isOk: boolean; output: string } {
  const folder = mkdtempSync(join(tmpdir(), 'portal-promtool-'));
  try {
    const file = join(folder, 'tests.json');
    if (contents !== undefined) writeFileSync(file, JSON.stringify(contents));
    const { status, stdout, stderr } = spawnSync('promtool', [...args, ...(contents === undefined ? [] : [file])], { encoding: 'utf8' });
    return { isOk: status === 0, output: `${stdout}${stderr}` };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const vectorShape = z.object({
  status: z.literal('success'),
  data: z.object({ result: z.array(z.object({ value: z.tuple([z.number(), z.string()]) })) }),
});
const rulesShape = z.object({
  data: z.object({ groups: z.array(z.object({ rules: z.array(z.object({ name: z.string(), health: z.string(), state: z.string() })) })) }),
});
const exemplarsShape = z.object({
  data: z.array(z.object({ exemplars: z.array(z.object({ labels: z.record(z.string(), z.string()) })) })),
});

export type Prometheus = {
  /** Returns the values of an instant query. Rejects where Prometheus refuses it. */
  query(expr: string): Promise<number[]>;
  rules(): Promise<{ name: string; health: string; state: string }[]>;
  /** Returns the ids of the traces that exemplars of a metric name. */
  exemplars(expr: string): Promise<string[]>;
  close(): Promise<void>;
};

/** A Prometheus that scrapes one process each second and evaluates the alert rules. */
export async function startPrometheus(metricsPort: number): Promise<Prometheus> {
  const folder = mkdtempSync(join(tmpdir(), 'portal-prometheus-'));
  const port = await freePort();
  const config = {
    global: { scrape_interval: '1s', evaluation_interval: '1s' },
    rule_files: [RULES_FILE],
    scrape_configs: [{ job_name: 'portal', static_configs: [{ targets: [`127.0.0.1:${metricsPort}`] }] }],
  };
  writeFileSync(join(folder, 'prometheus.json'), JSON.stringify(config));
  const child = spawn(
    'prometheus',
    [
      `--config.file=${join(folder, 'prometheus.json')}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--enable-feature=exemplar-storage',
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  let log = '';
  child.stderr.on('data', (chunk: Buffer) => (log += chunk.toString()));
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const ask = async (path: string, parameters: Record<string, string> = {}): Promise<unknown> => {
    if (child.exitCode !== null) throw new Error(`Prometheus ended: ${log}`);
    const answer = await fetch(`http://127.0.0.1:${port}${path}?${new URLSearchParams(parameters)}`);
    if (!answer.ok) throw new Error(`${path} ${JSON.stringify(parameters)}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  };
  await until('Prometheus is ready', async () => (await fetch(`http://127.0.0.1:${port}/-/ready`)).ok);
  return {
    async query(expr) {
      const { data } = vectorShape.parse(await ask('/api/v1/query', { query: expr }));
      return data.result.map(({ value: [, value] }) => Number(value));
    },
    rules: async () => rulesShape.parse(await ask('/api/v1/rules')).data.groups.flatMap(({ rules }) => rules),
    async exemplars(expr) {
      const now = Date.now() / 1_000;
      const found = exemplarsShape.parse(
        await ask('/api/v1/query_exemplars', { query: expr, start: String(now - 3_600), end: String(now + 60) }),
      );
      return found.data.flatMap(({ exemplars }) => exemplars.map(({ labels }) => labels['trace_id'] ?? ''));
    },
    async close() {
      child.kill('SIGTERM');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
