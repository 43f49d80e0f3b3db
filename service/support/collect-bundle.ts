import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { arch, cpus, freemem, loadavg, release, totalmem, uptime } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { checkConfiguration } from '../check-configuration.ts';
import { type Config, givenSettings, loadConfig } from '../config.ts';
import { describeDatabase } from '#platform/db/describe-database.ts';
import { openDatabaseHost } from '#platform/db/open-host.ts';
import { createPool } from '#platform/db/pool.ts';
import { createDatabase } from '#platform/db/tx.ts';
import { createLog } from '#platform/log.ts';
import { StartError } from '#platform/start-error.ts';
import { hiderOf, readErrorLines } from './error-lines.ts';
import { readQueues } from './read-queues.ts';
import { reportSettings, secretTexts } from './report-settings.ts';

const LINES_MAX = 200;
const HTTP_MS = 5_000;
/** What the service and its process measure: of a histogram the sum and the count. */
const METRICS = /^(?:portal_|process_(?:cpu|resident|open_fds)|nodejs_(?:eventloop_lag|heap_size))/;

export type BundleOptions = {
  /** The environment; that of the process when left out. */
  env?: Readonly<Record<string, string | undefined>> | undefined;
  /** Where to write; `-` is standard output, a new file in DATA_DIR when left out. */
  output?: string | undefined;
  /** The log to read; `-` is standard input, that of the quick start when left out. */
  log?: string | undefined;
  /** Says what is in it, line by line. */
  report: (line: string) => void;
  /** Writes to standard output. */
  print: (text: string) => void;
};

/**
 * Writes one JSON file with what a person needs who looks for a fault, and without secrets or personal data. Each part is collected by itself, so that it is
 * written also where the service does not start or its database is away.
 */
export async function collectBundle({ env, output, log, report, print }: BundleOptions): Promise<void> {
  const given = givenSettings(env);
  const hide = hiderOf(secretTexts(given));
  const loaded = load(env);
  const dataDir = resolve(given.get('DATA_DIR')?.text ?? '.data');
  const part = async (name: string, read: () => unknown): Promise<[string, unknown]> => {
    try {
      const value: unknown = await read();
      report(`  ${name}`);
      return [name, value];
    } catch (error) {
      const problem = hide(error instanceof Error ? error.message : String(error));
      report(`  ${name}: not available (${problem})`);
      return [name, { problem }];
    }
  };
  report('Collecting, without secrets and personal data:');
  const parts = [
    await part('versions', readVersions),
    await part('settings', () => reportSettings(given)),
    await part('configuration', () => ('problem' in loaded ? { problem: hide(loaded.problem) } : checksOf(loaded.config))),
    await part('health', () => ask(`http://127.0.0.1:${given.get('PORT')?.text ?? '3000'}/health/ready`)),
    await part('metrics', () => readMetrics(given.get('METRICS_PORT')?.text)),
    await part('database', () => readDatabase(loaded)),
    await part('log', () => readErrorLines(readLogText(log, dataDir), hide, LINES_MAX)),
  ];
  const createdAt = new Date().toISOString();
  const text = cover(JSON.stringify({ createdAt, ...Object.fromEntries(parts) }, null, 2), secretTexts(given));
  if (output === '-') print(`${text}\n`);
  else {
    const path = output ?? join(dataDir, `support-${createdAt.replaceAll(/[:.]/g, '-')}.json`);
    // A first start that was refused made no folder.
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `${text}\n`, { mode: 0o600 });
    report(`Wrote ${path}. Read it before you send it.`);
  }
}

type Loaded = { config: Config } | { problem: string };

/** The configuration, or why the service does not start with it, without the values that were found. */
function load(env: BundleOptions['env']): Loaded {
  try {
    return { config: loadConfig(env, { nextToService: true }) };
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    return { problem: error.message.replace(/ \(found ".*"\)/g, '') };
  }
}

function checksOf(config: Config): Record<string, string> {
  return Object.fromEntries(
    checkConfiguration(config).map(({ settings, state, message }) => [settings.join(', '), `${state}: ${message}`]),
  );
}

function readVersions(): Record<string, unknown> {
  const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '..', 'package.json'), 'utf8')) as { version: string }; // our own package.json
  return {
    service: version,
    node: process.version,
    system: `${process.platform} ${release()} ${arch()}`,
    processors: cpus().length,
    memoryMb: { total: Math.round(totalmem() / 1e6), free: Math.round(freemem() / 1e6) },
    loadAverage: loadavg(),
    uptimeHours: Math.round(uptime() / 3_600),
  };
}

async function ask(url: string): Promise<unknown> {
  const answer = await fetch(url, { signal: AbortSignal.timeout(HTTP_MS) });
  return { status: answer.status, body: await answer.json() };
}

async function readMetrics(port: string | undefined): Promise<string[]> {
  if (port === undefined) return [];
  const answer = await fetch(`http://127.0.0.1:${port}/metrics`, { signal: AbortSignal.timeout(HTTP_MS) });
  return (await answer.text()).split('\n').filter((line) => METRICS.test(line) && !line.includes('_bucket{'));
}

async function readDatabase(loaded: Loaded): Promise<unknown> {
  if ('problem' in loaded) throw new StartError('The settings do not say which database.');
  const { databaseUrl, dataDir, session } = loaded.config;
  const opened = await openDatabaseHost(
    { databaseUrl, dataDir, jwtSecret: session.secret, log: createLog('silent') },
    { nextToService: true },
  );
  const pool = createPool(opened.host.configFor('portal_service', opened.database), { name: 'portal support', max: 1 });
  try {
    return { ...(await describeDatabase(opened.host, opened.database)), ...(await readQueues(createDatabase(pool))) };
  } finally {
    await pool.end();
    await opened.stop();
  }
}

/** The given file or standard input, or else the log of the quick start with the one before. */
function readLogText(given: string | undefined, dataDir: string): string {
  if (given !== undefined) return readFileSync(given === '-' ? 0 : given, 'utf8');
  const own = join(dataDir, 'service.log');
  const older = readOptional(`${own}.1`);
  const newer = readOptional(own);
  if (older === null && newer === null)
    throw new StartError('There is no log in DATA_DIR: name one with --log FILE, or pass it with --log -.');
  return `${older ?? ''}${newer ?? ''}`;
}

function readOptional(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}

/** No part of a secret is left, wherever it came from. */
function cover(text: string, secrets: readonly string[]): string {
  return secrets.filter((secret) => secret.length >= 8).reduce((left, secret) => left.replaceAll(secret, '[secret]'), text);
}
