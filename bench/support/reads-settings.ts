import { randomBytes } from 'node:crypto';
import type { DatabaseAddress } from '@partner-portal/service/platform/db/host.ts';
import { ADMIN_ROLE } from '@partner-portal/service/platform/db/embedded.ts';

/** Returns the settings of a service that answers requests on a port, with a database that runs already and without limits of requests. */
export function serviceSettings({ host, port: at }: DatabaseAddress, name: string, secret: string, port: number): Record<string, string> {
  return {
    JWT_SECRET: secret,
    AUTOMATION_CALLBACK_SECRET: randomBytes(32).toString('hex'),
    CREDENTIALS_ENCRYPTION_KEY: `k1:${randomBytes(32).toString('base64')}`,
    DATABASE_URL: `postgres://${ADMIN_ROLE}:none@${encodeURIComponent(host ?? '')}:${at}/${name}`,
    ROLE: 'http',
    PORT: String(port),
    PUBLIC_BASE_URL: `http://127.0.0.1:${port}`,
    CALLER_REQUESTS_PER_MINUTE: '1000000',
    FIRST_CONTACTS_PER_HOUR: '10000',
    PARTNER_REQUESTS_PER_MINUTE: '1000000',
    LOG_LEVEL: 'warn',
  };
}
