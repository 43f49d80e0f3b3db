import { randomBytes } from 'node:crypto';
import { ADMIN_ROLE } from '@partner-portal/service/platform/db/embedded.ts';
import type { BenchDatabase } from '../support/database.ts';

/** Settings of a process of the service on this database, with secrets of its own and no caller limited. */
export function serviceEnv(database: BenchDatabase, port: number): Record<string, string> {
  const { host, port: databasePort } = database.addressOf(ADMIN_ROLE);
  return {
    JWT_SECRET: randomBytes(32).toString('hex'),
    AUTOMATION_CALLBACK_SECRET: randomBytes(32).toString('hex'),
    CREDENTIALS_ENCRYPTION_KEY: `k1:${randomBytes(32).toString('base64')}`,
    DATABASE_URL: `postgres://${ADMIN_ROLE}:none@${encodeURIComponent(host)}:${databasePort}/${database.asTestDatabase().name}`,
    ROLE: 'http',
    ...(port > 0 ? { PORT: String(port) } : {}),
    PUBLIC_BASE_URL: `http://127.0.0.1:${port > 0 ? port : 3000}`,
    CALLER_REQUESTS_PER_MINUTE: '1000000',
    FIRST_CONTACTS_PER_HOUR: '10000',
    PARTNER_REQUESTS_PER_MINUTE: '1000000',
  };
}

/** Has the server write the plan of each statement to its log, or no longer. */
export async function logPlans(database: BenchDatabase, on: boolean): Promise<void> {
  await database.admin(`load 'auto_explain'`);
  for (const [name, value] of Object.entries({
    session_preload_libraries: 'auto_explain',
    'auto_explain.log_min_duration': '0',
    'auto_explain.log_analyze': 'on',
    'auto_explain.log_buffers': 'on',
    'auto_explain.log_timing': 'off',
    'auto_explain.log_format': 'json',
  }))
    await database.admin(on ? `alter system set ${name} = '${value}'` : `alter system reset ${name}`);
  await database.admin('select pg_reload_conf()');
  // Connections that are open have not loaded the library.
  await database.admin(`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'portal service'`);
}
