import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { checkConfiguration, type ConfigurationCheck, startWarnings } from './check-configuration.ts';
import { loadConfig } from './config.ts';

const random = (name: string): Buffer => createHash('sha256').update(name).digest();
const KEY = random('vault key').toString('base64');
const BASE = {
  DATA_DIR: '/nonexistent',
  DATABASE_URL: 'postgres://admin:database-password@db.internal/portal?sslmode=verify-full',
  JWT_SECRET: random('sessions').toString('hex'),
  AUTOMATION_CALLBACK_SECRET: random('callbacks').toString('hex'),
  CREDENTIALS_ENCRYPTION_KEY: `k1:${KEY}`,
};
const check = (env: Record<string, string>): ConfigurationCheck[] => checkConfiguration(loadConfig({ ...BASE, ...env }));
const stateOf = (checks: ConfigurationCheck[], name: string) => checks.find(({ settings }) => settings.includes(name))?.state;

const GOOD = {
  PUBLIC_BASE_URL: 'https://portal.example',
  NODE_ENV: 'production',
  TRUSTED_PROXIES: '10.0.0.1',
  STAFF_IDLE_EXPIRES_IN: '8h',
  AUTOMATION_ENGINE_ENABLED: 'true',
  AUTOMATION_ENGINE_BASE_URL: 'http://engine.internal',
  AUTOMATION_ENGINE_ADMIN_EMAIL: 'engine@portal.example',
  AUTOMATION_ENGINE_ADMIN_PASSWORD: 'kestrel-42-orbit',
  SMTP_HOST: 'mail.internal',
  SMTP_FROM: 'no-reply@portal.example',
  SMTP_USER: 'mailer',
  SMTP_PASSWORD: 'mail-password',
  METRICS_PORT: '9100',
  CLAMD_ADDRESS: '10.0.0.2:3310',
  PLATFORM_OPENAI_API_KEY: 'platform-key',
  INVOICE_SELLER_NAME: 'Portal Software GmbH',
  INVOICE_SELLER_ADDRESS: 'Torstraße 1; 10119 Berlin',
  INVOICE_SELLER_COUNTRY: 'DE',
  INVOICE_SELLER_TAX_ID: 'DE123456789',
  INVOICE_SELLER_EMAIL: 'billing@portal.example',
  INVOICE_PAYMENT_INSTRUCTIONS: 'IBAN DE89 3704 0044 0532 0130 00',
};

test('a complete production configuration yields no warning and no note', () => {
  assert.deepEqual(
    check(GOOD).filter(({ state }) => state !== 'ok'),
    [],
  );
});

test('each finding names its setting and has its severity', () => {
  const cases: [Record<string, string>, string, 'note' | 'warn'][] = [
    [{ PUBLIC_BASE_URL: 'http://portal.example', ALLOW_INSECURE: 'http' }, 'PUBLIC_BASE_URL', 'warn'],
    [{ PUBLIC_BASE_URL: 'http://localhost:3000', ALLOW_INSECURE: 'http' }, 'PUBLIC_BASE_URL', 'note'],
    [{ DATABASE_URL: 'postgres://admin:database-password@db.internal/portal' }, 'DATABASE_URL', 'note'],
    [{ DATABASE_URL: 'postgres://admin:database-password@db.internal/portal?sslmode=no-verify' }, 'DATABASE_URL', 'warn'],
    [{ ALLOW_INSECURE: 'secrets' }, 'ALLOW_INSECURE', 'warn'],
    [{ JWT_SECRET: `k2:${BASE.JWT_SECRET},k1:${random('older').toString('hex')}` }, 'JWT_SECRET', 'note'],
    [{ NODE_ENV: 'development' }, 'NODE_ENV', 'warn'],
    [{ NODE_ENV: 'development', WEBHOOK_DEV_ALLOWED_HOSTS: '10.1.1.1' }, 'WEBHOOK_DEV_ALLOWED_HOSTS', 'warn'],
    [{ TRUSTED_PROXIES: '' }, 'TRUSTED_PROXIES', 'warn'],
    [{ STAFF_IDLE_EXPIRES_IN: 'off' }, 'STAFF_IDLE_EXPIRES_IN', 'note'],
    [{ METRICS_PORT: '' }, 'METRICS_PORT', 'note'],
    [{ CREDENTIALS_ENCRYPTION_KEY: `k2:${KEY},k1:${random('older key').toString('base64')}` }, 'CREDENTIALS_ENCRYPTION_KEY', 'note'],
    [{ SEED_ADMIN_EMAIL: 'a@b.example', SEED_ADMIN_PASSWORD: 'heron-17-meadow' }, 'SEED_ADMIN_PASSWORD', 'note'],
    [{ AUTOMATION_ENGINE_ENABLED: 'false' }, 'AUTOMATION_ENGINE_ENABLED', 'warn'],
    [{ PROVIDER_SANDBOX: 'true', ALLOW_INSECURE: 'sandbox' }, 'PROVIDER_SANDBOX', 'warn'],
    [{ PROVIDER_SANDBOX: 'true', NODE_ENV: 'development' }, 'PROVIDER_SANDBOX', 'note'],
    [{ SMTP_HOST: '' }, 'SMTP_HOST', 'warn'],
    [{ SMTP_SECURITY: 'none', SMTP_USER: '', ALLOW_INSECURE: 'http,mail' }, 'SMTP_SECURITY', 'warn'],
    [{ PLATFORM_OPENAI_API_KEY: '' }, 'PLATFORM_OPENAI_API_KEY', 'note'],
    [{ INVOICE_SELLER_NAME: '' }, 'INVOICE_SELLER_NAME', 'warn'],
    [{ INVOICE_SELLER_ADDRESS: '', NODE_ENV: 'development' }, 'INVOICE_SELLER_ADDRESS', 'note'],
    [{ INVOICE_SELLER_TAX_ID: '' }, 'INVOICE_SELLER_TAX_ID', 'note'],
    [{ INVOICE_PAYMENT_INSTRUCTIONS: '' }, 'INVOICE_PAYMENT_INSTRUCTIONS', 'warn'],
  ];
  for (const [env, name, state] of cases) assert.equal(stateOf(check({ ...GOOD, ...env }), name), state, JSON.stringify(env));
});

test('an engine that is switched off says whether installed agents still run', () => {
  const textOf = (env: Record<string, string>) =>
    check({ ...GOOD, AUTOMATION_ENGINE_ENABLED: 'false', ...env })
      .filter(({ settings }) => settings.includes('AUTOMATION_ENGINE_ENABLED'))
      .map(({ message }) => message)
      .join();
  assert.match(textOf({}), /Installed agents still run\.$/);
  assert.match(textOf({ AUTOMATION_ENGINE_BASE_URL: '' }), /runs wait for it until they fail\.$/);
});

test('warnings are listed first, and no value is shown', () => {
  const env = { ...GOOD, TRUSTED_PROXIES: '', METRICS_PORT: '', SEED_ADMIN_EMAIL: 'a@b.example', SEED_ADMIN_PASSWORD: 'heron-17-meadow' };
  const checks = check(env);
  assert.deepEqual([checks[0]?.state, checks.at(-1)?.state], ['warn', 'ok']);
  const output = JSON.stringify(checks);
  for (const value of [...Object.values(BASE), ...Object.values(env), KEY, 'database-password'])
    if (value.length > 6 && value !== 'production') assert.ok(!output.includes(value), value);
});

test('a production start says what is missing, and only that', () => {
  const started = (env: Record<string, string>) => startWarnings(loadConfig({ ...BASE, ...GOOD, ...env }));
  assert.deepEqual(started({}), []);
  const lacking = { INVOICE_SELLER_NAME: '', INVOICE_PAYMENT_INSTRUCTIONS: '' };
  assert.deepEqual(started(lacking), [
    'Check INVOICE_SELLER_NAME, INVOICE_SELLER_ADDRESS: The seller is not configured: no invoice can be issued.',
    'Check INVOICE_PAYMENT_INSTRUCTIONS: Invoices do not say how to pay them.',
  ]);
  assert.deepEqual(started({ ...lacking, NODE_ENV: 'development' }), []);
});

test('the address of clamd is a host with a port or the path of a socket, and without one files are not scanned', () => {
  const addressOf = (value: string) => loadConfig({ ...BASE, CLAMD_ADDRESS: value }).clamd;
  assert.deepEqual(addressOf('scanner.internal:3310'), { host: 'scanner.internal', port: 3310 });
  assert.deepEqual(addressOf('[::1]:3310'), { host: '::1', port: 3310 });
  assert.deepEqual(addressOf('/run/clamav/clamd.ctl'), { path: '/run/clamav/clamd.ctl' });
  assert.deepEqual(addressOf('unix:/run/clamav/clamd.ctl'), { path: '/run/clamav/clamd.ctl' });
  for (const wrong of ['scanner.internal', 'scanner:0', 'scanner:70000', 'tcp://scanner:3310', 'run/clamd.ctl'])
    assert.throws(() => addressOf(wrong), /CLAMD_ADDRESS/, wrong);
  assert.equal(loadConfig(BASE).clamd, null);
  assert.equal(stateOf(check({}), 'CLAMD_ADDRESS'), 'note');
});
