import { Resolver } from 'node:dns';
import { isIP, isIPv4 } from 'node:net';
import { parseSigningKeys } from '@partner-portal/core/access/signing-keys.ts';
import { parseKeyRing } from '@partner-portal/core/credential/vault.ts';
import { traceUrlProblem } from '@partner-portal/core/tracing/trace-url.ts';
import { normalizeEmail } from '@partner-portal/contract/email-address.ts';
import { TENANCY_MODES } from '@partner-portal/contract/vocabulary.ts';
import { z } from 'zod';

/** One setting: its description, the schema that parses its text, and its default. */
export type Setting<T> = {
  group: SettingGroup;
  description: string;
  read: z.ZodType<T>;
  /** The default as text; null when there is none. */
  fallback: string | null;
  secret: boolean;
};

/** In the order of docs/configuration.md. */
export const SETTING_GROUPS = ['Process', 'Access', 'Secrets', 'Automation engine', 'Providers', 'Mail', 'Billing', 'First start'] as const;
export type SettingGroup = (typeof SETTING_GROUPS)[number];

type Definition<T> = { group: SettingGroup; description: string; read: z.ZodType<T>; secret?: boolean };
const required = <T>(setting: Definition<T>, fallback: string): Setting<T> => ({ ...setting, secret: setting.secret ?? false, fallback });
const optional = <T>(setting: Definition<T>): Setting<T | undefined> => ({
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
    .pipe(z.number().min(min, `the minimum is ${min}`).max(max, `the maximum is ${max}`));
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
/** Several lines, written as one: `Main Street 1; 10115 Berlin`. */
const lines = z.string().transform((value) =>
  value
    .split(';')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('\n'),
);
/** Days as a list of ascending whole numbers, for example `1,7,13`; empty for none. */
const ascendingDays = list
  .transform((days) => days.map(Number))
  .refine(
    (days) => days.every((day, index) => Number.isInteger(day) && day > (days[index - 1] ?? -1) && day <= 365),
    'write ascending whole numbers up to 365, for example 1,7,13',
  );
/** What `trustProxy` of Fastify takes: an address, a network with the length of its prefix or an IPv4 mask, or the name of private ones. */
const proxies = list.refine(
  (entries) => entries.every((entry) => /^(loopback|linklocal|uniquelocal)$/.test(entry) || isNetwork(entry)),
  'write addresses or networks, for example 10.0.0.1 or 10.0.0.0/8, or loopback, linklocal or uniquelocal',
);
function isNetwork(entry: string): boolean {
  const [host = '', range, ...rest] = entry.split('/');
  const family = isIP(host);
  if (family === 0 || rest.length > 0) return false;
  if (range === undefined) return true;
  if (/^\d{1,3}$/.test(range)) return Number(range) >= 1 && Number(range) <= (family === 4 ? 32 : 128);
  const bits = range.split('.').map((part) => Number(part).toString(2).padStart(8, '0'));
  return family === 4 && isIPv4(range) && /^1+0*$/.test(bits.join(''));
}
const nameServers = list.refine((entries) => {
  try {
    new Resolver().setServers(entries);
    return true;
  } catch {
    return false;
  }
}, 'write addresses of name servers, for example 9.9.9.9 or 9.9.9.9:53');
const hostName = text.refine((value) => {
  const url = `https://${value}`;
  return isIP(value) === 0 && URL.canParse(url) && new URL(url).href === `https://${value.toLowerCase()}/`;
}, 'write a host name alone, for example portal.example.com');
const origins = list.pipe(z.array(origin));
const longSecret = z.string().min(32, 'use at least 32 characters');
const keyRing = z.string().transform((value, context) => {
  const parsed = parseKeyRing(value);
  if (parsed.ok) return parsed.ring;
  context.addIssue({ code: 'custom', message: parsed.problem });
  return z.NEVER;
});
const signingKeys = z.string().transform((value, context) => {
  const parsed = parseSigningKeys(value);
  if (parsed.ok) return parsed.keys;
  context.addIssue({ code: 'custom', message: parsed.problem });
  return z.NEVER;
});
const key32 = z.string().refine((value) => Buffer.from(value, 'base64').length === 32, 'write 32 bytes in base64');

/** `host:port`, `[::1]:3310`, or the absolute path of a socket, with or without `unix:`. */
const clamdAddress = z.string().transform((value, context): { host: string; port: number } | { path: string } => {
  const path = /^(?:unix:)?(\/.+)$/.exec(value)?.[1];
  if (path !== undefined) return { path };
  const [, v6, name, digits] = /^(?:\[([0-9a-f:.]+)\]|([\w.-]+)):(\d{1,5})$/i.exec(value) ?? [];
  const host = v6 ?? name;
  const number = Number(digits);
  if (host !== undefined && number >= 1 && number <= 65_535) return { host, port: number };
  context.addIssue({ code: 'custom', message: 'write host:port, for example 127.0.0.1:3310, or the path of a socket' });
  return z.NEVER;
});

/** An address without a user name, password or query, which a log or a report could show. */
const bareAddress = address.refine((value) => {
  const { username, password, search } = new URL(value);
  return username === '' && password === '' && search === '';
}, 'write the address without a user name, password or query');

/** `name=value,name=value`, values percent-encoded where they hold a comma or a space. */
const headers = list.transform((entries, context): ReadonlyMap<string, string> => {
  const parsed = entries.map((entry) => /^([!#$%&'*+.^_`|~\w-]+)\s*=\s*(.*)$/.exec(entry));
  const values = parsed.map((match) => decode(match?.[2]?.trim() ?? ''));
  if (parsed.every((match) => match !== null) && values.every((value) => value !== null && /^[\t\x20-\x7e]+$/.test(value)))
    return new Map(parsed.map((match, index) => [match?.[1] ?? '', values[index] ?? '']));
  context.addIssue({ code: 'custom', message: 'write name=value,name=value, values percent-encoded' });
  return z.NEVER;
});

function decode(value: string): string | null {
  try {
    return decodeURIComponent(value);
  } catch {
    return null;
  }
}

const traceUrl = z.string().superRefine((value, context) => {
  const problem = traceUrlProblem(value);
  if (problem !== null) context.addIssue({ code: 'custom', message: problem });
});

const UNITS: Record<string, number> = { s: 1, m: 60, h: 3_600, d: 86_400, w: 604_800 };
/** Parses `1d`, `1 day`, `12h`, `90 minutes` or plain seconds. */
const duration = z.string().transform((value, context) => {
  const match = /^(\d+)\s*(s|sec|seconds?|m|min|minutes?|h|hours?|d|days?|w|weeks?)?$/i.exec(value.trim());
  const seconds = match ? Number(match[1]) * (UNITS[(match[2] ?? 's')[0]?.toLowerCase() ?? 's'] ?? 1) : 0;
  if (seconds >= 1 && seconds <= 31 * 86_400) return seconds;
  context.addIssue({ code: 'custom', message: 'write a duration such as 1d, 12h or 3600 (one second to 31 days)' });
  return z.NEVER;
});

/** Risks that production refuses unless ALLOW_INSECURE names them. */
export const INSECURE_NAMES = ['secrets', 'sandbox', 'http', 'mail'] as const;
export type InsecureName = (typeof INSECURE_NAMES)[number];

/** At least a quarter of an hour: the last use is known to within five minutes. */
const idleTime = z
  .union([z.literal('off').transform(() => null), duration], 'write off, or a duration such as 8h or 30m')
  .refine((seconds) => seconds === null || seconds >= 900, 'write off, or at least 15m');

/** Every setting of the service. `npm run gen` renders them in docs/configuration.md. */
export const SETTINGS = {
  HOST: required({ group: 'Process', description: 'Address to listen on.', read: text }, '127.0.0.1'),
  PORT: required({ group: 'Process', description: 'Port to listen on.', read: port }, '3000'),
  PUBLIC_BASE_URL: optional({
    group: 'Process',
    description: 'Public address of the service, used in links. Unset: http://localhost:PORT.',
    read: origin,
  }),
  ROLE: required(
    {
      group: 'Process',
      description: 'What this process runs: http (portal and API), worker (background work), or all.',
      read: z.enum(['all', 'http', 'worker'], 'write all, http or worker'),
    },
    'all',
  ),
  DATA_DIR: required(
    { group: 'Process', description: 'Folder for the local settings file and the embedded database.', read: text },
    '.data',
  ),
  PUBLIC_TEXTS_DIR: optional({
    group: 'Process',
    description:
      'Folder with terms.md and privacy.md, the Markdown of the pages /terms and /privacy. Unset, or without a file: the text that comes with the service.',
    read: text,
  }),
  DATABASE_URL: optional({
    group: 'Process',
    description: 'URL of the PostgreSQL server, with an administrator’s login. Unset: the service starts its own.',
    read: text,
    secret: true,
  }),
  START_WAIT_SECONDS: required(
    {
      group: 'Process',
      description: 'How long a start waits for a database or engine that does not answer, before it ends.',
      read: whole(0, 3_600),
    },
    '60',
  ),
  LOG_LEVEL: required(
    {
      group: 'Process',
      description: 'Lowest level of log lines that are written.',
      read: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent'], 'write trace, debug, info, warn, error or silent'),
    },
    'info',
  ),
  METRICS_PORT: optional({ group: 'Process', description: 'Port for GET /metrics. Unset: no metrics listener.', read: port }),
  OTEL_EXPORTER_OTLP_ENDPOINT: optional({
    group: 'Process',
    description:
      'Base address of an OpenTelemetry collector’s OTLP/HTTP receiver, for example http://collector:4318: each run is a trace (docs/tracing.md). Unset: no traces.',
    read: bareAddress,
  }),
  OTEL_EXPORTER_OTLP_HEADERS: required(
    {
      group: 'Process',
      description: 'Headers for the collector, such as its token: name=value,name=value, values percent-encoded.',
      read: headers,
      secret: true,
    },
    '',
  ),
  OTEL_SERVICE_NAME: required(
    {
      group: 'Process',
      description: 'Name of the service in traces; that of the embedded engine ends in -engine.',
      read: text,
    },
    'partner-portal',
  ),
  OTEL_TRACES_SAMPLER_ARG: required(
    {
      group: 'Process',
      description: 'Share of the runs that are traced, from 0 to 1; the same in all processes.',
      read: z
        .string()
        .regex(/^(?:0|1|0?\.\d+|[01]\.0+)$/, 'write a number from 0 to 1, for example 0.1')
        .transform(Number),
    },
    '1',
  ),
  TRACE_URL_TEMPLATE: optional({
    group: 'Process',
    description:
      'Address of a trace for people, for example https://traces.example.com/trace/{traceId}: staff get the link on the page of a run. Unset: they see the ID alone.',
    read: traceUrl,
  }),
  NODE_ENV: required(
    {
      group: 'Process',
      description:
        'production refuses settings that are for development only, weak or equal secrets, the provider sandbox, http addresses and unencrypted mail.',
      read: z.enum(['development', 'test', 'production'], 'write development, test or production'),
    },
    'development',
  ),
  ALLOW_INSECURE: required(
    {
      group: 'Process',
      description: `What production accepts nevertheless, comma-separated: ${INSECURE_NAMES.join(', ')}. Each is shown to staff as a warning.`,
      read: list.pipe(z.array(z.enum(INSECURE_NAMES, `write a list of ${INSECURE_NAMES.join(', ')}`))),
    },
    '',
  ),

  CORS_ORIGINS: required({ group: 'Access', description: 'Origins whose pages may call the API, comma-separated.', read: origins }, ''),
  TRUSTED_PROXIES: required(
    { group: 'Access', description: 'Addresses of proxies whose X-Forwarded-For header is trusted, comma-separated.', read: proxies },
    '',
  ),
  HSTS_INCLUDE_SUBDOMAINS: required(
    {
      group: 'Access',
      description:
        'With an https address: browsers use https also for every name below the host of PUBLIC_BASE_URL. They remember it for a year: switch it on when all of them have it.',
      read: flag,
    },
    'false',
  ),
  CUSTOM_DOMAIN_TARGET: optional({
    group: 'Access',
    description: 'Host name that the domains of agencies point to (CNAME). Unset: the host of PUBLIC_BASE_URL.',
    read: hostName,
  }),
  CUSTOM_DOMAIN_RESOLVERS: required(
    {
      group: 'Access',
      description:
        'Name servers that are asked for the records of these domains, as address or address:port, comma-separated. Empty: those of the system.',
      read: nameServers,
    },
    '',
  ),
  CUSTOM_DOMAIN_CHECK_HOURS: required(
    { group: 'Access', description: 'Hours between two checks of a verified domain.', read: whole(1, 168) },
    '24',
  ),
  CUSTOM_DOMAIN_GRACE_DAYS: required(
    { group: 'Access', description: 'Days for which a domain is served after its record went missing.', read: whole(1, 30) },
    '3',
  ),
  JWT_EXPIRES_IN: required({ group: 'Access', description: 'Lifetime of a session.', read: duration }, '1d'),
  IDLE_EXPIRES_IN: required(
    {
      group: 'Access',
      description:
        'Time without use after which a session of an agency or client ends, before its lifetime does; off for never. Streams, and pages that no one touches, are no use.',
      read: idleTime,
    },
    'off',
  ),
  STAFF_IDLE_EXPIRES_IN: required(
    {
      group: 'Access',
      description: 'IDLE_EXPIRES_IN for staff. 8h is recommended in production; setup:production and the chart set it.',
      read: idleTime,
    },
    'off',
  ),
  STAFF_MFA_REQUIRED: required(
    { group: 'Access', description: 'true confines staff without two-step login to setting it up. Recommended.', read: flag },
    'false',
  ),
  CALLER_REQUESTS_PER_MINUTE: required(
    {
      group: 'Access',
      description: 'Requests per 60 seconds for one caller: a user, or an IP address without a session.',
      read: whole(1, 1_000_000),
    },
    '100',
  ),
  PARTNER_REQUESTS_PER_MINUTE: required(
    { group: 'Access', description: 'Requests per 60 seconds for one agency, all its users together.', read: whole(1, 1_000_000) },
    '600',
  ),
  INVITATIONS_PER_HOUR: required(
    { group: 'Access', description: 'Invitation mails of one agency within an hour, resent ones included.', read: whole(1, 1_000_000) },
    '30',
  ),
  INVITATIONS_PER_DAY: required(
    { group: 'Access', description: 'Invitation mails of one agency within a day, resent ones included.', read: whole(1, 1_000_000) },
    '200',
  ),
  TRIAL_INVITATIONS_PER_HOUR: required(
    { group: 'Access', description: 'INVITATIONS_PER_HOUR for an agency on a trial.', read: whole(1, 1_000_000) },
    '10',
  ),
  TRIAL_INVITATIONS_PER_DAY: required(
    { group: 'Access', description: 'INVITATIONS_PER_DAY for an agency on a trial.', read: whole(1, 1_000_000) },
    '30',
  ),
  STRANGER_MAILS_PER_ADDRESS: required(
    {
      group: 'Access',
      description:
        'Mails to one address without an account within an hour, of all agencies and forms together. Mail above it waits for staff.',
      read: whole(1, 1_000_000),
    },
    '20',
  ),
  STRANGER_MAILS_PER_NETWORK: required(
    {
      group: 'Access',
      description: 'Mails that public forms send within an hour for callers of one network. Mail above it waits for staff.',
      read: whole(1, 1_000_000),
    },
    '10',
  ),
  STRANGER_MAILS_PER_HOUR: required(
    {
      group: 'Access',
      description:
        'Mails of the platform to addresses without an account within an hour: those that public forms send, and separately invitations. Mail above it waits for staff.',
      read: whole(1, 1_000_000),
    },
    '500',
  ),
  WEBHOOK_DEV_ALLOWED_HOSTS: required(
    {
      group: 'Access',
      description: 'Private hosts (host or host:port) that webhooks and SQL keys may use in development. Refused in production.',
      read: list,
    },
    '',
  ),

  JWT_SECRET: optional({
    group: 'Secrets',
    description:
      'Signs sessions; the newest key derives the passwords of the service’s database roles. One secret of at least 32 characters, or a ring, newest first: id:secret,id:secret.',
    read: signingKeys,
    secret: true,
  }),
  CREDENTIALS_ENCRYPTION_KEY: optional({
    group: 'Secrets',
    description: 'Master keys of the vault, newest first: id:base64key,id:base64key. Each key is 32 bytes.',
    read: keyRing,
    secret: true,
  }),
  AUTOMATION_CALLBACK_SECRET: optional({
    group: 'Secrets',
    description: 'Signs callbacks of runs and derives ingest URLs. Changing it changes every ingest URL.',
    read: longSecret,
    secret: true,
  }),

  AUTOMATION_ENGINE_ENABLED: required(
    {
      group: 'Automation engine',
      description: 'Master switch for provisioning. Only the exact text true enables it.',
      read: text.transform((value) => value === 'true'),
    },
    'false',
  ),
  AUTOMATION_ENGINE_BASE_URL: optional({
    group: 'Automation engine',
    description: 'Internal address of the engine. Unset: the service starts its own.',
    read: address,
  }),
  AUTOMATION_ENGINE_ADMIN_EMAIL: optional({
    group: 'Automation engine',
    description: 'E-mail address of the engine’s platform admin.',
    read: text,
  }),
  AUTOMATION_ENGINE_ADMIN_PASSWORD: optional({
    group: 'Automation engine',
    description: 'Password of that admin. It gives full access to every agency’s automation.',
    read: z.string().min(8, 'use at least 8 characters').max(64, 'use at most 64 characters'),
    secret: true,
  }),
  AUTOMATION_ENGINE_PROJECT_ID: optional({
    group: 'Automation engine',
    description: 'Project that holds all flows in shared tenancy. Not needed with the engine within the service.',
    read: text,
  }),
  AUTOMATION_ENGINE_ENCRYPTION_KEY: optional({
    group: 'Automation engine',
    description: 'Encrypts connections in the embedded engine. 32 bytes in base64.',
    read: key32,
    secret: true,
  }),
  AUTOMATION_ENGINE_EDITION: required(
    { group: 'Automation engine', description: 'Edition of the engine; informational only.', read: text },
    'ce',
  ),
  AUTOMATION_ENGINE_DOMAIN: optional({
    group: 'Automation engine',
    description: 'Host name under which the engine’s editor is published.',
    read: text,
  }),
  AUTOMATION_ENGINE_PUBLIC_UI: required(
    { group: 'Automation engine', description: 'The editor is published only when this is true as well.', read: flag },
    'false',
  ),
  AUTOMATION_PROVIDER: required(
    {
      group: 'Automation engine',
      description: 'Default engine for agencies.',
      read: z.enum(['activepieces'], 'write activepieces'),
    },
    'activepieces',
  ),
  AUTOMATION_TENANCY_MODE: required(
    {
      group: 'Automation engine',
      description: 'shared: one engine project for all agencies. project: one per agency.',
      read: z.enum(TENANCY_MODES, 'write shared or project'),
    },
    'shared',
  ),
  AUTOMATION_INTERNAL_API_URL: optional({
    group: 'Automation engine',
    description: 'Internal address at which flows call this service; never public. Unset: http://127.0.0.1:PORT.',
    read: address,
  }),
  AUTOMATION_HEALTH_TIMEOUT_MS: required(
    { group: 'Automation engine', description: 'Timeout of the engine’s health check.', read: whole(100, 120_000) },
    '5000',
  ),
  AUTOMATION_PROVISION_TIMEOUT_MINUTES: required(
    { group: 'Automation engine', description: 'Age at which a stuck provisioning attempt fails.', read: whole(1, 1_440) },
    '15',
  ),
  EXECUTION_TIMEOUT_MINUTES: required(
    {
      group: 'Automation engine',
      description: 'Age at which a run without a report fails, unless its template sets another limit.',
      read: whole(1, 1_440),
    },
    '30',
  ),
  EXECUTION_WAIT_MINUTES: required(
    {
      group: 'Automation engine',
      description:
        'How long an accepted run may wait for capacity or for an unavailable engine. Never less than the run’s timeout, which starts when the run is handed over.',
      read: whole(1, 1_440),
    },
    '60',
  ),
  FAILED_RUNS_FREE_PER_DAY: required(
    {
      group: 'Automation engine',
      description:
        'Runs of one agency that may fail on a day (UTC) before its events are refused until the next. Failed runs cost no credits. Larger plans have more: two days of their average use.',
      read: whole(1, 1_000_000),
    },
    '1000',
  ),
  FIRST_CONTACTS_PER_HOUR: required(
    {
      group: 'Automation engine',
      description:
        'People whom the agents of one client may text for the first time in an hour, unless its agency sets another number. Runs above it wait for their turn; nothing is lost.',
      read: whole(1, 10_000),
    },
    '60',
  ),

  PROVIDER_SANDBOX: required(
    {
      group: 'Providers',
      description: 'true starts a sandbox that replaces the third-party services: nothing leaves this machine.',
      read: flag,
    },
    'false',
  ),
  OPENAI_BASE_URL: optional({
    group: 'Providers',
    description: 'Address of OpenAI. Unset: the public one, or the sandbox.',
    read: address,
  }),
  ANTHROPIC_BASE_URL: optional({
    group: 'Providers',
    description: 'Address of Anthropic. Unset: the public one, or the sandbox.',
    read: address,
  }),
  CALCOM_BASE_URL: optional({
    group: 'Providers',
    description: 'Address of Cal.com. Unset: the public one, or the sandbox.',
    read: address,
  }),
  RESEND_BASE_URL: optional({
    group: 'Providers',
    description: 'Address of Resend. Unset: the public one, or the sandbox.',
    read: address,
  }),
  TWILIO_BASE_URL: optional({
    group: 'Providers',
    description: 'Address of Twilio. Unset: the public one, or the sandbox.',
    read: address,
  }),
  PLATFORM_OPENAI_API_KEY: optional({
    group: 'Providers',
    description: 'Key that agencies without their own may use.',
    read: text,
    secret: true,
  }),
  PLATFORM_ANTHROPIC_API_KEY: optional({
    group: 'Providers',
    description: 'Key that agencies without their own may use.',
    read: text,
    secret: true,
  }),

  CLAMD_ADDRESS: optional({
    group: 'Access',
    description:
      'ClamAV’s clamd, which scans uploaded files before they are stored: host:port, or the path of its socket. Unset: files are not scanned.',
    read: clamdAddress,
  }),
  SMTP_HOST: optional({
    group: 'Mail',
    description: 'Mail server. Unset: no mail is sent, and invitation links are shown to the person who invites.',
    read: text,
  }),
  SMTP_PORT: required({ group: 'Mail', description: 'Port of the mail server.', read: port }, '587'),
  SMTP_USER: optional({ group: 'Mail', description: 'Account at the mail server.', read: text }),
  SMTP_PASSWORD: optional({ group: 'Mail', description: 'Password of that account.', read: text, secret: true }),
  SMTP_SECURITY: required(
    {
      group: 'Mail',
      description:
        'tls: encrypted from the start. starttls: encryption is required before mail is sent. auto: tls on port 465, otherwise starttls. none: unencrypted.',
      read: z.enum(['auto', 'tls', 'starttls', 'none'], 'write auto, tls, starttls or none'),
    },
    'auto',
  ),
  SMTP_FROM: optional({
    group: 'Mail',
    description: 'Sender address of the service’s mail.',
    read: z.email('write an e-mail address'),
  }),

  INVOICE_SELLER_NAME: optional({
    group: 'Billing',
    description: 'Name of the company that issues invoices. Unset: no invoice can be issued.',
    read: text,
  }),
  INVOICE_SELLER_ADDRESS: optional({
    group: 'Billing',
    description: 'Its address, lines separated by semicolons. Unset: no invoice can be issued.',
    read: lines,
  }),
  INVOICE_SELLER_COUNTRY: optional({
    group: 'Billing',
    description: 'Its country as two letters, for example DE.',
    read: z.string().regex(/^[A-Z]{2}$/, 'write two capital letters, for example DE'),
  }),
  INVOICE_SELLER_TAX_ID: optional({ group: 'Billing', description: 'Its tax or VAT number.', read: text }),
  INVOICE_SELLER_EMAIL: optional({
    group: 'Billing',
    description: 'Address for questions about invoices.',
    read: z.email('write an e-mail address'),
  }),
  INVOICE_PAYMENT_INSTRUCTIONS: optional({
    group: 'Billing',
    description: 'How invoices are paid, lines separated by semicolons. Printed on each invoice.',
    read: lines,
  }),
  INVOICE_DUE_DAYS: required(
    { group: 'Billing', description: 'Days from the issue of an invoice to its due date.', read: whole(0, 365) },
    '14',
  ),
  INVOICE_REMINDER_DAYS: required(
    {
      group: 'Billing',
      description: 'Days after the due date of an unpaid invoice on which a reminder is mailed, ascending. Empty: none.',
      read: ascendingDays,
    },
    '1,7,13',
  ),
  PAST_DUE_AFTER_DAYS: required(
    { group: 'Billing', description: 'Days after the due date on which the agency counts as past due.', read: whole(1, 365) },
    '14',
  ),
  BILLING_SUSPENSION_AFTER_DAYS: required(
    {
      group: 'Billing',
      description: 'Days from past due to the suspension of the account, unless staff pause the payment clock.',
      read: whole(1, 365),
    },
    '14',
  ),

  ACCOUNT_DELETION_DAYS: required(
    {
      group: 'Access',
      description: 'Days from the approval of an account’s deletion to its removal. Until then it can be reactivated.',
      read: whole(1, 365),
    },
    '30',
  ),

  SEED_ADMIN_EMAIL: optional({
    group: 'First start',
    description: 'E-mail address of the first ADMIN, who is created at the start.',
    read: z
      .string()
      .refine((text) => normalizeEmail(text) !== null, 'write an e-mail address')
      .transform((text) => normalizeEmail(text) ?? text),
  }),
  SEED_ADMIN_PASSWORD: optional({
    group: 'First start',
    description: 'Initial password of the first ADMIN.',
    read: z.string().min(8, 'use at least 8 characters').max(128, 'use at most 128 characters'),
    secret: true,
  }),
} as const;

export type SettingName = keyof typeof SETTINGS;
export type SettingValues = { [N in SettingName]: (typeof SETTINGS)[N] extends Setting<infer T> ? T : never };

/** Prefixes of our settings. An unknown environment variable with one of them is a typing error, not another program's. */
export const OWN_PREFIXES = [
  'AUTOMATION_',
  'SEED_ADMIN_',
  'CREDENTIALS_',
  'ALLOW_INSECURE',
  'WEBHOOK_DEV_',
  'CALLER_REQUESTS_',
  'PARTNER_REQUESTS_',
  'PROVIDER_SANDBOX',
  'EXECUTION_TIMEOUT',
  'EXECUTION_WAIT',
  'JWT_',
  'INVOICE_',
  'PAST_DUE_',
  'BILLING_',
  'ACCOUNT_DELETION_',
] as const;

/** Other names are reported when they are one typing error away from a setting of this length: shorter names have too many neighbours. */
export const TYPO_LENGTH_MIN = 8;
/** Names that are one typing error away from a setting and in use by other programs. */
export const COMMON_NAMES: ReadonlySet<string> = new Set(['DATABASE_URI', 'DATADIR', 'LOGLEVEL', 'SMTPHOST']);
