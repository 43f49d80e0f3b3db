import { join } from 'node:path';
import type { Secret } from '../secret.ts';
import { startEmbeddedPostgres, type SupervisorLog } from './embedded.ts';
import { type DatabaseHost, externalHost } from './host.ts';

/** The server and database of one configuration. `stop` ends what `openDatabaseHost` started, and nothing else. */
export type OpenHost = { host: DatabaseHost; database: string; stop(): Promise<void> };

const EMBEDDED_DATABASE = 'portal';

/**
 * The database a configuration names: the server of DATABASE_URL, or our own in `DATA_DIR/postgres`.
 * `beside: true` is for commands that run next to a living service: they use its server without becoming its owner, and
 * start one for their own time only when none is running.
 */
export async function openDatabaseHost(
  settings: { databaseUrl: Secret | null; dataDir: string; jwtSecret: Secret; log: SupervisorLog },
  options: { beside?: boolean } = {},
): Promise<OpenHost> {
  if (settings.databaseUrl) {
    const host = externalHost(settings.databaseUrl.reveal(), settings.jwtSecret.reveal());
    return { host, database: host.database, stop: async () => undefined };
  }
  const server = await startEmbeddedPostgres({
    dataDir: join(settings.dataDir, 'postgres'),
    log: settings.log,
    ...(options.beside ? { shared: true } : {}),
  });
  const isOurs = !options.beside || !server.adopted;
  return { host: server, database: EMBEDDED_DATABASE, stop: async () => (isOurs ? server.stop() : undefined) };
}
