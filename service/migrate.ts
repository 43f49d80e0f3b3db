import { loadConfig } from './config.ts';
import { prepareDatabase } from './platform/db/migrate.ts';
import { openDatabaseHost } from './platform/db/open-host.ts';
import { createLog } from './platform/log.ts';
import { runCommand, say } from './run-command.ts';
import { createStartSteps } from './start-wait.ts';

/**
 * `migrate`: brings the database to the shape of this version, as each start does, and ends: for an update of several processes that is to be
 * migrated first. Waits for a database that is away as long as a start does.
 */
async function main(): Promise<number> {
  const { databaseUrl, dataDir, session, startWaitSeconds } = loadConfig(undefined, { nextToService: true });
  const opened = await openDatabaseHost(
    { databaseUrl, dataDir, jwtSecret: session.secret, log: createLog('warn') },
    { nextToService: true },
  );
  try {
    const patiently = createStartSteps({ waitSeconds: startWaitSeconds, onWait: say });
    const applied = await patiently(() => prepareDatabase(opened.host, opened.database));
    say(applied.length === 0 ? 'The database is up to date.' : `Applied ${applied.length}: ${applied.join(', ')}.`);
    return 0;
  } finally {
    await opened.stop();
  }
}

await runCommand(main);
