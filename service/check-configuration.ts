import type { Config } from './config.ts';

/** One thing staff should know about the configuration: the settings it is about by name, never their values. */
export type ConfigurationCheck = { settings: readonly string[]; state: 'ok' | 'note' | 'warn'; message: string };

type Facts = Pick<
  Config,
  'isProduction' | 'databaseUrl' | 'metricsPort' | 'http' | 'vault' | 'engine' | 'providers' | 'devAllowedHosts' | 'smtp' | 'seedAdmin'
>;

/** What a person would look at before the first customer comes. Pure; `warn` first, then `note`, then what is well. */
export function checkConfiguration(config: Facts): ConfigurationCheck[] {
  const checks = [...access(config), ...secrets(config), ...outside(config)];
  const weight = { warn: 0, note: 1, ok: 2 };
  return checks.toSorted((a, b) => weight[a.state] - weight[b.state]);
}

const ok = (message: string, ...settings: string[]): ConfigurationCheck => ({ settings, state: 'ok', message });
const note = (message: string, ...settings: string[]): ConfigurationCheck => ({ settings, state: 'note', message });
const warn = (message: string, ...settings: string[]): ConfigurationCheck => ({ settings, state: 'warn', message });

function access({ isProduction, http, devAllowedHosts, metricsPort }: Facts): ConfigurationCheck[] {
  const isLoopback = ['localhost', '127.0.0.1', '[::1]'].includes(new URL(http.publicBaseUrl).hostname);
  const isEncrypted = http.publicBaseUrl.startsWith('https:');
  return [
    isEncrypted
      ? ok('The portal is reached over an encrypted address.', 'PUBLIC_BASE_URL')
      : isLoopback
        ? note('The portal is reached on this machine only. Links in mail and webhooks lead nowhere else.', 'PUBLIC_BASE_URL')
        : warn('The portal is reached over an address that is not encrypted: sessions travel in the open.', 'PUBLIC_BASE_URL'),
    isProduction
      ? ok('What only helps while developing is refused.', 'NODE_ENV')
      : isLoopback
        ? note('What helps while developing is allowed.', 'NODE_ENV')
        : warn('What helps while developing is allowed, and the portal is reached from outside.', 'NODE_ENV'),
    devAllowedHosts.length === 0
      ? ok('No private host is exempt from the address check.', 'WEBHOOK_DEV_ALLOWED_HOSTS')
      : warn('Private hosts are exempt from the address check of webhooks and SQL keys.', 'WEBHOOK_DEV_ALLOWED_HOSTS'),
    isEncrypted && http.trustedProxies.length === 0
      ? warn('No proxy is trusted: behind one, all callers without a session share one limit.', 'TRUSTED_PROXIES')
      : ok('Callers are told apart by their address.', 'TRUSTED_PROXIES'),
    metricsPort === null
      ? note('No metrics are served.', 'METRICS_PORT')
      : ok('Metrics are served on a port of their own.', 'METRICS_PORT'),
  ];
}

function secrets({ vault, seedAdmin, databaseUrl }: Facts): ConfigurationCheck[] {
  return [
    vault.ring.length === 1
      ? ok('The vault has one master key.', 'CREDENTIALS_ENCRYPTION_KEY')
      : note('The vault has older master keys beside the newest. Run vault:rewrap, then take them out.', 'CREDENTIALS_ENCRYPTION_KEY'),
    seedAdmin.password === null
      ? ok('The first password of staff is not kept in the configuration.', 'SEED_ADMIN_PASSWORD')
      : note('The first password of staff is still in the configuration. Take it out once you have signed in.', 'SEED_ADMIN_PASSWORD'),
    databaseUrl === null
      ? note('The service runs its own database. Back up the data directory.', 'DATABASE_URL', 'DATA_DIR')
      : ok('The database is a server of its own.', 'DATABASE_URL'),
  ];
}

function outside({ isProduction, engine, providers, smtp }: Facts): ConfigurationCheck[] {
  const platformKeys = Object.values(providers.platformKeys).filter((key) => key !== null).length;
  return [
    engine.enabled
      ? ok('Agents can be installed and run.', 'AUTOMATION_ENGINE_ENABLED')
      : warn('The engine is switched off: nothing can be installed and no event starts a run.', 'AUTOMATION_ENGINE_ENABLED'),
    !providers.sandbox
      ? ok('Agents call the real services.', 'PROVIDER_SANDBOX')
      : (isProduction ? warn : note)('The provider sandbox is on: nothing that agents send leaves this machine.', 'PROVIDER_SANDBOX'),
    smtp === null
      ? warn('No mail leaves: links are shown to whoever invites, and to staff below.', 'SMTP_HOST')
      : smtp.security === 'none'
        ? warn('Mail goes to the mail server in the open.', 'SMTP_SECURITY')
        : ok('Mail leaves encrypted.', 'SMTP_HOST', 'SMTP_SECURITY'),
    platformKeys === 0
      ? note('Agencies bring their own keys for language models.', 'PLATFORM_OPENAI_API_KEY', 'PLATFORM_ANTHROPIC_API_KEY')
      : ok('Agencies may use platform keys for language models.', 'PLATFORM_OPENAI_API_KEY', 'PLATFORM_ANTHROPIC_API_KEY'),
  ];
}
