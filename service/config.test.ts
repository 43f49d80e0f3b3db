import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { inspect } from 'node:util';
import { loadConfig, loadEngineConfig } from './config.ts';
import { StartError } from './platform/start-error.ts';

const made: string[] = [];
after(() => {
  for (const dir of made) rmSync(dir, { recursive: true, force: true });
});

function freshDir(content?: string | Buffer): string {
  const dir = mkdtempSync(join(tmpdir(), 'portal-config-'));
  made.push(dir);
  if (content !== undefined) writeFileSync(join(dir, 'settings.env'), content);
  return dir;
}

function problemsOf(env: Record<string, string>): string {
  try {
    loadConfig(env);
  } catch (error) {
    assert.ok(error instanceof StartError, String(error));
    return error.message;
  }
  return '';
}

describe('the first start', () => {
  it('writes a private settings file with fresh secrets, the engine and the sandbox on', () => {
    const DATA_DIR = freshDir();
    const config = loadConfig({ DATA_DIR });
    assert.equal(config.engine.enabled, true);
    assert.equal(config.providers.sandbox, true);
    assert.equal(statSync(join(DATA_DIR, 'settings.env')).mode & 0o777, 0o600);
    const other = loadConfig({ DATA_DIR: freshDir() });
    assert.notEqual(config.session.secret.reveal(), other.session.secret.reveal());
  });

  it('is the only one that writes secrets: the next start reads the same ones', () => {
    const DATA_DIR = freshDir();
    const first = loadConfig({ DATA_DIR });
    const second = loadConfig({ DATA_DIR });
    assert.equal(second.session.secret.reveal(), first.session.secret.reveal());
    assert.deepEqual(second.vault.ring, first.vault.ring);
  });

  it('writes no file when it is refused', () => {
    const DATA_DIR = freshDir();
    assert.match(problemsOf({ DATA_DIR, PORT: 'http' }), /PORT/);
    assert.equal(existsSync(join(DATA_DIR, 'settings.env')), false);
  });

  it('with an external database generates no secrets and requires them', () => {
    const DATA_DIR = freshDir();
    const problems = problemsOf({ DATA_DIR, DATABASE_URL: 'postgres://u:p@db/portal' });
    for (const name of ['JWT_SECRET', 'CREDENTIALS_ENCRYPTION_KEY', 'AUTOMATION_CALLBACK_SECRET']) assert.match(problems, new RegExp(name));
    assert.equal(existsSync(join(DATA_DIR, 'settings.env')), false);
  });
});

describe('settings', () => {
  it('have documented defaults', () => {
    const DATA_DIR = freshDir();
    const { engine, session, http } = loadConfig({ DATA_DIR, AUTOMATION_ENGINE_ENABLED: 'yes' });
    assert.equal(engine.enabled, false, 'only the exact text true enables');
    assert.deepEqual(
      [
        engine.tenancyMode,
        engine.edition,
        engine.publicUi,
        engine.healthTimeoutMs,
        engine.provisionTimeoutMinutes,
        session.expiresInSeconds,
        // A session lasts a day, also unused.
        session.idleSeconds,
        session.staffIdleSeconds,
        http.corsOrigins,
      ],
      ['shared', 'ce', false, 5_000, 15, 86_400, null, null, []],
    );
  });

  it('from the environment override those in the file', () => {
    const DATA_DIR = freshDir();
    loadConfig({ DATA_DIR });
    writeFileSync(join(DATA_DIR, 'settings.env'), `${readFileSync(join(DATA_DIR, 'settings.env'), 'utf8')}PORT=4000\n`);
    assert.equal(loadConfig({ DATA_DIR }).http.port, 4000);
    assert.equal(loadConfig({ DATA_DIR, PORT: '5000' }).http.port, 5000);
  });

  it('that are malformed are all listed at once, secrets without their value', () => {
    const problems = problemsOf({
      DATA_DIR: freshDir(),
      PORT: '70000',
      ROLE: 'both',
      JWT_SECRET: 'hunter2',
      AUTOMATION_TENANCY_MODE: 'own',
      JWT_EXPIRES_IN: 'soon',
    });
    for (const name of ['PORT', 'ROLE', 'JWT_SECRET', 'AUTOMATION_TENANCY_MODE', 'JWT_EXPIRES_IN'])
      assert.match(problems, new RegExp(`- ${name}`));
    assert.match(problems, /^\d settings need attention/);
    assert.doesNotMatch(problems, /hunter2/);
  });

  for (const [name, good, bad] of [
    [
      'TRUSTED_PROXIES',
      ['', 'uniquelocal', '10.0.0.1, fd00::1', '10.0.0.0/8,192.168.0.0/255.255.0.0,fd00::/8,loopback'],
      ['proxy', '10.0.0.0/33', '0.0.0.0/0', '10.0.0.0/255.0.255.0', '10.0.0.256', 'fd00::/129', '10.0.0.0/', '10.0.0.1:80'],
    ],
    ['CUSTOM_DOMAIN_RESOLVERS', ['', '9.9.9.9', '9.9.9.9:5353, [2620:fe::fe]:53'], ['ns1.example.com', '9.9.9', '9.9.9.9:dns']],
    [
      'CUSTOM_DOMAIN_TARGET',
      ['portal.example.com', 'Portal.Example.com'],
      ['https://portal.example.com/', 'portal.example.com:443', 'portal.example.com/x', '10.0.0.1', 'my portal'],
    ],
  ] as const)
    it(`of the network are read before the start changes anything: ${name}`, () => {
      for (const value of good) assert.equal(problemsOf({ DATA_DIR: freshDir(), [name]: value }), '', value);
      for (const value of bad)
        assert.match(problemsOf({ DATA_DIR: freshDir(), [name]: value }), new RegExp(`^  - ${name}: write `, 'm'), value);
    });

  it('that are unknown are refused in the file, and in the environment when they have one of our prefixes', () => {
    assert.match(problemsOf({ DATA_DIR: freshDir(), AUTOMATION_ENGINE_ENABLE: 'true' }), /did you mean AUTOMATION_ENGINE_ENABLED/);
    const DATA_DIR = freshDir();
    loadConfig({ DATA_DIR });
    assert.equal(problemsOf({ DATA_DIR, SOMETHING_ELSE: 'x' }), '');
    writeFileSync(join(DATA_DIR, 'settings.env'), `${readFileSync(join(DATA_DIR, 'settings.env'), 'utf8')}PROT=4000\n`);
    assert.match(problemsOf({ DATA_DIR }), /PROT in settings\.env is not a setting \(did you mean PORT\?\)/);
  });

  it('that are one typing error away from a known name are refused in the environment, with any prefix', () => {
    const DATA_DIR = freshDir();
    loadConfig({ DATA_DIR });
    for (const [slip, meant] of [
      ['PUBLIC_BASE_UR', 'PUBLIC_BASE_URL'],
      ['SMTP_HOSTS', 'SMTP_HOST'],
      ['DATABASE_ULR', 'DATABASE_URL'],
      ['TRUSTED_PROXYES', 'TRUSTED_PROXIES'],
      ['LOG_LEVLE', 'LOG_LEVEL'],
    ] as const)
      assert.match(problemsOf({ DATA_DIR, [slip]: 'x' }), new RegExp(`- ${slip} is not a setting \\(did you mean ${meant}\\?\\)`));
    // Two typing errors make another name; a name next to the setting it resembles belongs to another program.
    assert.equal(problemsOf({ DATA_DIR, DATABASE_ULRS: 'x', LOG_LEVLE: 'x', LOG_LEVEL: 'warn' }), '');
  });

  it('ignore environment variables of other programs', () => {
    const DATA_DIR = freshDir();
    loadConfig({ DATA_DIR });
    const others = `PATH HOME HOST HOSTNAME HOSTTYPE PORT NODE_ENV NODENV LOGNAME TZ USER USERNAME SHELL SHLVL LANG LANGUAGE LC_ALL PWD OLDPWD TERM COLORTERM EDITOR VISUAL PAGER
      DISPLAY MAIL TMPDIR TEMP TMP DEBUG CI ROLE ROLES POST PORTS HOSTS XDG_DATA_DIR XDG_DATA_DIRS XDG_DATA_HOME DATADIR DATA DATA_PATH PGDATA PGHOST PGPORT PGUSER PGPASSWORD DB_URL
      DATABASE DATABASE_URI DATABASE_HOST DATABASE_PORT DATABASE_NAME DATABASE_USER DATABASE_PASSWORD REDIS_URL POSTGRES_PASSWORD LOGLEVEL LOG_FORMAT LOG_FILE LOG_DIR NPM_CONFIG_LOGLEVEL
      NODE_OPTIONS NODE_PATH NODE_VERSION NVM_DIR YARN_VERSION HTTP_PROXY HTTPS_PROXY NO_PROXY SSH_AUTH_SOCK SMTP_PASS SMTP_SERVER SMTPHOST SMTP_TLS SMTP_URL MAIL_FROM
      OPENAI_API_KEY OPENAI_API_BASE OPENAI_ORG_ID ANTHROPIC_API_KEY ANTHROPIC_AUTH_TOKEN ANTHROPIC_MODEL RESEND_API_KEY TWILIO_ACCOUNT_SID TWILIO_AUTH_TOKEN BASE_URL PUBLIC_URL
      CORS_ALLOWED_ORIGINS JAVA_HOME VIRTUAL_ENV KUBERNETES_PORT SYSTEMDRIVE WINDIR APPDATA COMSPEC PATHEXT OS WSL_DISTRO_NAME`;
    const env = Object.fromEntries(others.split(/\s+/).map((name) => [name, 'production']));
    assert.equal(problemsOf({ ...env, DATA_DIR, NODE_ENV: 'test', PORT: '4000', ROLE: 'all', HOST: '127.0.0.1' }), '');
  });

  it('for development are refused in production', () => {
    const DATA_DIR = freshDir();
    const env = { DATA_DIR, WEBHOOK_DEV_ALLOWED_HOSTS: '127.0.0.1:9000' };
    assert.deepEqual(loadConfig(env).devAllowedHosts, ['127.0.0.1:9000']);
    assert.match(problemsOf({ ...env, NODE_ENV: 'production' }), /WEBHOOK_DEV_ALLOWED_HOSTS/);
  });

  it('accept a session lifetime with a unit or in seconds', () => {
    const DATA_DIR = freshDir();
    for (const [text, seconds] of [
      ['1d', 86_400],
      ['1 day', 86_400],
      ['12h', 43_200],
      ['90 minutes', 5_400],
      ['3600', 3_600],
      ['2s', 2],
    ] as const) {
      assert.equal(loadConfig({ DATA_DIR, JWT_EXPIRES_IN: text }).session.expiresInSeconds, seconds, text);
    }
    for (const text of ['0', '0s', '32d', '-1', '1.5h'])
      assert.throws(() => loadConfig({ DATA_DIR, JWT_EXPIRES_IN: text }), /JWT_EXPIRES_IN/);
  });

  it('that are secret are not shown when the configuration is printed', () => {
    const config = loadConfig({
      DATA_DIR: freshDir(),
      PLATFORM_OPENAI_API_KEY: 'sk-visible',
      ...TRACED,
      OTEL_EXPORTER_OTLP_HEADERS: 'a=sk-visible',
    });
    assert.doesNotMatch(inspect(config, { depth: 5 }) + JSON.stringify(config), /sk-visible/);
  });

  it('of traces are off without a collector, and read its headers and the share as OpenTelemetry writes them', () => {
    const DATA_DIR = freshDir();
    assert.deepEqual([loadConfig({ DATA_DIR }).tracing, loadConfig({ DATA_DIR }).traceUrlTemplate], [null, null]);
    const { tracing, traceUrlTemplate } = loadConfig({
      DATA_DIR,
      ...TRACED,
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20abc%3D, x-scope = 1',
      OTEL_TRACES_SAMPLER_ARG: '.25',
      TRACE_URL_TEMPLATE: 'https://traces.example.com/{traceId}',
    });
    assert.deepEqual(
      [...(tracing?.headers ?? [])].map(([name, value]) => [name, value.reveal()]),
      [
        ['authorization', 'Bearer abc='],
        ['x-scope', '1'],
      ],
    );
    assert.deepEqual(
      [tracing?.endpoint, tracing?.share, tracing?.serviceName, traceUrlTemplate],
      ['http://collector:4318', 0.25, 'partner-portal', 'https://traces.example.com/{traceId}'],
    );
  });

  for (const [what, env, problem] of [
    [
      'an address with a password',
      { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://me:pw@collector:4318' },
      /OTEL_EXPORTER_OTLP_ENDPOINT: write the address without/,
    ],
    [
      'an address of another scheme',
      { OTEL_EXPORTER_OTLP_ENDPOINT: 'grpc://collector:4317' },
      /OTEL_EXPORTER_OTLP_ENDPOINT: write an http or https/,
    ],
    [
      'headers without a name',
      { OTEL_EXPORTER_OTLP_HEADERS: 'secret-x' },
      /OTEL_EXPORTER_OTLP_HEADERS: write name=value,name=value, values percent-encoded(?!.*secret-x)/,
    ],
    [
      'headers with a line break',
      { OTEL_EXPORTER_OTLP_HEADERS: 'a=b%0d%0asecret-x: y' },
      /OTEL_EXPORTER_OTLP_HEADERS: write name=value(?!.*secret-x)/,
    ],
    ['headers that are not encoded', { OTEL_EXPORTER_OTLP_HEADERS: 'a=%zz' }, /OTEL_EXPORTER_OTLP_HEADERS: write name=value/],
    ['a share above one', { OTEL_TRACES_SAMPLER_ARG: '1.5' }, /OTEL_TRACES_SAMPLER_ARG: write a number from 0 to 1/],
    ['a link of another scheme', { TRACE_URL_TEMPLATE: 'javascript:{traceId}' }, /TRACE_URL_TEMPLATE: write an http or https address/],
  ] as const)
    it(`of traces refuse ${what}`, () => assert.throws(() => loadConfig({ DATA_DIR: freshDir(), ...TRACED, ...env }), problem));

  it('of traces refuse a link without a collector', () => {
    assert.throws(
      () => loadConfig({ DATA_DIR: freshDir(), TRACE_URL_TEMPLATE: 'https://traces.example.com/{traceId}' }),
      /TRACE_URL_TEMPLATE needs OTEL_EXPORTER_OTLP_ENDPOINT/,
    );
  });
});

const TRACED = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' };
const bytes = (name: string): Buffer => createHash('sha256').update(name).digest();
/** The settings of a production start, with secrets as openssl makes them. */
const PRODUCTION = {
  NODE_ENV: 'production',
  DATABASE_URL: 'postgres://portal:database@db.internal/portal',
  PUBLIC_BASE_URL: 'https://portal.example',
  JWT_SECRET: bytes('sessions').toString('hex'),
  CREDENTIALS_ENCRYPTION_KEY: `k1:${bytes('vault').toString('base64')}`,
  AUTOMATION_CALLBACK_SECRET: bytes('callbacks').toString('hex'),
};

describe('a production start', () => {
  const problemsWith = (env: Record<string, string>): string[] =>
    problemsOf({ DATA_DIR: freshDir(), ...PRODUCTION, ...env })
      .split('\n')
      .filter((line) => line.startsWith('  - '))
      .map((line) => line.slice(4));

  it('takes good secrets, https and encrypted mail', () => {
    assert.deepEqual(problemsWith({}), []);
    const mail = {
      SMTP_HOST: 'mail.internal',
      SMTP_FROM: 'no-reply@portal.example',
      SMTP_USER: 'mailer',
      SMTP_PASSWORD: 'of the mail server',
    };
    for (const SMTP_SECURITY of ['auto', 'tls', 'starttls']) assert.deepEqual(problemsWith({ ...mail, SMTP_SECURITY }), []);
    assert.equal(loadConfig({ DATA_DIR: freshDir(), ...PRODUCTION }).isProduction, true);
  });

  it('is only one with the word production: a value that is no environment ends the start', () => {
    for (const NODE_ENV of ['prod', 'Production', 'staging', 'live'])
      assert.deepEqual(problemsWith({ NODE_ENV }), [`NODE_ENV: write development, test or production (found "${NODE_ENV}")`]);
    for (const NODE_ENV of ['development', 'test', '']) assert.deepEqual(problemsWith({ NODE_ENV }), []);
  });

  it('refuses each weak secret in one sentence, all at once and without its value', () => {
    const zeros = Buffer.alloc(32).toString('base64');
    const sequence = Buffer.from(Array.from({ length: 32 }, (_, index) => index)).toString('base64');
    const weak = {
      JWT_SECRET: 'a'.repeat(32),
      CREDENTIALS_ENCRYPTION_KEY: `k1:${zeros}`,
      AUTOMATION_CALLBACK_SECRET: 'replace-this-by-a-value-of-your-own',
      AUTOMATION_ENGINE_ENCRYPTION_KEY: sequence,
      AUTOMATION_ENGINE_ADMIN_PASSWORD: '12345678',
    };
    const end = ', or name secrets in ALLOW_INSECURE';
    assert.deepEqual(problemsWith(weak), [
      `JWT_SECRET repeats or follows a pattern: generate it with openssl rand -hex 32${end}`,
      `CREDENTIALS_ENCRYPTION_KEY (key k1) repeats or follows a pattern: generate it with openssl rand -base64 32${end}`,
      `AUTOMATION_CALLBACK_SECRET looks like a placeholder: generate it with openssl rand -hex 32${end}`,
      `AUTOMATION_ENGINE_ENCRYPTION_KEY repeats or follows a pattern: generate it with openssl rand -base64 32${end}`,
      `AUTOMATION_ENGINE_ADMIN_PASSWORD repeats or follows a pattern: choose another password${end}`,
    ]);
    assert.deepEqual(problemsWith({ ...weak, ALLOW_INSECURE: 'secrets' }), []);
    assert.deepEqual(problemsWith({ ...weak, NODE_ENV: 'development' }), [], 'development accepts them');
  });

  it('refuses the placeholders that the documentation shows', () => {
    const page = readFileSync(join(import.meta.dirname, '..', 'docs', 'deploy.md'), 'utf8');
    const shown = [...page.matchAll(/[`"]([^`"\n]*(?:openssl|set me)[^`"\n]*)[`"]/g)].map(([, text = '']) => text);
    assert.ok(shown.includes('openssl rand -hex 32') && shown.includes('set me'), shown.join());
    for (const text of shown) {
      const JWT_SECRET = `${text} `.repeat(Math.ceil(32 / text.length)).trim();
      assert.match(problemsWith({ JWT_SECRET }).join(), /^JWT_SECRET.*(looks like a placeholder|is not written as id:secret)/, text);
    }
  });

  it('takes a weak older key of the vault, which must stay until vault:rewrap has run', () => {
    const older = Buffer.alloc(32, 7).toString('base64');
    const newest = bytes('newest').toString('base64');
    assert.deepEqual(problemsWith({ CREDENTIALS_ENCRYPTION_KEY: `k2:${newest},k1:${older}` }), []);
    assert.equal(problemsWith({ CREDENTIALS_ENCRYPTION_KEY: `k2:${older},k1:${newest}` }).length, 1);
  });

  it('refuses a value that two secrets share, also as text of one and bytes of the other', () => {
    const shared = bytes('shared').toString('base64');
    const end = ': each secret needs a value of its own, or name secrets in ALLOW_INSECURE';
    assert.deepEqual(problemsWith({ JWT_SECRET: PRODUCTION.AUTOMATION_CALLBACK_SECRET }), [
      `JWT_SECRET has the same value as AUTOMATION_CALLBACK_SECRET${end}`,
    ]);
    assert.deepEqual(problemsWith({ AUTOMATION_CALLBACK_SECRET: shared, CREDENTIALS_ENCRYPTION_KEY: `k1:${shared}` }), [
      `CREDENTIALS_ENCRYPTION_KEY (key k1) has the same value as AUTOMATION_CALLBACK_SECRET${end}`,
    ]);
    assert.deepEqual(problemsWith({ CREDENTIALS_ENCRYPTION_KEY: `k2:${shared},k1:${shared}` }), [
      `CREDENTIALS_ENCRYPTION_KEY (key k2) has the same value as CREDENTIALS_ENCRYPTION_KEY (key k1)${end}`,
    ]);
    const { JWT_SECRET } = PRODUCTION;
    assert.equal(problemsWith({ JWT_SECRET: `k2:${JWT_SECRET},k1:${JWT_SECRET}` }).length, 1);
  });

  it('refuses the sandbox, http addresses and unencrypted mail, each unless it is named', () => {
    const mail = { SMTP_HOST: 'mail.internal', SMTP_FROM: 'no-reply@portal.example', SMTP_SECURITY: 'none' };
    const cases: [name: string, env: Record<string, string>, setting: string][] = [
      ['sandbox', { PROVIDER_SANDBOX: 'true' }, 'PROVIDER_SANDBOX'],
      ['http', { PUBLIC_BASE_URL: 'http://portal.example' }, 'PUBLIC_BASE_URL'],
      ['http', { PUBLIC_BASE_URL: '' }, 'PUBLIC_BASE_URL'],
      ['http', { CORS_ORIGINS: 'https://a.example,http://b.example' }, 'CORS_ORIGINS'],
      ['mail', mail, 'SMTP_SECURITY'],
    ];
    for (const [name, env, setting] of cases) {
      const found = problemsWith(env);
      assert.equal(found.length, 1, JSON.stringify(env));
      assert.match(found[0] ?? '', new RegExp(`^${setting} .*, or name ${name} in ALLOW_INSECURE$`));
      const others = ['secrets', 'sandbox', 'http', 'mail'].filter((other) => other !== name).join(',');
      assert.equal(problemsWith({ ...env, ALLOW_INSECURE: others }).length, 1, 'another name does not allow it');
      assert.deepEqual(problemsWith({ ...env, ALLOW_INSECURE: name }), []);
      assert.deepEqual(problemsWith({ ...env, NODE_ENV: 'development' }), []);
    }
    const all = problemsWith({ ...Object.assign({}, ...cases.map(([, env]) => env)), JWT_SECRET: 'b'.repeat(40) });
    assert.equal(all.length, 5, 'all are listed together');
    // A password in clear text has no exception.
    const withPassword = { ...mail, SMTP_USER: 'mailer', SMTP_PASSWORD: 'of the mail server', ALLOW_INSECURE: 'mail' };
    assert.match(problemsWith(withPassword).join(), /^SMTP_SECURITY must not be none in production when SMTP_USER is set[^,]*$/);
  });

  it('refuses a name that ALLOW_INSECURE does not know', () => {
    assert.match(problemsWith({ ALLOW_INSECURE: 'all' }).join(), /^ALLOW_INSECURE: write a list of secrets, sandbox, http, mail/);
  });

  it('writes no settings file with the sandbox on: a first start says what to set', () => {
    const DATA_DIR = freshDir();
    const env = { DATA_DIR, NODE_ENV: 'production', PUBLIC_BASE_URL: 'https://portal.example' };
    assert.match(problemsOf(env), /PROVIDER_SANDBOX=false/);
    assert.equal(existsSync(join(DATA_DIR, 'settings.env')), false);
    assert.equal(problemsOf({ ...env, PROVIDER_SANDBOX: 'false' }), '');
    assert.equal(problemsOf({ ...env, PROVIDER_SANDBOX: 'false' }), '', 'nor does the next start refuse the secrets of the first');
  });
});

describe('keys that sign sessions', () => {
  const [older, newest] = [bytes('older').toString('hex'), bytes('newest').toString('hex')];
  it('are one secret, or a ring with ids, newest first', () => {
    const { session } = loadConfig({ DATA_DIR: freshDir(), ...PRODUCTION, JWT_SECRET: `k2:${newest},k1:${older}` });
    assert.deepEqual([session.keyId, session.secret.reveal()], ['k2', newest]);
    assert.deepEqual(
      session.older.map(({ id, secret }) => [id, secret.reveal()]),
      [['k1', older]],
    );
    const plain = loadConfig({ DATA_DIR: freshDir(), ...PRODUCTION, JWT_SECRET: older }).session;
    assert.deepEqual([plain.keyId, plain.secret.reveal(), plain.older], [null, older, []]);
  });
});

describe('the engine alone', () => {
  const ENGINE = {
    DATABASE_URL: 'postgres://engine:pw@engine-postgres/engine',
    AUTOMATION_ENGINE_ADMIN_EMAIL: 'engine@example.com',
    AUTOMATION_ENGINE_ADMIN_PASSWORD: 'a long enough password',
    AUTOMATION_ENGINE_ENCRYPTION_KEY: bytes('engine').toString('base64'),
    AUTOMATION_INTERNAL_API_URL: 'http://service:3000',
  };
  it('needs its own settings, none of the secrets of the service, and reaches the service only', () => {
    const config = loadEngineConfig({ ...ENGINE, HOST: '0.0.0.0', PORT: '8080' });
    assert.deepEqual([config.host, config.port, config.teamProjects, config.allowedHosts], ['0.0.0.0', 8080, 'ONE', ['service:3000']]);
    assert.equal(loadEngineConfig({ ...ENGINE, AUTOMATION_TENANCY_MODE: 'project' }).teamProjects, 'UNLIMITED');
    assert.deepEqual([config.tracing, loadEngineConfig({ ...ENGINE, ...TRACED }).tracing?.endpoint], [null, 'http://collector:4318']);
  });

  it('names everything that is missing or malformed in one message, and no value of a secret', () => {
    for (const name of Object.keys(ENGINE))
      assert.throws(
        () => loadEngineConfig({ ...ENGINE, [name]: '', PORT: 'http' }),
        (error) => error instanceof StartError && error.message.includes(`${name} is missing`) && error.message.includes('PORT'),
        name,
      );
    assert.throws(
      () => loadEngineConfig({ ...ENGINE, AUTOMATION_ENGINE_ENCRYPTION_KEY: 'not-32-bytes' }),
      (error) => error instanceof StartError && !error.message.includes('not-32-bytes'),
    );
  });
});

describe('a settings file', () => {
  it('that is damaged stops the start with one clear message', () => {
    assert.match(problemsOf({ DATA_DIR: freshDir(Buffer.from([0x4a, 0x00, 0xff, 0xfe])) }), /damaged/);
    assert.match(problemsOf({ DATA_DIR: freshDir('JWT_SECRET\n') }), /line 1/);
  });

  it('may contain comments, empty lines and quoted values', () => {
    const DATA_DIR = freshDir();
    loadConfig({ DATA_DIR });
    const path = join(DATA_DIR, 'settings.env');
    writeFileSync(path, `${readFileSync(path, 'utf8')}\n# a comment\nLOG_LEVEL="warn"\n`);
    assert.equal(loadConfig({ DATA_DIR }).logLevel, 'warn');
  });
});
