// `npm run setup:production -- [https://portal.example.com] [admin@example.com]`: writes .env for compose.yaml with secrets of its own, or checks the one
// that is there, which it never changes. Plain JavaScript without dependencies: nothing has to be installed on a host that runs containers.
import { randomBytes, randomInt } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const FILE = process.env.ENV_FILE ?? join(dirname(dirname(fileURLToPath(import.meta.url))), '.env');
const [url = 'https://portal.localhost', email = 'admin@portal.example.com'] = process.argv.slice(2);
const ID_CHARACTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const ID_LENGTH = 21;

const hex = (bytes = 32) => randomBytes(bytes).toString('hex');
const key = () => randomBytes(32).toString('base64');
const id = () => Array.from({ length: ID_LENGTH }, () => ID_CHARACTERS[randomInt(ID_CHARACTERS.length)]).join('');

/** What compose.yaml requires and what is recommended, with what a new file gets. */
const VALUES = {
  PUBLIC_BASE_URL: () => url,
  COMPOSE_PROFILES: () => 'proxy,embedded-engine',
  // No public authority issues a certificate for a name of this machine.
  PROXY_TLS: () => (new URL(url).hostname.endsWith('.localhost') ? 'internal' : email),
  SEED_ADMIN_EMAIL: () => email,
  SEED_ADMIN_PASSWORD: () => randomBytes(12).toString('base64url'),
  TRUSTED_PROXIES: () => 'uniquelocal',
  POSTGRES_PASSWORD: hex,
  JWT_SECRET: () => `k1:${hex()}`,
  STAFF_IDLE_EXPIRES_IN: () => '8h',
  CREDENTIALS_ENCRYPTION_KEY: () => `k1:${key()}`,
  AUTOMATION_CALLBACK_SECRET: hex,
  AUTOMATION_ENGINE_ENABLED: () => 'true',
  AUTOMATION_ENGINE_BASE_URL: () => 'http://embedded-engine:8080',
  AUTOMATION_ENGINE_ADMIN_EMAIL: () => 'engine-admin@portal.example.com',
  AUTOMATION_ENGINE_ADMIN_PASSWORD: () => hex(16),
  AUTOMATION_ENGINE_PROJECT_ID: id,
  AUTOMATION_ENGINE_ENCRYPTION_KEY: key,
  ENGINE_POSTGRES_PASSWORD: hex,
  ENGINE_ENCRYPTION_KEY: () => hex(16),
  ENGINE_JWT_SECRET: hex,
};
/** What the service gets from compose.yaml in any case. */
const SET_BY_COMPOSE = ['NODE_ENV', 'DATABASE_URL', 'AUTOMATION_INTERNAL_API_URL'];
/** The first staff password is removed once someone has logged in with it. */
const OPTIONAL = new Set([
  'COMPOSE_PROFILES',
  'PROXY_TLS',
  'TRUSTED_PROXIES',
  'SEED_ADMIN_EMAIL',
  'SEED_ADMIN_PASSWORD',
  'STAFF_IDLE_EXPIRES_IN',
]);
const SECRET = /PASSWORD|SECRET|_KEY$/;

if (!URL.canParse(url) || !url.startsWith('https://') || new URL(url).origin !== url)
  fail(`"${url}" is not the address of a portal: write https:// and its name, for example https://portal.example.com.`);
if (existsSync(FILE)) process.stdout.write(`${FILE} exists and is not changed.\n`);
else {
  const lines = Object.entries(VALUES).map(([name, make]) => `${name}=${make()}`);
  const head = [
    '# Written by `npm run setup:production`. docs/configuration.md lists every setting that may be added. Keep a copy in a safe place:',
    '# without CREDENTIALS_ENCRYPTION_KEY the keys that agencies saved cannot be read.',
  ];
  // A file that another run writes meanwhile is not replaced.
  writeFileSync(FILE, [...head, ...lines, ''].join('\n'), { mode: 0o600, flag: 'wx' });
  process.stdout.write(`Wrote ${FILE} with new secrets.\n`);
}
const values = readValues();
const problems = check(values);
if (problems.length > 0) fail(`${FILE} needs attention:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
const login =
  values.get('SEED_ADMIN_EMAIL') && values.get('SEED_ADMIN_PASSWORD')
    ? ` as ${values.get('SEED_ADMIN_EMAIL')} with SEED_ADMIN_PASSWORD of the file`
    : '';
for (const note of notesOn(values)) process.stdout.write(`Note:   ${note}\n`);
process.stdout.write(`
Next:   docker compose up --build --detach
Then:   open ${values.get('PUBLIC_BASE_URL')} and log in${login}.
`);

function readValues() {
  const found = new Map();
  for (const line of readFileSync(FILE, 'utf8').split('\n')) {
    const [, name, value = ''] = /^([A-Z][A-Z0-9_]*)=(.*)$/.exec(line.trim()) ?? [];
    if (name !== undefined) found.set(name, value);
  }
  return found;
}

/** What the containers need before the service itself can say what is wrong. */
function check(found) {
  const profiles = (found.get('COMPOSE_PROFILES') ?? '').split(',');
  const isUnused = (name) =>
    name === 'AUTOMATION_ENGINE_ENCRYPTION_KEY' && profiles.includes('engine') && !profiles.includes('embedded-engine');
  const missing = Object.keys(VALUES).filter((name) => !OPTIONAL.has(name) && !isUnused(name) && !found.get(name));
  const secrets = [...found].filter(([name, value]) => SECRET.test(name) && value !== '');
  const twice = secrets.filter(([name, value]) => secrets.some(([other, same]) => other < name && same === value));
  const inUrl = ['POSTGRES_PASSWORD', 'ENGINE_POSTGRES_PASSWORD'].filter((name) => /[^A-Za-z0-9._~-]/.test(found.get(name) ?? ''));
  return [
    ...missing.map((name) => `${name} is missing`),
    ...twice.map(([name]) => `${name} has the value of another secret`),
    ...inUrl.map((name) => `${name} is part of an address: use letters, digits, and . _ ~ - only`),
  ];
}

/** What starts, but not as most installations want it. */
function notesOn(found) {
  const profiles = (found.get('COMPOSE_PROFILES') ?? '').split(',');
  const { hostname, port } = URL.canParse(found.get('PUBLIC_BASE_URL')) ? new URL(found.get('PUBLIC_BASE_URL')) : {};
  const hasProxy = profiles.includes('proxy');
  return [
    ...SET_BY_COMPOSE.filter((name) => found.has(name)).map(
      (name) => `${name} has no effect on the containers: compose.yaml sets it itself, so change it there.`,
    ),
    ...(found.get('COMPOSE_PROFILES') ? [] : ['without COMPOSE_PROFILES neither the proxy nor an engine starts.']),
    ...(!hasProxy || found.get('PROXY_TLS') || hostname?.endsWith('.localhost')
      ? []
      : ['without PROXY_TLS the proxy makes a certificate of its own, which browsers and senders of webhooks refuse.']),
    ...(!hasProxy || found.get('TRUSTED_PROXIES') ? [] : ['without TRUSTED_PROXIES all callers without a session share one rate limit.']),
    ...(!hasProxy || !port || port === found.get('HTTPS_PORT')
      ? []
      : [`PUBLIC_BASE_URL has the port ${port}: the proxy listens on it with HTTPS_PORT=${port}.`]),
  ];
}

function fail(text) {
  process.stderr.write(`${text}\n`);
  process.exit(1);
}
