import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { SETTINGS } from '../settings.ts';
import { collectBundle } from './collect-bundle.ts';

const dir = mkdtempSync(join(tmpdir(), 'portal-support-'));
after(() => rmSync(dir, { recursive: true, force: true }));

const KEY = Buffer.from('canary-key-of-exactly-32-bytes!!').toString('base64');
/** Every secret setting, in the form that each asks for. Nothing listens at the database's address. */
const SECRETS: Record<string, string> = {
  DATABASE_URL: 'postgres://portal:canary-database@127.0.0.1:9/portal',
  JWT_SECRET: 'k2:canary-newer-signing-secret-0123456789,k1:canary-older-signing-secret-0123456789',
  CREDENTIALS_ENCRYPTION_KEY: `k1:${KEY}`,
  AUTOMATION_CALLBACK_SECRET: 'canary-callback-secret-0123456789abcdef',
  AUTOMATION_ENGINE_ADMIN_PASSWORD: 'canary-engine-password',
  AUTOMATION_ENGINE_ENCRYPTION_KEY: Buffer.from('canary-other-key-of-32-bytes-!!!').toString('base64'),
  PLATFORM_OPENAI_API_KEY: 'canary-openai',
  PLATFORM_ANTHROPIC_API_KEY: 'canary-anthropic',
  SMTP_PASSWORD: 'canary-smtp',
  SEED_ADMIN_PASSWORD: 'canary-admin-password',
  OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20canary-collector',
};

async function collect(env: Record<string, string>, options: { output?: string; log: string }): Promise<{ out: string; said: string }> {
  const [out, said]: [string[], string[]] = [[], []];
  await collectBundle({
    env: { DATA_DIR: dir, PORT: '9', ...env },
    ...options,
    print: (text) => void out.push(text),
    report: (line) => void said.push(line),
  });
  return { out: out.join(''), said: said.join('\n') };
}

type Bundle = {
  settings: Record<string, { from: string }>;
  configuration: { problem?: string };
  log: { errors: { msg: string }[] };
  database: { problem: string };
};

describe('a support bundle', () => {
  const log = join(dir, 'some.log');
  writeFileSync(
    log,
    `${JSON.stringify({ level: 'error', msg: 'dispatch failed', err: { type: 'Error', message: `no canary-smtp for "canary-tenant-key" of canary@example.com` }, address: 'canary' })}\n`,
  );

  it('has no part of any secret setting, and is written although neither service nor database can be reached', async () => {
    assert.deepEqual(
      Object.keys(SECRETS).toSorted(),
      Object.entries(SETTINGS)
        .flatMap(([name, { secret }]) => (secret ? [name] : []))
        .toSorted(),
    );
    const { out, said } = await collect({ ...SECRETS, OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' }, { output: '-', log });
    const bundle = JSON.parse(out) as Bundle; // as the command writes it
    for (const shown of [out, said]) {
      assert.doesNotMatch(shown, /canary/);
      for (const key of [KEY, SECRETS['AUTOMATION_ENGINE_ENCRYPTION_KEY'] ?? '']) assert.ok(!shown.includes(key));
    }
    for (const name of Object.keys(SECRETS)) assert.deepEqual(bundle.settings[name], { from: 'environment' }, name);
    assert.match(bundle.database.problem, /./);
    assert.deepEqual(
      bundle.log.errors.map(({ msg }) => msg),
      ['dispatch failed'],
    );
    assert.match(said, /versions[^]*settings[^]*database: not available/);
  });

  it('shows the address of the portal, also when the database has a user, a host and a name like it', async () => {
    const DATABASE_URL =
      'postgres://portal:canary-database@postgres:5432/portal?sslmode=verify-full&sslrootcert=/database-authority/ca.crt';
    const { out } = await collect({ DATABASE_URL, PUBLIC_BASE_URL: 'https://portal.example.com' }, { output: '-', log });
    const { settings } = JSON.parse(out) as Bundle; // as the command writes it
    assert.deepEqual(settings['PUBLIC_BASE_URL'], { from: 'environment', value: 'https://portal.example.com' });
  });

  it('says which settings keep the service from starting, and no value of them', async () => {
    const { out } = await collect({ ...SECRETS, JWT_SECRET: 'canary', PUBLIC_BASE_URL: 'canary' }, { output: '-', log });
    assert.match((JSON.parse(out) as Bundle).configuration.problem ?? '', /JWT_SECRET[^]*PUBLIC_BASE_URL|PUBLIC_BASE_URL[^]*JWT_SECRET/);
    assert.doesNotMatch(out, /canary/);
  });

  it('is a file of its own account in DATA_DIR, unless another is named', async () => {
    const { said } = await collect(SECRETS, { log });
    const path = /Wrote (\S+\.json)\./.exec(said)?.[1] ?? assert.fail(said);
    assert.ok(path.startsWith(join(dir, 'support-')));
    assert.equal(typeof (JSON.parse(readFileSync(path, 'utf8')) as { createdAt: string }).createdAt, 'string');
    const refused = join(dir, 'no-start-yet');
    assert.match((await collect({ ...SECRETS, DATA_DIR: refused }, { log })).said, new RegExp(`Wrote ${refused}/support-`));
  });
});
