import type { Config } from './config.ts';
import { databaseTls } from './platform/db/host.ts';
import type { Secret } from './platform/secret.ts';

/** A finding about the configuration, shown to staff. Names the settings, never their values. */
export type ConfigurationCheck = { settings: readonly string[]; state: 'ok' | 'note' | 'warn'; message: string };

type Facts = Pick<
  Config,
  | 'isProduction'
  | 'allowsInsecure'
  | 'databaseUrl'
  | 'metricsPort'
  | 'http'
  | 'vault'
  | 'session'
  | 'engine'
  | 'providers'
  | 'devAllowedHosts'
  | 'smtp'
  | 'clamd'
  | 'invoicing'
  | 'seedAdmin'
>;

/** Checks the configuration for production use. Returns warnings first, then notes, then what is fine. Pure. */
export function checkConfiguration(config: Facts): ConfigurationCheck[] {
  const checks = [...access(config), ...secrets(config), ...outside(config), ...billing(config)];
  const weight = { warn: 0, note: 1, ok: 2 };
  return checks.toSorted((a, b) => weight[a.state] - weight[b.state]);
}

/** Returns what a production start prints: one line for each warning, with the settings it is about. */
export function startWarnings(config: Facts): string[] {
  if (!config.isProduction) return [];
  return checkConfiguration(config)
    .filter(({ state }) => state === 'warn')
    .map(({ settings, message }) => `Check ${settings.join(', ')}: ${message}`);
}

const ok = (message: string, ...settings: string[]): ConfigurationCheck => ({ settings, state: 'ok', message });
const note = (message: string, ...settings: string[]): ConfigurationCheck => ({ settings, state: 'note', message });
const warn = (message: string, ...settings: string[]): ConfigurationCheck => ({ settings, state: 'warn', message });

function access({ isProduction, http, devAllowedHosts, metricsPort }: Facts): ConfigurationCheck[] {
  const isLoopback = ['localhost', '127.0.0.1', '[::1]'].includes(new URL(http.publicBaseUrl).hostname);
  const isEncrypted = http.publicBaseUrl.startsWith('https:');
  return [
    isEncrypted
      ? ok('The portal’s address uses HTTPS.', 'PUBLIC_BASE_URL')
      : isLoopback
        ? note('The portal is only reachable on this machine. Links in mail and webhooks work nowhere else.', 'PUBLIC_BASE_URL')
        : warn('The portal’s address does not use HTTPS: sessions are sent unencrypted.', 'PUBLIC_BASE_URL'),
    isProduction
      ? ok('Development-only settings are refused.', 'NODE_ENV')
      : isLoopback
        ? note('Development-only settings are allowed.', 'NODE_ENV')
        : warn('Development-only settings are allowed although the portal is reachable from other machines.', 'NODE_ENV'),
    devAllowedHosts.length === 0
      ? ok('No private host is exempt from the address check.', 'WEBHOOK_DEV_ALLOWED_HOSTS')
      : warn('Private hosts are exempt from the address check of webhooks and SQL keys.', 'WEBHOOK_DEV_ALLOWED_HOSTS'),
    isEncrypted && http.trustedProxies.length === 0
      ? warn('No proxy is trusted: behind a proxy, all callers without a session share one rate limit.', 'TRUSTED_PROXIES')
      : ok('Callers without a session are rate-limited by their own address.', 'TRUSTED_PROXIES'),
    metricsPort === null ? note('No metrics are served.', 'METRICS_PORT') : ok('Metrics are served on a separate port.', 'METRICS_PORT'),
  ];
}

function secrets({ isProduction, allowsInsecure, vault, session, seedAdmin, databaseUrl }: Facts): ConfigurationCheck[] {
  return [
    vault.ring.length === 1
      ? ok('The vault has one master key.', 'CREDENTIALS_ENCRYPTION_KEY')
      : note(
          'The vault still has older master keys. Run npm run vault:rewrap, in a container portal rewrap, then remove them.',
          'CREDENTIALS_ENCRYPTION_KEY',
        ),
    session.older.length === 0
      ? ok('Sessions have one signing key.', 'JWT_SECRET')
      : note('Older keys still verify sessions. Remove them once the sessions that they signed have ended.', 'JWT_SECRET'),
    session.staffIdleSeconds === null
      ? note('A session of staff that is not used lasts as long as any other. 8h is recommended.', 'STAFF_IDLE_EXPIRES_IN')
      : ok('A session of staff that is not used ends early.', 'STAFF_IDLE_EXPIRES_IN'),
    !isProduction
      ? note('Weak or equal secrets are not refused.', 'NODE_ENV')
      : allowsInsecure.includes('secrets')
        ? warn('Weak or equal secrets are not refused.', 'ALLOW_INSECURE')
        : ok('No secret is weak or used twice.', 'ALLOW_INSECURE'),
    seedAdmin.password === null
      ? ok('The first staff password is not in the configuration.', 'SEED_ADMIN_PASSWORD')
      : note('The first staff password is still in the configuration. Remove it once you have logged in.', 'SEED_ADMIN_PASSWORD'),
    databaseUrl === null
      ? note('The service runs its own database. Back up the data directory.', 'DATABASE_URL', 'DATA_DIR')
      : databaseCheck(databaseUrl),
  ];
}

function databaseCheck(databaseUrl: Secret): ConfigurationCheck {
  // An address that is none stops the start elsewhere.
  const tls = URL.canParse(databaseUrl.reveal()) ? databaseTls(databaseUrl.reveal()) : 'plain';
  if (tls === 'verified') return ok('The service uses an external database server, whose certificate is verified.', 'DATABASE_URL');
  return tls === 'unverified'
    ? warn('The certificate of the database server is not verified: someone on the network can pretend to be it.', 'DATABASE_URL')
    : note('The connection to the database server is not encrypted. That is safe on a private network only.', 'DATABASE_URL');
}

function outside({ isProduction, engine, providers, smtp, clamd }: Facts): ConfigurationCheck[] {
  const platformKeys = Object.values(providers.platformKeys).filter((key) => key !== null).length;
  return [
    engine.enabled
      ? ok('Agents can be installed and run.', 'AUTOMATION_ENGINE_ENABLED')
      : warn(
          engine.baseUrl === null
            ? 'The automation engine is switched off: no agent can be installed, and runs wait for it until they fail.'
            : 'Provisioning is switched off: no agent can be installed. Installed agents still run.',
          'AUTOMATION_ENGINE_ENABLED',
        ),
    !providers.sandbox
      ? ok('Agents call the real services.', 'PROVIDER_SANDBOX')
      : (isProduction ? warn : note)('The provider sandbox is on: agents do not reach the real services.', 'PROVIDER_SANDBOX'),
    clamd === null
      ? note('Uploaded files are not scanned for malware.', 'CLAMD_ADDRESS')
      : ok('Uploaded files are scanned for malware before they are stored.', 'CLAMD_ADDRESS'),
    smtp === null
      ? warn('No mail is sent: invitation links are shown to the person who invites, and to staff below.', 'SMTP_HOST')
      : smtp.security === 'none'
        ? warn('Mail is sent to the mail server unencrypted.', 'SMTP_SECURITY')
        : ok('Mail is sent to the mail server encrypted.', 'SMTP_HOST', 'SMTP_SECURITY'),
    platformKeys === 0
      ? note('Agencies need their own keys for language models.', 'PLATFORM_OPENAI_API_KEY', 'PLATFORM_ANTHROPIC_API_KEY')
      : ok('Agencies may use platform keys for language models.', 'PLATFORM_OPENAI_API_KEY', 'PLATFORM_ANTHROPIC_API_KEY'),
  ];
}

function billing({ isProduction, invoicing: { seller, paymentInstructions } }: Facts): ConfigurationCheck[] {
  return [
    seller.name === null || seller.address === null
      ? (isProduction ? warn : note)(
          'The seller is not configured: no invoice can be issued.',
          'INVOICE_SELLER_NAME',
          'INVOICE_SELLER_ADDRESS',
        )
      : seller.country === null || seller.taxId === null || seller.email === null
        ? note(
            'Invoices lack part of the seller’s identity.',
            ...(seller.country === null ? ['INVOICE_SELLER_COUNTRY'] : []),
            ...(seller.taxId === null ? ['INVOICE_SELLER_TAX_ID'] : []),
            ...(seller.email === null ? ['INVOICE_SELLER_EMAIL'] : []),
          )
        : ok('Invoices print the seller’s identity.', 'INVOICE_SELLER_NAME', 'INVOICE_SELLER_ADDRESS'),
    paymentInstructions === null
      ? (isProduction ? warn : note)('Invoices do not say how to pay them.', 'INVOICE_PAYMENT_INSTRUCTIONS')
      : ok('Invoices say how to pay them.', 'INVOICE_PAYMENT_INSTRUCTIONS'),
  ];
}
