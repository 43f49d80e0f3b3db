import { join } from 'node:path';
import type { Secret } from '../secret.ts';
import { startEmbeddedPostgres, type SupervisorLog } from './embedded.ts';
import { type DatabaseHost, externalHost } from './host.ts';

/** The server and database of one configuration. `stop` stops only what `openDatabaseHost` started. */
export type OpenHost = { host: DatabaseHost; database: string; stop(): Promise<void> };

const EMBEDDED_DATABASE = 'portal';

/**
 * Opens the configured database: the server of DATABASE_URL, or the embedded one in `DATA_DIR/postgres`. `nextToService: true` is for commands that
 * run next to a running service: they use its server without owning it, and start one for their own duration only when none is running.
 */
export async function openDatabaseHost(
  settings: { databaseUrl: Secret | null; dataDir: string; jwtSecret: Secret; log: SupervisorLog },
  options: { nextToService?: boolean } = {},
): Promise<OpenHost> {
  if (settings.databaseUrl) {
    const host = externalHost(settings.databaseUrl.reveal(), settings.jwtSecret.reveal());
    return { host, database: host.database, stop: async () => undefined };
  }
  const server = await startEmbeddedPostgres({
    dataDir: join(settings.dataDir, 'postgres'),
    log: settings.log,
    ...(options.nextToService ? { shared: true } : {}),
  });
  const isOurs = !options.nextToService || !server.adopted;
  return { host: server, database: EMBEDDED_DATABASE, stop: async () => (isOurs ? server.stop() : undefined) };
}
