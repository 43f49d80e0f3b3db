import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PRODUCT_NAME } from '@partner-portal/contract/product.ts';
import { hasCode } from './platform/db/postgres-binaries.ts';
import { StartError } from './platform/start-error.ts';

/** The local settings file: `NAME=value` lines, written by the first quick start and edited by hand afterwards. */
export const SETTINGS_FILE = 'settings.env';

export type FileContent = { values: Map<string, string>; problems: string[] };

/** Reads the file; null when there is none. Reports lines that are neither a setting, a comment nor empty as problems. */
export function readSettingsFile(dataDir: string): FileContent | null {
  const path = join(dataDir, SETTINGS_FILE);
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT') || hasCode(error, 'ENOTDIR')) return null;
    throw new StartError(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
  if (text.includes('\u0000') || text.includes('\uFFFD')) {
    throw new StartError(
      `${path} is damaged: it contains bytes that are not text. Restore it from a backup, or delete it to start with new secrets (saved keys can then no longer be decrypted).`,
    );
  }
  const values = new Map<string, string>();
  const problems: string[] = [];
  for (const [index, raw] of text.split('\n').entries()) {
    const line = raw.trim();
    if (line === '' || line.startsWith('#')) continue;
    const match = /^([A-Z][A-Z0-9_]*)\s*=\s*(.*)$/.exec(line);
    if (!match) problems.push(`line ${index + 1} of ${path} does not have the form NAME=value`);
    else if (values.has(match[1] ?? '')) problems.push(`${match[1]} is set twice in ${path}`);
    else values.set(match[1] ?? '', unquote(match[2] ?? ''));
  }
  return { values, problems };
}

/**
 * Writes the file of a first start: new secrets, with the engine and the provider sandbox switched on. Settings given by the environment
 * are left out, so that there is one place to change them.
 */
export function writeSettingsFile(dataDir: string, given: ReadonlySet<string>): Map<string, string> {
  const secret = (): string => randomBytes(32).toString('base64url');
  const fresh = new Map(
    Object.entries({
      JWT_SECRET: secret(),
      CREDENTIALS_ENCRYPTION_KEY: `k1:${randomBytes(32).toString('base64')}`,
      AUTOMATION_CALLBACK_SECRET: secret(),
      AUTOMATION_ENGINE_ENABLED: 'true',
      AUTOMATION_ENGINE_ADMIN_EMAIL: 'engine-admin@portal.example.com',
      AUTOMATION_ENGINE_ADMIN_PASSWORD: secret(),
      AUTOMATION_ENGINE_ENCRYPTION_KEY: randomBytes(32).toString('base64'),
      PROVIDER_SANDBOX: 'true',
      PLATFORM_OPENAI_API_KEY: 'sandbox-platform-openai',
      PLATFORM_ANTHROPIC_API_KEY: 'sandbox-platform-anthropic',
      INVOICE_SELLER_NAME: `${PRODUCT_NAME} Demo`,
      INVOICE_SELLER_ADDRESS: '1 Example Street; Springfield, IL 62701',
      INVOICE_SELLER_COUNTRY: 'US',
      INVOICE_SELLER_EMAIL: 'billing@portal.example.com',
      INVOICE_PAYMENT_INSTRUCTIONS: 'This is an example invoice. Nothing has to be paid.',
      SEED_ADMIN_EMAIL: 'admin@portal.example.com',
      SEED_ADMIN_PASSWORD: randomBytes(9).toString('base64url'),
    }).filter(([name]) => !given.has(name)),
  );
  const head = [
    '# Written by the first start. You can change any value; environment variables of the same name take precedence.',
    '# Back up CREDENTIALS_ENCRYPTION_KEY: saved keys cannot be decrypted without it.',
    '',
  ];
  const lines = [...fresh].map(([name, value]) => `${name}=${value}`);
  const path = join(dataDir, SETTINGS_FILE);
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o755 });
    // Written atomically: a partial file would lose the vault's key.
    writeFileSync(`${path}.new`, [...head, ...lines, ''].join('\n'), { mode: 0o600, flush: true });
    renameSync(`${path}.new`, path);
  } catch (error) {
    throw explainWriteFailure(dataDir, error);
  }
  return fresh;
}

function explainWriteFailure(dataDir: string, error: unknown): StartError {
  if (hasCode(error, 'ENOSPC'))
    return new StartError(`The disk that holds ${dataDir} is full. Free some space, or choose another DATA_DIR.`, { cause: error });
  return new StartError(
    `${dataDir} cannot be written (${error instanceof Error ? error.message : String(error)}). Make it writable, or choose another DATA_DIR.`,
    { cause: error },
  );
}

function unquote(value: string): string {
  const match = /^(["'])(.*)\1$/.exec(value.trim());
  return match ? (match[2] ?? '') : value.trim();
}
