import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../harness/free-port.ts';
import { until } from '../harness/system.ts';

/**
 * compose.yaml as an operator runs it, with podman: a copy of the files it needs in a folder of its own, an .env that `npm run setup:production`
 * wrote, and volumes that end with the test. Compose speaks to podman's socket, as `docker compose` does to Docker's.
 */
const ROOT = join(import.meta.dirname, '..', '..');
const run = promisify(execFile);
const OUTPUT_BYTES_MAX = 64 * 1024 * 1024;
const HEALTH_PAUSE_MS = 1_000;

/** Why the container tests are skipped, which is also written where skipped tests are only counted; false when they run. */
export function whyNotTried(): string | false {
  const lacks = ['podman', 'docker-compose'].filter((program) => !answers(program, ['--version']));
  if (process.env['TEST_CONTAINERS'] === 'true' && lacks.length === 0) return false;
  const line =
    process.env['TEST_CONTAINERS'] === 'true'
      ? `The containers were NOT tried: ${lacks.join(' and ')} is missing.`
      : 'The containers were NOT tried: TEST_CONTAINERS=true runs their tests, which take minutes.';
  process.stderr.write(`${line}\n`);
  return line;
}

function answers(program: string, args: readonly string[]): boolean {
  try {
    execFileSync(program, args, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Builds the image from this repository. TEST_CONTAINERS_NPMRC names the settings of npm where packages do not come from the public registry directly. */
export function buildImage(image: string): void {
  const npmrc = process.env['TEST_CONTAINERS_NPMRC'];
  const secret = npmrc === undefined ? [] : ['--secret', `id=npmrc,src=${npmrc}`];
  execFileSync('podman', ['build', '--format', 'docker', ...secret, '--tag', image, ROOT], { stdio: ['ignore', 'ignore', 'inherit'] });
}

export type Deployment = {
  /** The folder of compose.yaml and .env. */
  dir: string;
  /** Ports of this machine: of the service itself, for calls, and of the proxy. */
  servicePort: number;
  httpsPort: number;
  env(): Record<string, string>;
  /** Runs compose with the profiles of .env; returns what it printed. */
  compose(...args: string[]): Promise<string>;
  podman(...args: string[]): Promise<string>;
  /** The name of the container of a service. */
  nameOf(service: string): string;
  /** Calls /health/ready of the service until every part is as expected. */
  ready(): Promise<void>;
  stop(): Promise<void>;
};

/** Starts everything as the page on production says. `override` is a further file of compose, for what only the test needs. */
export async function deploy({ image, override }: { image: string; override: (servicePort: number) => string }): Promise<Deployment> {
  const dir = mkdtempSync(join(tmpdir(), 'portal-containers-'));
  const project = `portaltest${process.pid}`;
  const [servicePort, httpPort, httpsPort] = [await freePort(), await freePort(), await freePort()];
  mkdirSync(join(dir, 'scripts'));
  for (const path of ['deploy', 'scripts/setup-production.mjs']) cpSync(join(ROOT, path), join(dir, path), { recursive: true });
  // Compose 1.29, which Debian has, knows all of the file but its name, and reads no profiles from .env.
  writeFileSync(join(dir, 'compose.yaml'), readFileSync(join(ROOT, 'compose.yaml'), 'utf8').replace(/^name: .*\n/m, ''));
  writeFileSync(join(dir, 'compose.override.yaml'), override(servicePort));
  execFileSync(process.execPath, [join(dir, 'scripts', 'setup-production.mjs')], { stdio: 'ignore' });
  const socket = join(dir, 'podman.sock');
  const podmanService = spawn('podman', ['system', 'service', '--time=0', `unix://${socket}`], { stdio: 'ignore' });
  const env = (): Record<string, string> =>
    Object.fromEntries(
      readFileSync(join(dir, '.env'), 'utf8')
        .split('\n')
        .filter((line) => /^[A-Z]/.test(line))
        .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
    );
  const ports = { HTTP_PORT: String(httpPort), HTTPS_PORT: String(httpsPort), PORTAL_IMAGE: image };
  const compose = async (...args: string[]): Promise<string> => {
    const profiles = (env()['COMPOSE_PROFILES'] ?? '').split(',').flatMap((profile) => ['--profile', profile]);
    const { stdout } = await run('docker-compose', ['--project-name', project, ...profiles, ...args], {
      cwd: dir,
      env: { ...process.env, ...ports, DOCKER_HOST: `unix://${socket}` },
      maxBuffer: OUTPUT_BYTES_MAX,
    });
    return stdout;
  };
  const podman = async (...args: string[]): Promise<string> => (await run('podman', args, { maxBuffer: OUTPUT_BYTES_MAX })).stdout;
  const health = watchHealth(project);
  const stop = async (): Promise<void> => {
    await compose('down', '--volumes', '--timeout', '5').catch(() => undefined);
    health.abort();
    podmanService.kill();
    await ended(podmanService);
    rmSync(dir, { recursive: true, force: true });
  };
  const deployment: Deployment = {
    dir,
    servicePort,
    httpsPort,
    env,
    compose,
    podman,
    nameOf: (service) => `${project}_${service}_1`,
    ready: async () => {
      await until('the service and all it needs are ready', async () => {
        const answer = await fetch(`http://127.0.0.1:${servicePort}/health/ready`);
        const { status } = (await answer.json()) as { status: string };
        return status === 'ok';
      });
    },
    stop,
  };
  try {
    await compose('up', '--detach');
    return deployment;
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Runs the health checks, which podman leaves to systemd: where there is none, no one does. */
function watchHealth(project: string): AbortController {
  const stopping = new AbortController();
  const check = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const names = (await run('podman', ['ps', '--filter', `name=^${project}_`, '--format', '{{.Names}}'])).stdout
        .split('\n')
        .filter(Boolean);
      for (const name of names) await run('podman', ['healthcheck', 'run', name]).catch(() => undefined);
      await new Promise((resolve) => setTimeout(resolve, HEALTH_PAUSE_MS));
    }
  };
  void check().catch(() => undefined);
  return stopping;
}

function ended(child: ChildProcess): Promise<void> {
  return child.exitCode !== null || child.signalCode !== null
    ? Promise.resolve()
    : new Promise((resolve) => child.once('exit', () => resolve()));
}
