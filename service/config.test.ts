import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { inspect } from 'node:util';
import { loadConfig } from './config.ts';
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
    assert.equal(config.isFirstStart, true);
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
    assert.equal(second.isFirstStart, false);
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
        http.corsOrigins,
      ],
      ['shared', 'ce', false, 5_000, 15, 86_400, []],
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
    assert.equal(problemsOf({ ...env, DATA_DIR, PORT: '4000', ROLE: 'all', HOST: '127.0.0.1' }), '');
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
    const config = loadConfig({ DATA_DIR: freshDir(), PLATFORM_OPENAI_API_KEY: 'sk-visible' });
    assert.doesNotMatch(inspect(config, { depth: 5 }) + JSON.stringify(config), /sk-visible/);
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
