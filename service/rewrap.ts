import { loadConfig } from './config.ts';
import { createSealing, rewrapDataKeys } from './modules/credentials/index.ts';
import { openDatabaseHost } from './platform/db/open-host.ts';
import { createPool } from './platform/db/pool.ts';
import { createDatabase } from './platform/db/tx.ts';
import { createLog } from './platform/log.ts';
import { StartError } from './platform/start-error.ts';

/**
 * `npm run vault:rewrap`: seals every agency's data key with the newest key of CREDENTIALS_ENCRYPTION_KEY. Runs beside the
 * living service, which must hold both keys already. Stop it at any time and run it again: it goes on with the rest.
 */
async function main(): Promise<number> {
  const config = loadConfig();
  const log = createLog('warn');
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort());
  const { databaseUrl, dataDir } = config;
  const opened = await openDatabaseHost({ databaseUrl, dataDir, jwtSecret: config.session.secret, log }, { beside: true });
  const pool = createPool(opened.host.configFor('portal_service', opened.database), { name: 'portal rewrap', max: 1 });
  try {
    const sealing = createSealing(config.vault.ring);
    say(`Sealing data keys with the master key "${sealing.newestKeyId}".`);
    const { rewrapped, failed } = await rewrapDataKeys(
      { db: createDatabase(pool), sealing },
      { signal: stopping.signal, onProgress: ({ done, total }) => say(`${done} of ${total}`) },
    );
    for (const partnerId of failed)
      say(`Not sealed anew: the data key of partner ${partnerId} was sealed by a master key that is not in the ring, or was changed.`);
    if (stopping.signal.aborted) say(`Stopped after ${rewrapped}. Run it again for the rest.`);
    else
      say(
        failed.length === 0
          ? `Done: ${rewrapped} sealed anew, older master keys may leave the ring.`
          : `${rewrapped} sealed anew, ${failed.length} left.`,
      );
    return failed.length === 0 && !stopping.signal.aborted ? 0 : 1;
  } finally {
    await pool.end();
    await opened.stop();
  }
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

try {
  process.exitCode = await main();
} catch (error) {
  if (!(error instanceof StartError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
