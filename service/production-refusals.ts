import { equalSecrets, keyWeakness, passwordWeakness, secretWeakness } from '@partner-portal/core/credential/secret-strength.ts';
import type { InsecureName, SettingValues } from './settings.ts';

/**
 * Returns what production does not start with, one sentence for each, naming the setting first and never a value. ALLOW_INSECURE leaves out
 * the risks it names. Other environments refuse nothing here. Malformed settings are undefined in `values`.
 */
export function productionRefusals(values: Partial<SettingValues>, startsSandbox: boolean): string[] {
  if (values.NODE_ENV !== 'production') return [];
  const allowed = new Set<InsecureName>(values.ALLOW_INSECURE);
  const unless = (name: InsecureName, problems: readonly string[]): string[] =>
    allowed.has(name) ? [] : problems.map((problem) => `${problem}, or name ${name} in ALLOW_INSECURE`);
  return [
    ...developmentOnly(values),
    ...unless('secrets', [...weakSecrets(values), ...sharedSecrets(values)]),
    ...unless(
      'sandbox',
      startsSandbox ? ['PROVIDER_SANDBOX replaces the real services and needs PROVIDER_SANDBOX=false in production'] : [],
    ),
    ...unless('http', unencryptedAddresses(values)),
    ...unless('mail', unencryptedMail(values)),
  ];
}

function developmentOnly({ WEBHOOK_DEV_ALLOWED_HOSTS, SMTP_HOST, SMTP_SECURITY, SMTP_USER }: Partial<SettingValues>): string[] {
  return [
    ...(WEBHOOK_DEV_ALLOWED_HOSTS?.length
      ? ['WEBHOOK_DEV_ALLOWED_HOSTS must be empty in production: it disables the private-address check']
      : []),
    ...(SMTP_HOST && SMTP_SECURITY === 'none' && SMTP_USER
      ? ['SMTP_SECURITY must not be none in production when SMTP_USER is set: the password would be sent unencrypted']
      : []),
  ];
}

const GENERATE = 'generate it with openssl rand -hex 32';
const GENERATE_KEY = 'generate it with openssl rand -base64 32';

/** The older keys of the vault are not judged: they must stay until what they sealed is sealed with the newest. */
function weakSecrets(values: Partial<SettingValues>): string[] {
  const { JWT_SECRET = [], CREDENTIALS_ENCRYPTION_KEY, AUTOMATION_CALLBACK_SECRET, AUTOMATION_ENGINE_ENCRYPTION_KEY } = values;
  const found: [name: string, weakness: string | null, advice: string][] = [
    ...JWT_SECRET.map(({ id, secret }): [string, string | null, string] => [nameOf('JWT_SECRET', id), secretWeakness(secret), GENERATE]),
    ...(CREDENTIALS_ENCRYPTION_KEY?.slice(0, 1) ?? []).map(({ id, key }): [string, string | null, string] => [
      nameOf('CREDENTIALS_ENCRYPTION_KEY', id),
      keyWeakness(key),
      GENERATE_KEY,
    ]),
  ];
  if (AUTOMATION_CALLBACK_SECRET) found.push(['AUTOMATION_CALLBACK_SECRET', secretWeakness(AUTOMATION_CALLBACK_SECRET), GENERATE]);
  if (AUTOMATION_ENGINE_ENCRYPTION_KEY) {
    const key = Buffer.from(AUTOMATION_ENGINE_ENCRYPTION_KEY, 'base64');
    found.push(['AUTOMATION_ENGINE_ENCRYPTION_KEY', keyWeakness(key), GENERATE_KEY]);
  }
  for (const name of ['AUTOMATION_ENGINE_ADMIN_PASSWORD', 'SEED_ADMIN_PASSWORD'] as const) {
    const password = values[name];
    if (password) found.push([name, passwordWeakness(password), 'choose another password']);
  }
  return found.flatMap(([name, weakness, advice]) => (weakness === null ? [] : [`${name} ${weakness}: ${advice}`]));
}

function sharedSecrets(values: Partial<SettingValues>): string[] {
  const secrets = [
    ...(values.JWT_SECRET ?? []).map(({ id, secret }) => ({ name: nameOf('JWT_SECRET', id), value: secret })),
    ...(values.CREDENTIALS_ENCRYPTION_KEY ?? []).map(({ id, key }) => ({
      name: nameOf('CREDENTIALS_ENCRYPTION_KEY', id),
      value: Buffer.from(key).toString('base64'),
    })),
    ...(
      [
        'AUTOMATION_CALLBACK_SECRET',
        'AUTOMATION_ENGINE_ENCRYPTION_KEY',
        'AUTOMATION_ENGINE_ADMIN_PASSWORD',
        'SEED_ADMIN_PASSWORD',
        'SMTP_PASSWORD',
      ] as const
    ).flatMap((name) => (values[name] ? [{ name, value: values[name] }] : [])),
  ];
  return equalSecrets(secrets).map(
    ([first, ...others]) => `${first} has the same value as ${others.join(' and ')}: each secret needs a value of its own`,
  );
}

function unencryptedAddresses({ PUBLIC_BASE_URL, CORS_ORIGINS = [] }: Partial<SettingValues>): string[] {
  const origins = CORS_ORIGINS.filter((origin) => origin.startsWith('http:'));
  return [
    ...(PUBLIC_BASE_URL?.startsWith('https:')
      ? []
      : [
          `PUBLIC_BASE_URL ${PUBLIC_BASE_URL === undefined ? 'is not set and would be http' : 'does not use https'}: write the https address of the proxy that terminates TLS`,
        ]),
    ...(origins.length > 0 ? [`CORS_ORIGINS names pages without https (${origins.join(', ')}): write their https addresses`] : []),
  ];
}

function unencryptedMail({ SMTP_HOST, SMTP_SECURITY, SMTP_USER }: Partial<SettingValues>): string[] {
  return SMTP_HOST && SMTP_SECURITY === 'none' && !SMTP_USER
    ? ['SMTP_SECURITY is none and mail would be sent unencrypted: use auto, tls or starttls']
    : [];
}

function nameOf(setting: string, keyId: string | null): string {
  return keyId === null ? setting : `${setting} (key ${keyId})`;
}
