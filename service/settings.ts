import { parseKeyRing } from '@partner-portal/core/credential/vault.ts';
import { TENANCY_MODES } from '@partner-portal/contract/vocabulary.ts';
import { z } from 'zod';

/** One setting: what it means, how its text is read, and what stands in when nobody sets it. */
export type Setting<T> = {
  group: SettingGroup;
  meaning: string;
  read: z.ZodType<T>;
  /** Shown in the documentation; null when there is none. */
  fallback: string | null;
  secret: boolean;
};

export type SettingGroup = 'Process' | 'Access' | 'Secrets' | 'Automation engine' | 'Providers' | 'Mail' | 'First start';

type Rest<T> = { group: SettingGroup; meaning: string; read: z.ZodType<T>; secret?: boolean };
const required = <T>(setting: Rest<T>, fallback: string): Setting<T> => ({ ...setting, secret: setting.secret ?? false, fallback });
const optional = <T>(setting: Rest<T>): Setting<T | undefined> => ({
  ...setting,
  read: setting.read.optional(),
  secret: setting.secret ?? false,
  fallback: null,
});

const text = z.string();
const flag = z.enum(['true', 'false'], 'write true or false').transform((value) => value === 'true');
const whole = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d+$/, `write a whole number from ${min} to ${max}`)
    .transform(Number)
    .pipe(z.number().min(min, `the least is ${min}`).max(max, `the most is ${max}`));
const port = whole(1, 65_535);
const list = z.string().transform((value) =>
  value
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== ''),
);
const origin = z
  .string()
  .refine(
    (value) => /^https?:\/\/[^/?#]+\/?$/.test(value) && URL.canParse(value),
    'write scheme and host only, for example https://portal.example.com',
  )
  .transform((value) => value.replace(/\/$/, ''));
const address = z
  .string()
  .refine((value) => /^https?:\/\//.test(value) && URL.canParse(value), 'write an http or https address')
  .transform((value) => value.replace(/\/+$/, ''));
const origins = list.pipe(z.array(origin));
const longSecret = z.string().min(32, 'use at least 32 characters');
const keyRing = z.string().transform((value, context) => {
  const parsed = parseKeyRing(value);
  if (parsed.ok) return parsed.ring;
  context.addIssue({ code: 'custom', message: parsed.problem });
  return z.NEVER;
});
const key32 = z.string().refine((value) => Buffer.from(value, 'base64').length === 32, 'write 32 bytes in base64');

const UNITS: Record<string, number> = { s: 1, m: 60, h: 3_600, d: 86_400, w: 604_800 };
/** `1d`, `1 day`, `12h`, `90 minutes` or plain seconds. */
const duration = z.string().transform((value, context) => {
  const match = /^(\d+)\s*(s|sec|seconds?|m|min|minutes?|h|hours?|d|days?|w|weeks?)?$/i.exec(value.trim());
  const seconds = match ? Number(match[1]) * (UNITS[(match[2] ?? 's')[0]?.toLowerCase() ?? 's'] ?? 1) : 0;
  if (seconds >= 1 && seconds <= 31 * 86_400) return seconds;
  context.addIssue({ code: 'custom', message: 'write a time such as 1d, 12h or 3600 (one second to 31 days)' });
  return z.NEVER;
});

/** Every setting of the service. Sources: specification, Configuration variables; product.md §2.4 and §11. */
export const SETTINGS = {
  HOST: required({ group: 'Process', meaning: 'Address to listen on.', read: text }, '127.0.0.1'),
  PORT: required({ group: 'Process', meaning: 'Port to listen on.', read: port }, '3000'),
  PUBLIC_BASE_URL: optional({
    group: 'Process',
    meaning: 'Address under which people and programs reach the service. Unset: http://localhost:PORT.',
    read: origin,
  }),
  ROLE: required(
    {
      group: 'Process',
      meaning: 'Which half this process runs: http, worker, or all.',
      read: z.enum(['all', 'http', 'worker'], 'write all, http or worker'),
    },
    'all',
  ),
  DATA_DIR: required({ group: 'Process', meaning: 'Folder for the local settings file and the embedded database.', read: text }, '.data'),
  DATABASE_URL: optional({
    group: 'Process',
    meaning: 'PostgreSQL server to use, with an administrator. Unset: the service brings its own.',
    read: text,
    secret: true,
  }),
  LOG_LEVEL: required(
    {
      group: 'Process',
      meaning: 'Least important log line that is written.',
      read: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent'], 'write trace, debug, info, warn, error or silent'),
    },
    'info',
  ),
  METRICS_PORT: optional({ group: 'Process', meaning: 'Port for GET /metrics. Unset: no metrics listener.', read: port }),
  NODE_ENV: required({ group: 'Process', meaning: 'production refuses what only helps while developing.', read: text }, 'development'),

  CORS_ORIGINS: required({ group: 'Access', meaning: 'Origins whose pages may call the API, separated by commas.', read: origins }, ''),
  TRUSTED_PROXIES: required(
    { group: 'Access', meaning: 'Addresses of proxies whose X-Forwarded-For counts, separated by commas.', read: list },
    '',
  ),
  JWT_EXPIRES_IN: required({ group: 'Access', meaning: 'Life of a session.', read: duration }, '1d'),
  CALLER_REQUESTS_PER_MINUTE: required(
    {
      group: 'Access',
      meaning: 'Requests one caller may make in 60 seconds: a person, or an address without a session.',
      read: whole(1, 1_000_000),
    },
    '100',
  ),
  PARTNER_REQUESTS_PER_MINUTE: required(
    { group: 'Access', meaning: 'Requests an agency may make in 60 seconds, all its users together.', read: whole(1, 1_000_000) },
    '600',
  ),
  WEBHOOK_DEV_ALLOWED_HOSTS: required(
    {
      group: 'Access',
      meaning: 'Private hosts (host or host:port) that webhooks and SQL keys may use while developing. Refused in production.',
      read: list,
    },
    '',
  ),

  JWT_SECRET: optional({
    group: 'Secrets',
    meaning: 'Signs sessions and derives the database passwords of our roles. At least 32 characters.',
    read: longSecret,
    secret: true,
  }),
  CREDENTIALS_ENCRYPTION_KEY: optional({
    group: 'Secrets',
    meaning: 'Master keys of the vault, newest first: id:base64key,id:base64key. Each key is 32 bytes.',
    read: keyRing,
    secret: true,
  }),
  AUTOMATION_CALLBACK_SECRET: optional({
    group: 'Secrets',
    meaning: 'Signs execution callbacks and derives ingest URLs. Changing it changes every ingest URL.',
    read: longSecret,
    secret: true,
  }),

  AUTOMATION_ENGINE_ENABLED: required(
    {
      group: 'Automation engine',
      meaning: 'Master switch for provisioning. Only the exact text true enables.',
      read: text.transform((value) => value === 'true'),
    },
    'false',
  ),
  AUTOMATION_ENGINE_BASE_URL: optional({
    group: 'Automation engine',
    meaning: 'Internal address of the engine. Unset: the service brings its own.',
    read: address,
  }),
  AUTOMATION_ENGINE_ADMIN_EMAIL: optional({ group: 'Automation engine', meaning: 'Platform admin of the engine.', read: text }),
  AUTOMATION_ENGINE_ADMIN_PASSWORD: optional({
    group: 'Automation engine',
    meaning: 'Password of that admin: full access to every agency\u2019s automation.',
    read: z.string().min(8, 'use at least 8 characters').max(64, 'use at most 64 characters'),
    secret: true,
  }),
  AUTOMATION_ENGINE_PROJECT_ID: optional({
    group: 'Automation engine',
    meaning: 'Project that holds all flows in shared tenancy. The embedded engine fills it in by itself.',
    read: text,
  }),
  AUTOMATION_ENGINE_ENCRYPTION_KEY: optional({
    group: 'Automation engine',
    meaning: 'Seals connections inside the embedded engine. 32 bytes, base64.',
    read: key32,
    secret: true,
  }),
  AUTOMATION_ENGINE_EDITION: required(
    { group: 'Automation engine', meaning: 'Edition of the engine; informational only.', read: text },
    'ce',
  ),
  AUTOMATION_ENGINE_DOMAIN: optional({
    group: 'Automation engine',
    meaning: 'Host name for publishing the engine\u2019s editor.',
    read: text,
  }),
  AUTOMATION_ENGINE_PUBLIC_UI: required(
    { group: 'Automation engine', meaning: 'Must be true as well for the editor to be published.', read: flag },
    'false',
  ),
  AUTOMATION_PROVIDER: required(
    {
      group: 'Automation engine',
      meaning: 'Engine used by agencies that name none of their own.',
      read: z.enum(['activepieces'], 'write activepieces'),
    },
    'activepieces',
  ),
  AUTOMATION_TENANCY_MODE: required(
    {
      group: 'Automation engine',
      meaning: 'shared: one project for all agencies. project: one per agency.',
      read: z.enum(TENANCY_MODES, 'write shared or project'),
    },
    'shared',
  ),
  AUTOMATION_INTERNAL_API_URL: optional({
    group: 'Automation engine',
    meaning: 'Address on which flows call this service back; never public. Unset: http://127.0.0.1:PORT.',
    read: address,
  }),
  AUTOMATION_HEALTH_TIMEOUT_MS: required(
    { group: 'Automation engine', meaning: 'Time the engine has to answer a health check.', read: whole(100, 120_000) },
    '5000',
  ),
  AUTOMATION_PROVISION_TIMEOUT_MINUTES: required(
    { group: 'Automation engine', meaning: 'Age at which a stuck provisioning attempt is ended.', read: whole(1, 1_440) },
    '15',
  ),
  EXECUTION_TIMEOUT_MINUTES: required(
    {
      group: 'Automation engine',
      meaning: 'Age at which a run without a report is ended, unless its template says otherwise.',
      read: whole(1, 1_440),
    },
    '30',
  ),

  PROVIDER_SANDBOX: required(
    { group: 'Providers', meaning: 'true starts a stand-in for the third-party services: nothing leaves this machine.', read: flag },
    'false',
  ),
  OPENAI_BASE_URL: optional({ group: 'Providers', meaning: 'Address of OpenAI. Unset: the public one, or the sandbox.', read: address }),
  ANTHROPIC_BASE_URL: optional({
    group: 'Providers',
    meaning: 'Address of Anthropic. Unset: the public one, or the sandbox.',
    read: address,
  }),
  CALCOM_BASE_URL: optional({ group: 'Providers', meaning: 'Address of Cal.com. Unset: the public one, or the sandbox.', read: address }),
  RESEND_BASE_URL: optional({ group: 'Providers', meaning: 'Address of Resend. Unset: the public one, or the sandbox.', read: address }),
  TWILIO_BASE_URL: optional({ group: 'Providers', meaning: 'Address of Twilio. Unset: the public one, or the sandbox.', read: address }),
  PLATFORM_OPENAI_API_KEY: optional({
    group: 'Providers',
    meaning: 'Key that agencies without their own may use.',
    read: text,
    secret: true,
  }),
  PLATFORM_ANTHROPIC_API_KEY: optional({
    group: 'Providers',
    meaning: 'Key that agencies without their own may use.',
    read: text,
    secret: true,
  }),

  SMTP_HOST: optional({ group: 'Mail', meaning: 'Mail server. Unset: links are shown to whoever invites.', read: text }),
  SMTP_PORT: required({ group: 'Mail', meaning: 'Port of the mail server.', read: port }, '587'),
  SMTP_USER: optional({ group: 'Mail', meaning: 'Account at the mail server.', read: text }),
  SMTP_PASSWORD: optional({ group: 'Mail', meaning: 'Password of that account.', read: text, secret: true }),
  SMTP_SECURITY: required(
    {
      group: 'Mail',
      meaning:
        'tls: encrypted from the first byte. starttls: nothing is sent without it. auto: tls on port 465, else starttls. none: in the open.',
      read: z.enum(['auto', 'tls', 'starttls', 'none'], 'write auto, tls, starttls or none'),
    },
    'auto',
  ),
  SMTP_FROM: optional({
    group: 'Mail',
    meaning: 'Sender address of the service\u2019s own mail.',
    read: z.email('write an e-mail address'),
  }),

  SEED_ADMIN_EMAIL: optional({
    group: 'First start',
    meaning: 'Address of the first ADMIN; staff exist only by seeding.',
    read: z.string().trim().toLowerCase().pipe(z.email('write an e-mail address')),
  }),
  SEED_ADMIN_PASSWORD: optional({
    group: 'First start',
    meaning: 'Password of the first ADMIN.',
    read: z.string().min(8, 'use at least 8 characters').max(128, 'use at most 128 characters'),
    secret: true,
  }),
} as const;

export type SettingName = keyof typeof SETTINGS;
export type SettingValues = { [N in SettingName]: (typeof SETTINGS)[N] extends Setting<infer T> ? T : never };

/** Names that are ours by their beginning: an unknown one in the environment is a typing error, not somebody else's. */
export const OWN_PREFIXES = [
  'AUTOMATION_',
  'SEED_ADMIN_',
  'CREDENTIALS_',
  'WEBHOOK_DEV_',
  'CALLER_REQUESTS_',
  'PARTNER_REQUESTS_',
  'PROVIDER_SANDBOX',
  'EXECUTION_TIMEOUT',
  'JWT_',
] as const;

/** Of the other names, one that is a slip away from a setting is taken for it. Not of short ones: PORT has too many neighbours. */
export const SLIP_LENGTH_MIN = 8;
/** As near to one of ours, and in use by other programs. */
export const ORDINARY_NAMES: ReadonlySet<string> = new Set(['DATABASE_URI', 'DATADIR', 'LOGLEVEL', 'SMTPHOST']);
