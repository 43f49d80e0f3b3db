import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createPublicKey } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './free-port.ts';
import { OWN_KEY } from './saml-keys.ts';
import type { OnPage } from './sso-service.ts';
import { until } from './system.ts';
import { spawnProvider } from './debian-provider.ts';

const PROGRAM = '/usr/bin/glewlwyd';
const SCHEMA = '/usr/share/dbconfig-common/data/glewlwyd/install/sqlite3';
const SQLITE = '/usr/bin/sqlite3';

export const GLEWLWYD_PACKAGES = ['glewlwyd', 'sqlite3'];
/** Whether those packages of Debian are installed. */
export const hasGlewlwyd = [PROGRAM, SCHEMA, SQLITE].every((path) => existsSync(path));

/** Glewlwyd as Debian ships it, with one client and one person, and its plugin for OpenID Connect. */
export type Glewlwyd = {
  issuer: string;
  /** Changes properties of the client. */
  change(client: object): Promise<void>;
  /** What the person does at its login page: logs in and agrees. */
  atLoginPage: OnPage;
  close(): Promise<void>;
};

const ADMIN = { username: 'admin', password: 'password' };
const PERSON = { username: 'owner', password: 'a password of the tests' };

export async function startGlewlwyd(
  client: { clientId: string; clientSecret: string; redirectUri: string },
  person: { email: string },
): Promise<Glewlwyd> {
  const folder = await mkdtemp(join(tmpdir(), 'glewlwyd-'));
  const port = await freePort();
  const base = `http://127.0.0.1:${port}`;
  const database = join(folder, 'glewlwyd.db');
  execFileSync(SQLITE, [database], { input: readFileSync(SCHEMA) });
  await writeFile(join(folder, 'glewlwyd.conf'), settingsOf({ port, base, database }));
  const server = spawnProvider(PROGRAM, [`--config-file=${join(folder, 'glewlwyd.conf')}`]);
  await until('Glewlwyd answers', async () => (await fetch(`${base}/api/`).catch(() => null)) !== null);
  const cookie = await logIn(base, ADMIN);
  const send = async (method: string, path: string, body: object): Promise<void> => {
    const headers = { 'content-type': 'application/json', cookie };
    const answer = await fetch(`${base}/api${path}`, { method, headers, body: JSON.stringify(body) });
    assert.equal(answer.status, 200, `${path}: ${await answer.text()}`);
  };
  const entry = {
    client_id: client.clientId,
    name: 'Portal',
    confidential: true,
    enabled: true,
    client_secret: client.clientSecret,
    scope: ['openid'],
    redirect_uri: [client.redirectUri],
    authorization_type: ['code'],
    token_endpoint_auth_method: ['client_secret_basic'],
  };
  await send('POST', '/mod/plugin/', { module: 'oidc', name: 'oidc', display_name: 'OIDC', parameters: pluginOf(base, person) });
  await send('POST', '/client/', entry);
  await send('POST', '/user/', { ...PERSON, ...person, name: 'Olive Owner', enabled: true, scope: ['openid'] });
  return {
    issuer: `${base}/api/oidc`,
    change: (changes) => send('PUT', `/client/${encodeURIComponent(client.clientId)}`, { ...entry, ...changes }),
    async atLoginPage({ browser, url }) {
      await browser.send(new URL(`${base}/api/auth/`), 'POST', PERSON);
      await browser.send(new URL(`${base}/api/auth/grant/${encodeURIComponent(client.clientId)}`), 'PUT', { scope: 'openid' });
      return new URL(`${url.searchParams.get('callback_url') ?? ''}&g_continue`);
    },
    async close() {
      server.kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function logIn(base: string, person: object): Promise<string> {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${base}/api/auth/`, { method: 'POST', headers, body: JSON.stringify(person) });
  assert.equal(answer.status, 200);
  return answer.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
}

function settingsOf({ port, base, database }: { port: number; base: string; database: string }): string {
  return `port=${port}
bind_address="127.0.0.1"
external_url="${base}"
login_url="login.html"
api_prefix="api"
log_mode="console"
log_level="ERROR"
cookie_secure=0
session_expiration=3600
session_key="GLEWLWYD2_SESSION_ID"
admin_session_authentication="cookie"
profile_session_authentication="cookie"
allow_multiple_user_per_session=true
login_api_enabled=true
admin_scope="g_admin"
profile_scope="g_profile"
user_module_path="/usr/lib/glewlwyd/user"
client_module_path="/usr/lib/glewlwyd/client"
user_auth_scheme_module_path="/usr/lib/glewlwyd/scheme"
plugin_module_path="/usr/lib/glewlwyd/plugin"
hash_algorithm="SHA512"
static_files_path="/usr/share/glewlwyd/webapp/"
database={ type="sqlite3"; path="${database}"; };
`;
}

function pluginOf(base: string, { email }: { email: string }): object {
  return {
    iss: `${base}/api/oidc`,
    'jwt-type': 'rsa',
    'jwt-key-size': '256',
    key: OWN_KEY,
    cert: createPublicKey(OWN_KEY).export({ type: 'spki', format: 'pem' }),
    'access-token-duration': 3_600,
    'refresh-token-duration': 3_600,
    'code-duration': 600,
    'refresh-token-rolling': true,
    'allow-non-oidc': false,
    'auth-type-code-enabled': true,
    'auth-type-id-token-enabled': true,
    'auth-type-token-enabled': false,
    'auth-type-password-enabled': false,
    'auth-type-client-enabled': false,
    'auth-type-refresh-enabled': true,
    'jwks-show': true,
    'subject-type': 'public',
    'pkce-allowed': true,
    'scope-claim': 'no',
    'session-management-allowed': true,
    'session-cookie-name': 'GLEWLWYD2_OIDC_SESSION_ID',
    'session-cookie-expiration': 3_600,
    'email-claim': 'mandatory',
    'email-claim-user-property': 'email',
    claims: [
      {
        name: 'email_verified',
        'user-property': 'email',
        type: 'boolean',
        'boolean-value-true': email,
        'boolean-value-false': 'none',
        mandatory: true,
        'on-demand': false,
        scope: [],
      },
    ],
  };
}
