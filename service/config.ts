import type { CollectionRules } from '@partner-portal/core/billing/collection.ts';
import { resolve } from 'node:path';
import type { TenancyMode } from '@partner-portal/contract/vocabulary.ts';
import type { KeyRing } from '@partner-portal/core/credential/vault.ts';
import type { ClamdAddress } from '#adapters/malware-scan.ts';
import type { StrangerCaps } from '@partner-portal/core/mail/strangers.ts';
import type { InvitationCaps } from '@partner-portal/core/people/invitation-caps.ts';
import { findTypo, suggest } from './platform/suggest.ts';
import type { SigningKey } from './platform/http/session.ts';
import { Secret } from './platform/secret.ts';
import type { TracingConfig } from './platform/tracing/tracer.ts';
import { StartError } from './platform/start-error.ts';
import { productionRefusals } from './production-refusals.ts';
import type { GivenSetting } from './support/report-settings.ts';
import { readSettingsFile, SETTINGS_FILE, writeSettingsFile } from './settings-file.ts';
import {
  COMMON_NAMES,
  type InsecureName,
  OWN_PREFIXES,
  SETTINGS,
  type SettingName,
  type SettingValues,
  TYPO_LENGTH_MIN,
} from './settings.ts';

/** The whole configuration: read once, frozen and passed down. No other code reads the environment. */
export type Config = {
  role: 'all' | 'http' | 'worker';
  isProduction: boolean;
  /** Insecure settings that production accepts nevertheless. */
  allowsInsecure: readonly InsecureName[];
  dataDir: string;
  databaseUrl: Secret | null;
  /** How long a start waits for a database or engine that is away. */
  startWaitSeconds: number;
  logLevel: string;
  metricsPort: number | null;
  /** Folder with the operator's terms and privacy page. */
  publicTextsDir: string | undefined;
  /** Null: no traces. */
  tracing: TracingConfig | null;
  /** Address of a trace for people, with {traceId}; null: staff see the id alone. */
  traceUrlTemplate: string | null;
  http: {
    host: string;
    port: number;
    publicBaseUrl: string;
    corsOrigins: readonly string[];
    /** Whether browsers are to use https for the names below the public host too. */
    hstsSubdomains: boolean;
    trustedProxies: readonly string[];
    callerRequestsPerMinute: number;
    partnerRequestsPerMinute: number;
  };
  domains: { cnameTarget: string; resolvers: readonly string[]; checkHours: number; graceDays: number };
  invitationCaps: InvitationCaps;
  session: {
    /** The newest key, and those that still verify. */
    secret: Secret;
    keyId: string | null;
    older: readonly SigningKey[];
    expiresInSeconds: number;
    /** Without use; null for never. */
    idleSeconds: number | null;
    staffIdleSeconds: number | null;
    staffMfaRequired: boolean;
  };
  strangerCaps: StrangerCaps;
  vault: { ring: KeyRing };
  engine: {
    enabled: boolean;
    /** Null: the service starts and supervises its own engine. */
    baseUrl: string | null;
    adminEmail: string | null;
    adminPassword: Secret | null;
    projectId: string | null;
    /** Only for the embedded engine. */
    encryptionKey: Secret | null;
    edition: string;
    domain: string | null;
    publicUi: boolean;
    provider: string;
    tenancyMode: TenancyMode;
    callbackSecret: Secret;
    internalApiUrl: string;
    healthTimeoutMs: number;
    provisionTimeoutMinutes: number;
  };
  executionTimeoutMinutes: number;
  /** How long an accepted run may wait until the engine can take it. */
  executionWaitMinutes: number;
  failedRunsFreePerDay: number;
  firstContactsPerHour: number;
  /** How long an account can be reactivated after its deletion was approved. */
  accountDeletionDays: number;
  /** Days of the payment clock. */
  collection: CollectionRules;
  providers: {
    sandbox: boolean;
    /** Configured addresses; null means the public address, or the sandbox when it is on. */
    baseUrls: Readonly<Record<'openai' | 'anthropic' | 'calcom' | 'resend' | 'twilio', string | null>>;
    platformKeys: Readonly<Record<'openai' | 'anthropic', Secret | null>>;
  };
  /** Hosts exempt from the address check of webhooks and SQL keys. */
  devAllowedHosts: readonly string[];
  /** Null: uploaded files are not scanned. */
  clamd: ClamdAddress | null;
  smtp: {
    host: string;
    port: number;
    security: 'auto' | 'tls' | 'starttls' | 'none';
    user: string | null;
    password: Secret | null;
    from: string;
  } | null;
  /** The seller's details on invoices. Addresses and instructions have line breaks. */
  invoicing: {
    seller: { name: string | null; address: string | null; country: string | null; taxId: string | null; email: string | null };
    paymentInstructions: string | null;
    dueDays: number;
  };
  seedAdmin: { email: string | null; password: Secret | null };
};

/**
 * Reads the environment and the local settings file; the environment takes precedence. Throws one `StartError` that lists every problem.
 * Without DATABASE_URL the first start writes the file with new secrets. With it no file is written: a key that disappears with a
 * container would make the vault unreadable. `nextToService` is for commands that run next to a service; they never create an installation.
 */
export function loadConfig(
  env: Readonly<Record<string, string | undefined>> = process.env,
  { nextToService = false }: { nextToService?: boolean } = {},
): Config {
  const given = givenIn(env);
  const dataDir = dataDirOf(given);
  const file = readSettingsFile(dataDir);
  const problems = [...(file?.problems ?? []), ...findUnknown(given, file?.values)];
  const texts = new Map([...(file?.values ?? []), ...given]);
  const isFirstStart = file === null && !texts.has('DATABASE_URL');
  if (isFirstStart && nextToService)
    throw new StartError(`No installation found: DATABASE_URL is not set, and ${dataDir} holds no ${SETTINGS_FILE}.`);
  // All values are checked before the file is written: a refused start writes nothing.
  const values = readValues(texts, problems);
  // A malformed value is not reported as missing as well.
  const malformed = new Set(problems.map((problem) => problem.split(':')[0]));
  // The file of a first start switches the sandbox on.
  const startsSandbox = values.PROVIDER_SANDBOX || (isFirstStart && !given.has('PROVIDER_SANDBOX'));
  const conflicts = [...findConflicts(values, isFirstStart), ...productionRefusals(values, startsSandbox)];
  problems.push(...conflicts.filter((problem) => !malformed.has(problem.split(' ')[0])));
  if (problems.length > 0) throw refuseToStart(problems);
  if (!isFirstStart) return toConfig(values, dataDir);
  const fresh = writeSettingsFile(dataDir, new Set(given.keys()));
  return toConfig(readValues(new Map([...fresh, ...given]), []), dataDir);
}

/** What the engine alone needs, and the only settings that its process is to be given: none of them opens the service's database or its vault. */
const ENGINE_SETTINGS = [
  'DATABASE_URL',
  'AUTOMATION_ENGINE_ADMIN_EMAIL',
  'AUTOMATION_ENGINE_ADMIN_PASSWORD',
  'AUTOMATION_ENGINE_ENCRYPTION_KEY',
] as const;

export type EngineConfig = {
  databaseUrl: Secret;
  host: string;
  port: number;
  adminEmail: string;
  adminPassword: Secret;
  encryptionKey: Secret;
  projectId?: string;
  teamProjects: 'ONE' | 'UNLIMITED';
  allowedHosts: readonly string[];
  logLevel: string;
  startLimitMs: number;
  /** Null: no traces. */
  tracing: TracingConfig | null;
};

/** Reads the settings of the engine alone from the environment. Throws one `StartError` that lists every problem. */
export function loadEngineConfig(env: Readonly<Record<string, string | undefined>> = process.env): EngineConfig {
  const given = givenIn(env);
  const problems: string[] = [];
  const values = readValues(given, problems);
  const malformed = new Set(problems.map((problem) => problem.split(':')[0]));
  for (const name of ENGINE_SETTINGS) if (!given.has(name) && !malformed.has(name)) problems.push(`${name} is missing`);
  if (values.AUTOMATION_INTERNAL_API_URL === undefined && !malformed.has('AUTOMATION_INTERNAL_API_URL'))
    problems.push('AUTOMATION_INTERNAL_API_URL is missing: flows report to the service there');
  const { DATABASE_URL, AUTOMATION_ENGINE_ADMIN_EMAIL, AUTOMATION_ENGINE_ADMIN_PASSWORD, AUTOMATION_ENGINE_ENCRYPTION_KEY } = values;
  const { AUTOMATION_INTERNAL_API_URL, AUTOMATION_ENGINE_PROJECT_ID } = values;
  if (
    problems.length > 0 ||
    !DATABASE_URL ||
    !AUTOMATION_ENGINE_ADMIN_EMAIL ||
    !AUTOMATION_ENGINE_ADMIN_PASSWORD ||
    !AUTOMATION_ENGINE_ENCRYPTION_KEY ||
    !AUTOMATION_INTERNAL_API_URL
  )
    throw refuseToStart(problems);
  return {
    databaseUrl: new Secret(DATABASE_URL),
    host: values.HOST,
    port: values.PORT,
    adminEmail: AUTOMATION_ENGINE_ADMIN_EMAIL,
    adminPassword: new Secret(AUTOMATION_ENGINE_ADMIN_PASSWORD),
    encryptionKey: new Secret(AUTOMATION_ENGINE_ENCRYPTION_KEY),
    ...(AUTOMATION_ENGINE_PROJECT_ID === undefined ? {} : { projectId: AUTOMATION_ENGINE_PROJECT_ID }),
    // It needs no licence for one project per agency.
    teamProjects: values.AUTOMATION_TENANCY_MODE === 'project' ? 'UNLIMITED' : 'ONE',
    allowedHosts: [new URL(AUTOMATION_INTERNAL_API_URL).host],
    logLevel: values.LOG_LEVEL,
    startLimitMs: values.START_WAIT_SECONDS * 1000,
    tracing: tracingOf(values),
  };
}

/** The texts of the settings that are given, and where, without judging them. For the support bundle, also where the service does not start. */
export function givenSettings(env: Readonly<Record<string, string | undefined>> = process.env): Map<string, GivenSetting> {
  const given = givenIn(env);
  const texts = new Map<string, GivenSetting>();
  for (const [name, text] of readSettingsFile(dataDirOf(given))?.values ?? []) texts.set(name, { from: 'settings file', text });
  for (const [name, text] of given) if (Object.hasOwn(SETTINGS, name)) texts.set(name, { from: 'environment', text });
  return texts;
}

function givenIn(env: Readonly<Record<string, string | undefined>>): Map<string, string> {
  return new Map(Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== ''));
}

function dataDirOf(given: ReadonlyMap<string, string>): string {
  return resolve(given.get('DATA_DIR') ?? SETTINGS.DATA_DIR.fallback ?? '.data');
}

function findUnknown(given: ReadonlyMap<string, string>, fromFile: ReadonlyMap<string, string> | undefined): string[] {
  const isKnown = (name: string): boolean => Object.hasOwn(SETTINGS, name);
  const isOurs = (name: string): boolean => OWN_PREFIXES.some((prefix) => name.startsWith(prefix));
  const others = [...given.keys()].filter((name) => !isKnown(name));
  const unknown = others.filter(isOurs);
  // When the setting it resembles is given as well, the name belongs to another program.
  const absent = Object.keys(SETTINGS).filter((name) => name.length >= TYPO_LENGTH_MIN && !given.has(name));
  const typos = others.filter((name) => !isOurs(name) && !COMMON_NAMES.has(name)).map((name) => [name, findTypo(name, absent)] as const);
  const inFile = [...(fromFile?.keys() ?? [])].filter((name) => !isKnown(name));
  return [
    ...unknown.map((name) => `${name} is not a setting${suggest(name, Object.keys(SETTINGS))}`),
    ...typos.flatMap(([name, meant]) => (meant === undefined ? [] : [`${name} is not a setting (did you mean ${meant}?)`])),
    ...inFile.map((name) => `${name} in ${SETTINGS_FILE} is not a setting${suggest(name, Object.keys(SETTINGS))}`),
    ...(fromFile?.has('DATA_DIR') ? [`DATA_DIR cannot be set in ${SETTINGS_FILE}, which is inside that directory`] : []),
  ];
}

function readValues(texts: ReadonlyMap<string, string>, problems: string[]): SettingValues {
  const values: Record<string, unknown> = {};
  for (const [name, setting] of Object.entries(SETTINGS)) {
    const parsed = setting.read.safeParse(texts.get(name) ?? setting.fallback ?? undefined);
    if (parsed.success) values[name] = parsed.data;
    else
      problems.push(
        `${name}: ${parsed.error.issues[0]?.message ?? 'not accepted'}${setting.secret ? '' : ` (found "${texts.get(name) ?? ''}")`}`,
      );
  }
  return values as SettingValues; // each member was parsed by its own schema; not used when there are problems
}

/** Rules that involve more than one setting. */
function findConflicts(values: SettingValues, isFirstStart: boolean): string[] {
  const problems: string[] = [];
  if (!isFirstStart) {
    for (const name of ['JWT_SECRET', 'CREDENTIALS_ENCRYPTION_KEY', 'AUTOMATION_CALLBACK_SECRET'] as const) {
      if (!values[name]) problems.push(`${name} is missing`);
    }
  }
  const external = values.AUTOMATION_ENGINE_BASE_URL !== undefined;
  if (values.AUTOMATION_ENGINE_ENABLED && !isFirstStart) {
    const needed: SettingName[] = ['AUTOMATION_ENGINE_ADMIN_EMAIL', 'AUTOMATION_ENGINE_ADMIN_PASSWORD'];
    if (!external) needed.push('AUTOMATION_ENGINE_ENCRYPTION_KEY');
    for (const name of needed) if (!values[name]) problems.push(`${name} is required when AUTOMATION_ENGINE_ENABLED is true`);
  }
  if (values.ROLE !== 'all' && !values.DATABASE_URL)
    problems.push(`ROLE=${values.ROLE} needs DATABASE_URL: the embedded database supports one process only`);
  if (values.TRACE_URL_TEMPLATE && !values.OTEL_EXPORTER_OTLP_ENDPOINT)
    problems.push('TRACE_URL_TEMPLATE needs OTEL_EXPORTER_OTLP_ENDPOINT: without it there are no traces');
  if (values.SMTP_HOST && !values.SMTP_FROM) problems.push('SMTP_FROM is required when SMTP_HOST is set');
  return problems;
}

function toConfig(values: SettingValues, dataDir: string): Config {
  const secret = (value: string | undefined): Secret | null => (value === undefined ? null : new Secret(value));
  const { JWT_SECRET, CREDENTIALS_ENCRYPTION_KEY, AUTOMATION_CALLBACK_SECRET } = values;
  if (!JWT_SECRET || !CREDENTIALS_ENCRYPTION_KEY || !AUTOMATION_CALLBACK_SECRET) throw new StartError('A secret is missing.');
  const [newest, ...older] = JWT_SECRET;
  return Object.freeze({
    role: values.ROLE,
    isProduction: values.NODE_ENV === 'production',
    allowsInsecure: values.ALLOW_INSECURE,
    dataDir,
    databaseUrl: secret(values.DATABASE_URL),
    startWaitSeconds: values.START_WAIT_SECONDS,
    logLevel: values.LOG_LEVEL,
    metricsPort: values.METRICS_PORT ?? null,
    publicTextsDir: values.PUBLIC_TEXTS_DIR,
    tracing: tracingOf(values),
    traceUrlTemplate: values.TRACE_URL_TEMPLATE ?? null,
    http: {
      host: values.HOST,
      port: values.PORT,
      publicBaseUrl: values.PUBLIC_BASE_URL ?? `http://localhost:${values.PORT}`,
      corsOrigins: values.CORS_ORIGINS,
      hstsSubdomains: values.HSTS_INCLUDE_SUBDOMAINS,
      trustedProxies: values.TRUSTED_PROXIES,
      callerRequestsPerMinute: values.CALLER_REQUESTS_PER_MINUTE,
      partnerRequestsPerMinute: values.PARTNER_REQUESTS_PER_MINUTE,
    },
    domains: {
      cnameTarget: values.CUSTOM_DOMAIN_TARGET ?? new URL(values.PUBLIC_BASE_URL ?? 'http://localhost').hostname,
      resolvers: values.CUSTOM_DOMAIN_RESOLVERS,
      checkHours: values.CUSTOM_DOMAIN_CHECK_HOURS,
      graceDays: values.CUSTOM_DOMAIN_GRACE_DAYS,
    },
    strangerCaps: {
      perAddress: values.STRANGER_MAILS_PER_ADDRESS,
      perNetwork: values.STRANGER_MAILS_PER_NETWORK,
      perPlatform: values.STRANGER_MAILS_PER_HOUR,
    },
    invitationCaps: {
      perHour: values.INVITATIONS_PER_HOUR,
      perDay: values.INVITATIONS_PER_DAY,
      trialPerHour: values.TRIAL_INVITATIONS_PER_HOUR,
      trialPerDay: values.TRIAL_INVITATIONS_PER_DAY,
    },
    session: {
      secret: new Secret(newest.secret),
      keyId: newest.id,
      older: older.map((key) => ({ id: key.id, secret: new Secret(key.secret) })),
      expiresInSeconds: values.JWT_EXPIRES_IN,
      idleSeconds: values.IDLE_EXPIRES_IN,
      staffIdleSeconds: values.STAFF_IDLE_EXPIRES_IN,
      staffMfaRequired: values.STAFF_MFA_REQUIRED,
    },
    vault: { ring: CREDENTIALS_ENCRYPTION_KEY },
    engine: {
      enabled: values.AUTOMATION_ENGINE_ENABLED,
      baseUrl: values.AUTOMATION_ENGINE_BASE_URL ?? null,
      adminEmail: values.AUTOMATION_ENGINE_ADMIN_EMAIL ?? null,
      adminPassword: secret(values.AUTOMATION_ENGINE_ADMIN_PASSWORD),
      projectId: values.AUTOMATION_ENGINE_PROJECT_ID ?? null,
      encryptionKey: secret(values.AUTOMATION_ENGINE_ENCRYPTION_KEY),
      edition: values.AUTOMATION_ENGINE_EDITION,
      domain: values.AUTOMATION_ENGINE_DOMAIN ?? null,
      publicUi: values.AUTOMATION_ENGINE_PUBLIC_UI,
      provider: values.AUTOMATION_PROVIDER,
      tenancyMode: values.AUTOMATION_TENANCY_MODE,
      callbackSecret: new Secret(AUTOMATION_CALLBACK_SECRET),
      internalApiUrl: values.AUTOMATION_INTERNAL_API_URL ?? `http://127.0.0.1:${values.PORT}`,
      healthTimeoutMs: values.AUTOMATION_HEALTH_TIMEOUT_MS,
      provisionTimeoutMinutes: values.AUTOMATION_PROVISION_TIMEOUT_MINUTES,
    },
    executionTimeoutMinutes: values.EXECUTION_TIMEOUT_MINUTES,
    executionWaitMinutes: values.EXECUTION_WAIT_MINUTES,
    failedRunsFreePerDay: values.FAILED_RUNS_FREE_PER_DAY,
    firstContactsPerHour: values.FIRST_CONTACTS_PER_HOUR,
    accountDeletionDays: values.ACCOUNT_DELETION_DAYS,
    collection: {
      reminderDays: values.INVOICE_REMINDER_DAYS,
      pastDueAfterDays: values.PAST_DUE_AFTER_DAYS,
      suspensionAfterDays: values.BILLING_SUSPENSION_AFTER_DAYS,
    },
    providers: {
      sandbox: values.PROVIDER_SANDBOX,
      baseUrls: {
        openai: values.OPENAI_BASE_URL ?? null,
        anthropic: values.ANTHROPIC_BASE_URL ?? null,
        calcom: values.CALCOM_BASE_URL ?? null,
        resend: values.RESEND_BASE_URL ?? null,
        twilio: values.TWILIO_BASE_URL ?? null,
      },
      platformKeys: { openai: secret(values.PLATFORM_OPENAI_API_KEY), anthropic: secret(values.PLATFORM_ANTHROPIC_API_KEY) },
    },
    devAllowedHosts: values.WEBHOOK_DEV_ALLOWED_HOSTS,
    clamd: values.CLAMD_ADDRESS ?? null,
    smtp:
      values.SMTP_HOST && values.SMTP_FROM
        ? {
            host: values.SMTP_HOST,
            port: values.SMTP_PORT,
            security: values.SMTP_SECURITY,
            user: values.SMTP_USER ?? null,
            password: secret(values.SMTP_PASSWORD),
            from: values.SMTP_FROM,
          }
        : null,
    invoicing: {
      seller: {
        name: values.INVOICE_SELLER_NAME ?? null,
        address: values.INVOICE_SELLER_ADDRESS ?? null,
        country: values.INVOICE_SELLER_COUNTRY ?? null,
        taxId: values.INVOICE_SELLER_TAX_ID ?? null,
        email: values.INVOICE_SELLER_EMAIL ?? null,
      },
      paymentInstructions: values.INVOICE_PAYMENT_INSTRUCTIONS ?? null,
      dueDays: values.INVOICE_DUE_DAYS,
    },
    seedAdmin: { email: values.SEED_ADMIN_EMAIL ?? null, password: secret(values.SEED_ADMIN_PASSWORD) },
  });
}

function tracingOf(values: SettingValues): TracingConfig | null {
  if (values.OTEL_EXPORTER_OTLP_ENDPOINT === undefined) return null;
  return {
    endpoint: values.OTEL_EXPORTER_OTLP_ENDPOINT,
    headers: new Map([...values.OTEL_EXPORTER_OTLP_HEADERS].map(([name, value]) => [name, new Secret(value)])),
    serviceName: values.OTEL_SERVICE_NAME,
    share: values.OTEL_TRACES_SAMPLER_ARG,
  };
}

function refuseToStart(problems: readonly string[]): StartError {
  const count = problems.length === 1 ? 'One setting needs' : `${problems.length} settings need`;
  return new StartError(
    [
      `${count} attention before the service can start:`,
      ...problems.map((problem) => `  - ${problem}`),
      'docs/configuration.md lists every setting.',
    ].join('\n'),
  );
}
