import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { chmodSync, globSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text as streamText } from 'node:stream/consumers';
import { after, afterEach, beforeEach, describe, test } from 'node:test';
import { recorded, type ReplayEngine, startReplayEngine } from './harness/replay-engine.ts';
import { externalHost } from '@partner-portal/service/platform/db/host.ts';
import { withClient } from '@partner-portal/service/platform/db/roles.ts';
import { startTlsPostgres } from './harness/tls-postgres.ts';
import { loadConfig, loadEngineConfig } from '@partner-portal/service/config.ts';

// compose.yaml is read as text: what must never be published is not, and what may be is behind both switches.

const text = readFileSync(join(import.meta.dirname, '..', 'compose.yaml'), 'utf8');
const stage = mkdtempSync(join(tmpdir(), 'portal-compose-'));
after(() => rmSync(stage, { recursive: true, force: true }));

/** The lines of one service; comments are left out, unless its script is wanted. */
function serviceOf(name: string, { comments = false } = {}): string {
  const lines = text.slice(text.indexOf('\nservices:'), text.indexOf('\nnetworks:')).split('\n');
  const first = lines.indexOf(`  ${name}:`);
  assert.ok(first > 0, `compose.yaml has no service ${name}`);
  const rest = lines.slice(first + 1);
  const end = rest.findIndex((line) => /^ {2}\S/.test(line));
  return rest
    .slice(0, end < 0 ? undefined : end)
    .filter((line) => comments || !line.trim().startsWith('#'))
    .join('\n');
}

test('Compose and the chart give a stop the same time', () => {
  const helpers = readFileSync(join(import.meta.dirname, '..', 'deploy', 'helm', 'templates', '_helpers.tpl'), 'utf8');
  const [, ofChart] = /terminationGracePeriodSeconds: (\d+)/.exec(helpers) ?? [];
  const [, ofCompose] = /stop_grace_period: (\d+)s/.exec(text) ?? [];
  assert.ok(ofChart);
  assert.equal(ofCompose, ofChart);
});

test('engines, their databases and ours have no port and are not on the edge network', () => {
  for (const name of ['engine', 'embedded-engine', 'worker', 'engine-postgres', 'engine-redis', 'postgres']) {
    assert.doesNotMatch(serviceOf(name), /ports:|expose:|edge|network_mode/, name);
    assert.match(serviceOf(name), /networks: \[inner\]/, name);
  }
});

test('the service runs for production, and takes every setting of .env', () => {
  const service = serviceOf('service');
  assert.match(service, /NODE_ENV: production\n/);
  assert.match(service, /^ {4}env_file: \.env$/m);
  // What stands here wins over the file: only what follows from the containers.
  const fixed = [...service.matchAll(/^ {6}([A-Z_]+): /gm)].map(([, name]) => name);
  assert.deepEqual(fixed, ['NODE_ENV', 'DATABASE_URL', 'AUTOMATION_INTERNAL_API_URL']);
});

test('the engine of the image is given nothing that opens the service’s database, sessions or vault', () => {
  const engine = serviceOf('embedded-engine');
  assert.doesNotMatch(engine, /env_file|JWT_SECRET|CREDENTIALS_|CALLBACK_SECRET|\{POSTGRES_PASSWORD|database-authority/);
  assert.match(engine, /DATABASE_URL: postgres:\/\/engine:\$\{ENGINE_POSTGRES_PASSWORD:\?set me\}@engine-postgres:5432\/engine\n/);
});

test('what is made of the image writes to no file system but its own memory', () => {
  const shared = text.slice(text.indexOf('x-image:'), text.indexOf('\nservices:'));
  for (const line of ['read_only: true', 'tmpfs: [/tmp, /var/lib/portal]', 'cap_drop: [ALL]'])
    assert.ok(shared.includes(`  ${line}\n`), line);
  for (const name of ['service', 'worker', 'embedded-engine']) assert.match(serviceOf(name), /^ {4}<<: \*image$/m, name);
});

test('the proxy listens on the port that is published, so that the portal’s address may name it', () => {
  const proxy = serviceOf('proxy');
  assert.match(proxy, /HTTPS_PORT: '\$\{HTTPS_PORT:-443\}'/);
  assert.match(proxy, /'\$\{HTTPS_PORT:-443\}:\$\{HTTPS_PORT:-443\}'/);
  const caddyfile = readFileSync(join(import.meta.dirname, '..', 'deploy', 'Caddyfile'), 'utf8');
  assert.match(caddyfile, /^\thttps_port \{\$HTTPS_PORT:443\}$/m);
});

/** Runs `npm run setup:production` on a file of its own. */
function setUp(args: readonly string[] = [], file = join(mkdtempSync(join(stage, 'setup-')), '.env')) {
  const script = join(import.meta.dirname, '..', 'scripts', 'setup-production.mjs');
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], { env: { ENV_FILE: file }, encoding: 'utf8' });
  const lines = status === 0 ? readFileSync(file, 'utf8').split('\n') : [];
  const env = Object.fromEntries(lines.filter((line) => /^[A-Z]/.test(line)).map((line) => line.split(/=(.*)/s).slice(0, 2)));
  return { file, status, out: stdout + stderr, env: env as Record<string, string> };
}

describe('setup:production', () => {
  test('writes a file for its owner alone, with which the service and its engine start in production', () => {
    const { file, env, out } = setUp(['https://portal.example.com', 'ops@example.com']);
    assert.equal(statSync(file).mode & 0o777, 0o600);
    assert.match(out, /Next: {3}docker compose up --build --detach\n/);
    const service = { ...env, NODE_ENV: 'production', DATABASE_URL: 'postgres://portal:x@postgres/portal', DATA_DIR: stage };
    const config = loadConfig(service);
    assert.deepEqual([config.http.publicBaseUrl, config.seedAdmin.email], ['https://portal.example.com', 'ops@example.com']);
    assert.equal(config.session.staffIdleSeconds, 8 * 3600);
    const alone = loadEngineConfig({
      ...env,
      DATABASE_URL: 'postgres://engine:x@engine-postgres/engine',
      AUTOMATION_INTERNAL_API_URL: 'http://service:3000',
    });
    assert.equal(alone.projectId, config.engine.projectId);
    assert.notEqual(env['JWT_SECRET'], setUp().env['JWT_SECRET']);
  });

  test('never changes a file that is there, and says what it lacks', () => {
    const { file } = setUp();
    writeFileSync(
      file,
      readFileSync(file, 'utf8')
        .replace(/^JWT_SECRET=.*\n/m, '')
        .replace(/^ENGINE_JWT_SECRET=.*/m, 'ENGINE_JWT_SECRET='),
    );
    const before = readFileSync(file, 'utf8');
    const { status, out } = setUp([], file);
    assert.equal(status, 1);
    assert.match(out, /is not changed[^]*- JWT_SECRET is missing\n {2}- ENGINE_JWT_SECRET is missing/);
    assert.equal(readFileSync(file, 'utf8'), before);
  });

  test('takes a file without the first staff password, which System asks to remove, and without the key of an engine that does not run', () => {
    const { file } = setUp();
    const change = (from: RegExp, to: string): void => writeFileSync(file, readFileSync(file, 'utf8').replace(from, to));
    change(/^SEED_ADMIN_PASSWORD=.*\n/m, '');
    const without = setUp([], file);
    assert.equal(without.status, 0, without.out);
    assert.match(without.out, /Next: {3}docker compose up[^]*log in\.\n/);
    change(/^AUTOMATION_ENGINE_ENCRYPTION_KEY=.*\n/m, '');
    assert.match(setUp([], file).out, /- AUTOMATION_ENGINE_ENCRYPTION_KEY is missing/);
    change(/^COMPOSE_PROFILES=.*/m, 'COMPOSE_PROFILES=proxy,engine');
    const external = setUp([], file);
    assert.equal(external.status, 0, external.out);
  });

  test('says which lines have no effect, because compose.yaml sets these itself', () => {
    const { file, out } = setUp();
    assert.doesNotMatch(out, /Note:/);
    const settings =
      /environment: &settings\n((?: {6}.*\n)+)/.exec(readFileSync(join(import.meta.dirname, '..', 'compose.yaml'), 'utf8'))?.[1] ?? '';
    const names = [...settings.matchAll(/^ +([A-Z_]+):/gm)].map(([, name = '']) => name);
    assert.ok(names.includes('DATABASE_URL'));
    writeFileSync(
      file,
      `${readFileSync(file, 'utf8').replace(/^COMPOSE_PROFILES=.*\n/m, '')}${names.map((name) => `${name}=x\n`).join('')}`,
    );
    const said = setUp([], file);
    assert.equal(said.status, 0, said.out);
    for (const name of [...names, 'COMPOSE_PROFILES']) assert.match(said.out, new RegExp(`Note: .*${name}`));
  });

  test('says what a proxy lacks in a file that was written by hand', () => {
    const { file, out } = setUp(['https://portal.example.com:8443', 'ops@example.com']);
    assert.match(out, /Note: .*HTTPS_PORT=8443/);
    const whole = readFileSync(file, 'utf8');
    const notesOf = (content: string): string[] => {
      writeFileSync(file, content);
      const { status, out: said } = setUp([], file);
      assert.equal(status, 0, said);
      return [...said.matchAll(/^Note: +(?:without |PUBLIC_BASE_URL .*with )([A-Z_]+)/gm)].map(([, name = '']) => name);
    };
    assert.deepEqual(notesOf(`${whole}HTTPS_PORT=8443\n`), []);
    const bare = whole.replace(/^(PROXY_TLS|TRUSTED_PROXIES)=.*\n/gm, '').replace(':8443', '');
    assert.deepEqual(notesOf(bare), ['PROXY_TLS', 'TRUSTED_PROXIES']);
    assert.deepEqual(notesOf(bare.replace('portal.example.com', 'portal.localhost')), ['TRUSTED_PROXIES']);
    assert.deepEqual(notesOf(bare.replace('proxy,', '')), []);
  });

  test('refuses an address without https', () => {
    for (const url of ['http://portal.example.com', 'portal.example.com', 'https://portal.example.com/path'])
      assert.match(setUp([url]).out, /is not the address of a portal/, url);
  });
});

describe('TLS between the service and its database', { skip: hasOpenssl() ? false : 'openssl is not installed' }, () => {
  const server = join(stage, 'certificate');
  const authority = join(stage, 'authority');
  const bin = join(stage, 'bin');
  /** Runs the container's script; `chown` is not run, because its account exists in the image only. */
  function run(): { status: number | null; err: string } {
    const script = /command:\n\s+- \|\n([\s\S]*?)\n {4}\S/.exec(serviceOf('database-certificate', { comments: true }))?.[1];
    assert.ok(script);
    for (const folder of [server, authority, bin]) mkdirSync(folder, { recursive: true });
    writeFileSync(join(bin, 'chown'), '#!/bin/sh\n[ "$1" = postgres:postgres ]\n', { mode: 0o755 });
    const done = spawnSync('/bin/sh', ['-ec', script.replaceAll('$$', '$')], {
      env: { PATH: `${bin}:/usr/bin:/bin`, TMPDIR: stage, DAYS: '3650', SERVER_DIR: server, AUTHORITY_DIR: authority },
    });
    return { status: done.status, err: done.stderr.toString() };
  }

  test('is on, and the service verifies the database by the authority that issued its certificate', async () => {
    const made = run();
    assert.equal(made.status, 0, made.err);
    assert.deepEqual(readdirSync(authority), ['ca.crt'], 'nobody can issue another certificate');
    assert.deepEqual(readdirSync(server).toSorted(), ['server.crt', 'server.key']);
    assert.equal(statSync(join(server, 'server.key')).mode & 0o777, 0o600);
    const [cert, key, ca] = [join(server, 'server.crt'), join(server, 'server.key'), join(authority, 'ca.crt')].map((path) =>
      readFileSync(path, 'utf8'),
    );
    const postgres = await startTlsPostgres({ host: 'postgres', cert: cert ?? '', key: key ?? '' });
    try {
      // What DATABASE_URL of the file says, with the address of this server: outside the network its name leads nowhere.
      const url = /DATABASE_URL: (.+)/.exec(serviceOf('service'))?.[1] ?? '';
      assert.match(url, /@postgres:5432\/portal\?sslmode=verify-full&sslrootcert=\/database-authority\/ca\.crt$/);
      const { ssl } = externalHost(url.replace(/:\$\{[^}]+\}/, ':x').replace('/database-authority', authority), 's'.repeat(40)).adminConfig;
      const connect = (servername: string) =>
        withClient({ ...postgres.adminConfig, host: '127.0.0.1', port: postgres.port, ssl: { ...ssl, servername } }, (client) =>
          client.query('select ssl from pg_stat_ssl where pid = pg_backend_pid()'),
        );
      assert.deepEqual((await connect('postgres')).rows, [{ ssl: true }]);
      await assert.rejects(connect('engine-postgres'), /is for another host name/);
    } finally {
      await postgres.close();
    }
    assert.ok(new X509Certificate(cert ?? '').verify(new X509Certificate(ca ?? '').publicKey));
  });

  test('keeps its certificate when it is started again, and makes it again when the first run was interrupted', () => {
    const certificate = (): string => readFileSync(join(server, 'server.crt'), 'utf8');
    const first = certificate();
    assert.equal(run().status, 0);
    assert.equal(certificate(), first);
    rmSync(join(server, 'server.key'));
    assert.equal(run().status, 0);
    assert.notEqual(certificate(), first);
  });

  test('uses a key that only the database container sees, which offers TLS from its first start', () => {
    const database = serviceOf('postgres');
    assert.match(
      database,
      /-c ssl=on -c ssl_cert_file=\/database-certificate\/server\.crt -c ssl_key_file=\/database-certificate\/server\.key$/m,
    );
    assert.match(database, /depends_on: \{ database-certificate: \{ condition: service_completed_successfully \} \}/);
    assert.match(database, /'database-certificate:\/database-certificate:ro'/);
    assert.match(serviceOf('service'), /'database-authority:\/database-authority:ro'/);
    assert.doesNotMatch(serviceOf('service'), /database-certificate/);
    assert.match(serviceOf('database-certificate'), /network_mode: none/);
  });

  test('is renewed by a command that starts again everything that trusts the authority before it', () => {
    const page = readFileSync(join(import.meta.dirname, '..', 'docs', 'deploy.md'), 'utf8');
    const [, named] = /To replace both: `[^`]+`, then `docker compose up -d --force-recreate([^`]*)`/.exec(page) ?? [];
    assert.ok(named !== undefined);
    const names = [...text.slice(text.indexOf('\nservices:')).matchAll(/^ {2}([a-z-]+):$/gm)].map(([, name = '']) => name);
    const concerned = names.filter((name) => /'database-(authority|certificate):/.test(serviceOf(name)));
    assert.ok(concerned.includes('worker') && concerned.includes('postgres'), concerned.join());
    // Without a name all that run are; a name would start one whose profile is off.
    const recreated = named.trim() === '' ? names : named.trim().split(' ');
    assert.deepEqual(
      concerned.filter((name) => !recreated.includes(name)),
      [],
    );
  });
});

function hasOpenssl(): boolean {
  return spawnSync('openssl', ['version']).status === 0;
}

test('every value that compose.yaml requires is in the file that setup:production writes', () => {
  // compose reads the whole file for every command: a required value blocks every container.
  assert.doesNotMatch(text, /AUTOMATION_ENGINE_PROJECT_ID:\?/, 'the external engine tells it only once it runs');
  const required = new Set([...text.matchAll(/\$\{([A-Z_]+):\?/g)].map(([, name = '']) => name));
  assert.ok(required.size > 5);
  const { env } = setUp();
  assert.deepEqual(
    [...required].filter((name) => !env[name]),
    [],
  );
});

/** What the engine's image needs of its environment, and the form it demands: each of these is missing a default, or has one that is not ours. */
const ENGINE_NEEDS: { [name: string]: RegExp } = {
  AP_ENCRYPTION_KEY: /^\$\{ENGINE_ENCRYPTION_KEY:\?set me\}$/,
  AP_JWT_SECRET: /^\$\{ENGINE_JWT_SECRET:\?set me\}$/,
  AP_FRONTEND_URL: /^http:\/\/engine$/,
  AP_POSTGRES_HOST: /^engine-postgres$/,
  AP_POSTGRES_PORT: /^'5432'$/,
  AP_POSTGRES_DATABASE: /^engine$/,
  AP_POSTGRES_USERNAME: /^engine$/,
  AP_POSTGRES_PASSWORD: /^\$\{ENGINE_POSTGRES_PASSWORD:\?set me\}$/,
  AP_REDIS_HOST: /^engine-redis$/,
  AP_REDIS_PORT: /^'6379'$/,
  // Code steps run in a bare isolate, as the catalog's tests run them.
  AP_EXECUTION_MODE: /^SANDBOX_CODE_ONLY$/,
  // Without a worker nothing runs, and no connection can be made.
  AP_CONTAINER_TYPE: /^WORKER_AND_APP$/,
  AP_WORKER_CONCURRENCY: /^\$\{ENGINE_WORKER_CONCURRENCY:-[1-9]\d*\}$/,
};

test('the engine gets every variable that it does not start without', () => {
  const engine = serviceOf('engine');
  for (const [name, form] of Object.entries(ENGINE_NEEDS)) {
    const value = new RegExp(`^ {6}${name}: (.+)$`, 'm').exec(engine)?.[1];
    assert.match(value ?? '(missing)', form, name);
  }
  // Its database and its queue are the ones of this file, with the same names.
  const database = serviceOf('engine-postgres');
  assert.match(database, /POSTGRES_USER: engine, POSTGRES_PASSWORD: '\$\{ENGINE_POSTGRES_PASSWORD:\?set me\}', POSTGRES_DB: engine/);
  assert.match(serviceOf('engine-redis'), /image: redis:/);
});

describe('the script that makes the engine’s admin, as the page writes it, on an engine that answers as recorded,', () => {
  const SIGN_IN = 'POST /api/v1/authentication/sign-in';
  const SIGN_UP = 'POST /api/v1/authentication/sign-up';
  const PLATFORMS = 'POST /api/v1/platforms';
  const ONBOARDING = 'a token that is good for making the platform only';
  const { projectId } = recorded('create-platform-onboarding').body as { projectId: string };
  let engine: ReplayEngine;

  beforeEach(async () => {
    engine = await startReplayEngine();
    engine.on(PLATFORMS, ({ token, body }) =>
      recorded(token === ONBOARDING && 'name' in (body as object) ? 'create-platform-onboarding' : 'create-platform-second-refused'),
    );
  });
  afterEach(() => engine.close());

  async function run(): Promise<{ code: number | null; out: string; err: string; made: number[] }> {
    const page = readFileSync(join(import.meta.dirname, '..', 'docs', 'deploy.md'), 'utf8');
    const script = /<<'JS'\n([^]*?)\n {3}JS\n/.exec(page)?.[1];
    assert.ok(script !== undefined && script.includes('http://engine:80'));
    const child = spawn(process.execPath, ['--input-type=module', '-'], {
      env: { AUTOMATION_ENGINE_ADMIN_EMAIL: 'engine@example.com', AUTOMATION_ENGINE_ADMIN_PASSWORD: 'a-good-password' },
    });
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
    child.stdin.end(script.replace('http://engine:80', engine.url));
    const [out, err] = await Promise.all([streamText(child.stdout), streamText(child.stderr)]);
    return { code: await ended, out, err, made: [engine.count(SIGN_UP), engine.count(PLATFORMS)] };
  }

  test('makes account, platform and project at the first start, and prints the project', async () => {
    engine.on(SIGN_IN, recorded('sign-in-no-such-user'));
    engine.on(SIGN_UP, ({ body }) => {
      assert.deepEqual(Object.keys(body as object).toSorted(), ['email', 'firstName', 'lastName', 'newsLetter', 'password', 'trackEvents']);
      return recorded('sign-up-first-admin', { token: ONBOARDING });
    });
    const { code, out, err, made } = await run();
    assert.deepEqual([code, out, made], [0, `AUTOMATION_ENGINE_PROJECT_ID=${projectId}\n`, [1, 1]], err);
  });

  test('goes on where it was interrupted: an account without a platform gets one', async () => {
    engine.on(SIGN_IN, recorded('sign-in-ok-before-platform', { token: ONBOARDING }));
    engine.on(SIGN_UP, recorded('sign-up-same-email'));
    const { code, out, err, made } = await run();
    assert.deepEqual([code, out, made], [0, `AUTOMATION_ENGINE_PROJECT_ID=${projectId}\n`, [0, 1]], err);
  });

  test('makes nothing when it is run again, and prints the same project', async () => {
    engine.on(SIGN_UP, recorded('sign-up-refused-after-platform'));
    const { code, out, err, made } = await run();
    assert.deepEqual([code, out, made], [0, `AUTOMATION_ENGINE_PROJECT_ID=${projectId}\n`, [0, 0]], err);
  });

  test('stands in the section that engine:check names to an engine without a project', () => {
    const source = readFileSync(join(import.meta.dirname, '..', 'service', 'adapters', 'engine-check.ts'), 'utf8');
    const [, section = ''] = /initial setup is not finished \(docs\/deploy\.md, "([^"]+)"\)/.exec(source) ?? [];
    const page = readFileSync(join(import.meta.dirname, '..', 'docs', 'deploy.md'), 'utf8');
    const [, own = ''] = page.split(`\n## ${section}\n`);
    assert.ok(own.split('\n## ')[0]?.includes("<<'JS'"), section);
  });

  test('makes no second admin, and prints what the engine answered', async () => {
    engine.on(SIGN_IN, recorded('sign-in-wrong-password'));
    engine.on(SIGN_UP, recorded('sign-up-refused-after-platform'));
    const { code, out, err, made } = await run();
    assert.deepEqual([code, out, made], [1, '', [1, 0]]);
    assert.match(err, /\/authentication\/sign-up: 403 .*INVITATION_ONLY_SIGN_UP/);
  });
});

test('the engine’s editor is published only on request, with both switches and a password', () => {
  const editor = serviceOf('engine-editor');
  assert.match(editor, /profiles: \[engine-editor\]/, 'not started with the others');
  const script = /command:\n\s+- \|\n([\s\S]*?)\n {4}\S/.exec(editor)?.[1];
  assert.ok(script);
  const bin = join(stage, 'caddy');
  writeFileSync(bin, '#!/bin/sh\ncat "$5"\n');
  chmodSync(bin, 0o755);
  const run = (env: Record<string, string>): string => {
    const done = spawnSync('/bin/sh', ['-ec', script.replaceAll('$$', '$')], {
      env: { PATH: `${stage}:/usr/bin:/bin`, TMPDIR: stage, ...env },
    });
    return done.stdout.toString() + done.stderr.toString();
  };
  const both = { AUTOMATION_ENGINE_DOMAIN: 'engine.example.com', AUTOMATION_ENGINE_PUBLIC_UI: 'true' };
  const guard = { ENGINE_EDITOR_USER: 'ops', ENGINE_EDITOR_PASSWORD_HASH: '$2a$14$hash' };
  for (const env of [
    {},
    { ...guard },
    { ...guard, AUTOMATION_ENGINE_DOMAIN: both.AUTOMATION_ENGINE_DOMAIN },
    { ...guard, AUTOMATION_ENGINE_PUBLIC_UI: 'true' },
    { ...guard, ...both, AUTOMATION_ENGINE_PUBLIC_UI: 'TRUE' },
    { ...guard, ...both, AUTOMATION_ENGINE_DOMAIN: '' },
    both,
  ])
    assert.match(run(env), /^Not published/, JSON.stringify(env));
  assert.equal(
    run({ ...both, ...guard }),
    'engine.example.com {\n  basic_auth {\n    ops $2a$14$hash\n  }\n  reverse_proxy engine:80\n}\n',
  );
});

test('every log message that docs/failure-modes.md explains is one the service writes', () => {
  const page = readFileSync(join(import.meta.dirname, '..', 'docs', 'failure-modes.md'), 'utf8');
  // Values stand as "…"; each part between them must be in the source. The message of the database itself is not ours.
  const messages = [...page.matchAll(/log: `([^`]+)`/g)].map(([, text = '']) => text).filter((text) => !text.startsWith('cached plan'));
  assert.ok(messages.length > 6, `only ${messages.length}`);
  const service = join(import.meta.dirname, '..', 'service');
  const files = globSync('**/*.ts', { cwd: service, exclude: (name) => name === 'node_modules' }).filter(
    (file) => !file.includes('.test.'),
  );
  const source = files.map((file) => readFileSync(join(service, file), 'utf8').toLowerCase()).join('\n');
  const parts = (text: string): string[] =>
    text
      .replace(/ \(\w+\)$/, '')
      .split('…')
      .map((part) => part.trim().toLowerCase());
  assert.deepEqual(
    messages.filter((text) => !parts(text).every((part) => source.includes(part))),
    [],
  );
});
