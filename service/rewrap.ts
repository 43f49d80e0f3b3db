import { loadConfig } from './config.ts';
import { createDataKeys, rewrapDataKeys } from './modules/1-ledger/data-keys/index.ts';
import { resealValues } from './reseal-values.ts';
import { openDatabaseHost } from './platform/db/open-host.ts';
import { createPool } from './platform/db/pool.ts';
import { createDatabase } from './platform/db/tx.ts';
import { createLog } from './platform/log.ts';
import { runCommand, say } from './run-command.ts';

/**
 * `npm run vault:rewrap`: seals the data keys of partners with the newest key of CREDENTIALS_ENCRYPTION_KEY, and with data keys what earlier
 * versions sealed with a master key. Runs next to the running service, which must already have both keys. It can be stopped at any time;
 * the next run continues with the rest.
 */
async function main(): Promise<number> {
  const config = loadConfig(undefined, { nextToService: true });
  const log = createLog('warn');
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort());
  const { databaseUrl, dataDir } = config;
  const opened = await openDatabaseHost({ databaseUrl, dataDir, jwtSecret: config.session.secret, log }, { nextToService: true });
  const pool = createPool(opened.host.configFor('portal_service', opened.database), { name: 'portal rewrap', max: 1 });
  try {
    const dataKeys = createDataKeys(config.vault.ring);
    say(`Sealing data keys with the master key "${dataKeys.newestMasterKeyId}".`);
    const db = createDatabase(pool);
    const options = {
      signal: stopping.signal,
      onProgress: ({ done, total }: { done: number; total: number }) => say(`${done} of ${total}`),
    };
    const parts = [
      { what: 'the data key of partner', result: await rewrapDataKeys({ db, dataKeys }, options) },
      ...(await resealValues({ db, dataKeys }, options)),
    ];
    const rewrapped = parts.reduce((sum, { result }) => sum + result.rewrapped, 0);
    const failed = parts.flatMap(({ what, result }) => result.failed.map((id) => `${what} ${id}`));
    for (const name of failed) say(`Not resealed: ${name}. It is damaged, or its master key is not in CREDENTIALS_ENCRYPTION_KEY.`);
    if (stopping.signal.aborted) say(`Stopped after ${rewrapped}. Run the command again to continue.`);
    else
      say(
        failed.length === 0
          ? `Done: ${rewrapped} resealed. Copy the data keys to your backup again; older master keys can be removed then.`
          : `${rewrapped} resealed, ${failed.length} failed.`,
      );
    return failed.length === 0 && !stopping.signal.aborted ? 0 : 1;
  } finally {
    await pool.end();
    await opened.stop();
  }
}

await runCommand(main);
