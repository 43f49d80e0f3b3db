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
export const POSTGRES_IMAGE = 'postgres:18.4-bookworm';
const OUTPUT_BYTES_MAX = 64 * 1024 * 1024;
const ARCHIVE_BYTES_MAX = 1024 * 1024 * 1024;
const HEALTH_PAUSE_MS = 1_000;

/** Why the container tests are skipped, which is also written where skipped tests are only counted; false when they run. */
export function whyNotTried(): string | false {
  if (process.env['TEST_CONTAINERS'] !== 'true')
    return notTried('The containers were NOT tried: TEST_CONTAINERS=true runs their tests, which take minutes.');
  const lacks = ['podman', 'docker-compose'].filter((program) => !answers(program, ['--version']));
  return lacks.length === 0 ? false : notTried(`The containers were NOT tried: ${lacks.join(' and ')} is missing.`);
}

/** The same for tests that need the client programs of the image of Postgres, of the version of its server. */
export function whyNoBackup(): string | false {
  const skip = whyNotTried();
  if (skip !== false) return skip;
  const version = '[0-9][0-9.]*';
  const same = `for name in postgres pg_dump pg_restore psql; do $name --version | grep -o ' ${version}' | head -n 1; done | sort -u | wc -l | grep -qx 1`;
  return answers('podman', [
    'run',
    '--rm',
    '--network',
    'none',
    '--entrypoint',
    'bash',
    POSTGRES_IMAGE,
    '-c',
    `set -e -o pipefail; ${same}`,
  ])
    ? false
    : notTried(`Backup and restore were NOT tried: ${POSTGRES_IMAGE} has no pg_dump of its own version.`);
}

/** The version before, which TEST_CONTAINERS_PREVIOUS names by a tag or a commit. */
export function findPrevious(): { revision: string } | { skip: string } {
  const skip = whyNotTried();
  if (skip !== false) return { skip };
  const revision = process.env['TEST_CONTAINERS_PREVIOUS'];
  return revision === undefined
    ? { skip: notTried('An upgrade of the containers was NOT tried: TEST_CONTAINERS_PREVIOUS=<tag or commit> names the version before.') }
    : { revision };
}

function notTried(line: string): string {
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

/** Puts the files of a revision into a folder, which the caller removes. */
export function checkOut(revision: string): string {
  const dir = mkdtempSync(join(tmpdir(), 'portal-before-'));
  const archive = execFileSync('git', ['archive', revision], { cwd: ROOT, maxBuffer: ARCHIVE_BYTES_MAX });
  execFileSync('tar', ['-x', '-C', dir], { input: archive });
  return dir;
}

/** Builds the image from this repository, or from a folder with another version of it. TEST_CONTAINERS_NPMRC names the settings of npm where packages do not come from the public registry directly. */
export function buildImage(image: string, root = ROOT): void {
  const npmrc = process.env['TEST_CONTAINERS_NPMRC'];
  const secret = npmrc === undefined ? [] : ['--secret', `id=npmrc,src=${npmrc}`];
  execFileSync('podman', ['build', '--format', 'docker', ...secret, '--tag', image, root], { stdio: ['ignore', 'ignore', 'inherit'] });
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
  /** Runs commands as they are printed for Docker, in the folder of compose.yaml; returns what they printed. */
  shell(commands: string): Promise<string>;
  podman(...args: string[]): Promise<string>;
  /** Takes the files and the image of a version, or of this repository, as an operator does who updates a clone. */
  useVersion(image: string, root?: string): void;
  /** The name of the container of a service. */
  nameOf(service: string): string;
  /** Calls /health/ready of the service until every part is as expected. */
  ready(): Promise<void>;
  stop(): Promise<void>;
};

/** The service reachable for calls, and a receiver of webhooks, which has a private address: only other environments than production accept it. */
const override = (port: number, image: string): string => `services:
  service:
    ports: ['127.0.0.1:${port}:3000']
    environment: { NODE_ENV: development, WEBHOOK_DEV_ALLOWED_HOSTS: 'receiver:8080', CALLER_REQUESTS_PER_MINUTE: '100000' }
  receiver:
    image: ${image}
    entrypoint: [node, -e]
    command: ["require('http').createServer((q, a) => { let t = ''; q.on('data', (d) => (t += d)); q.on('end', () => { console.log(JSON.stringify({ signature: q.headers['x-service-signature'], body: t })); a.end(); }); }).listen(8080)"]
    networks: [inner]
`;

/**
 * "docker" for printed commands: compose is the program of that name, and all else is podman, which takes the same words. Compose 1.29 does not know
 * `--wait`, which stands before the services.
 */
const DOCKER = `#!/bin/bash
set -e
[ "$1" = compose ] || exec podman "$@"
shift
words="$*"
case " $words " in *' --wait '*) ;; *) exec docker-compose "$@" ;; esac
docker-compose \${words/--wait /}
for service in \${words#*--wait }; do
  until podman healthcheck run "$COMPOSE_PROJECT_NAME"_"$service"_1 > /dev/null; do sleep 1; done
done
`;

/** Starts everything as the page on production says, from the files of this repository or of another version of it. */
export async function deploy({ image, root = ROOT }: { image: string; root?: string }): Promise<Deployment> {
  const dir = mkdtempSync(join(tmpdir(), 'portal-containers-'));
  const project = `portaltest${process.pid}`;
  const [servicePort, httpPort, httpsPort] = [await freePort(), await freePort(), await freePort()];
  const ports = { HTTP_PORT: String(httpPort), HTTPS_PORT: String(httpsPort), PORTAL_IMAGE: '' };
  const useVersion = (ofVersion: string, files = ROOT): void => {
    ports.PORTAL_IMAGE = ofVersion;
    for (const path of ['deploy', 'scripts/setup-production.mjs']) cpSync(join(files, path), join(dir, path), { recursive: true });
    // Compose 1.29, which Debian has, knows all of the file but its name, and reads no profiles from .env.
    writeFileSync(join(dir, 'compose.yaml'), readFileSync(join(files, 'compose.yaml'), 'utf8').replace(/^name: .*\n/m, ''));
    writeFileSync(join(dir, 'compose.override.yaml'), override(servicePort, ofVersion));
  };
  useVersion(image, root);
  mkdirSync(join(dir, 'bin'));
  writeFileSync(join(dir, 'bin', 'docker'), DOCKER, { mode: 0o755 });
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
  const options = () => ({
    cwd: dir,
    env: {
      ...process.env,
      ...ports,
      PATH: `${join(dir, 'bin')}:${process.env['PATH']}`,
      DOCKER_HOST: `unix://${socket}`,
      COMPOSE_PROJECT_NAME: project,
      COMPOSE_PROFILES: env()['COMPOSE_PROFILES'] ?? '',
    },
    maxBuffer: OUTPUT_BYTES_MAX,
  });
  const compose = async (...args: string[]): Promise<string> => (await run('docker-compose', args, options())).stdout;
  const shell = async (commands: string): Promise<string> => {
    const { stdout, stderr } = await run('bash', ['-e', '-o', 'pipefail', '-c', commands], options());
    return stdout + stderr;
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
    shell,
    podman,
    useVersion,
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
