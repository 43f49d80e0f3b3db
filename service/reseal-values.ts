import { setTimeout as delay } from 'node:timers/promises';
import type { DataKeys } from './modules/1-ledger/data-keys/index.ts';
import { resealMail } from './modules/1-ledger/mail/index.ts';
import { resealTotpSecrets } from './modules/2-tenancy/identity/index.ts';
import { resealClientSecrets } from './modules/2-tenancy/sso/index.ts';
import { resealSecrets } from './modules/5-reactions/webhooks/index.ts';
import type { RewrapOptions, RewrapResult } from '#platform/db/rewrap-rows.ts';
import type { Database } from '#platform/db/tx.ts';
import type { Log } from '#platform/log.ts';

type Deps = { db: Database; dataKeys: DataKeys };

const RETRY_MS = 60_000;

/**
 * Seals with data keys what earlier versions sealed with a master key: queued mail and the secrets of authenticator apps, webhook endpoints
 * and single sign-on. In batches that commit on their own: it may be stopped, continued and run by several processes.
 */
export async function resealValues(deps: Deps, options: RewrapOptions = {}): Promise<{ what: string; result: RewrapResult }[]> {
  return [
    { what: 'the queued mail', result: await resealMail(deps, options) },
    { what: 'the authenticator secret of user', result: await resealTotpSecrets(deps, options) },
    { what: 'the secret of webhook endpoint', result: await resealSecrets(deps, options) },
    { what: 'the SSO client secret of partner', result: await resealClientSecrets(deps, options) },
  ];
}

/** Does the same in the background of a starting service, again after an error. Resolves when all are sealed again or the process stops. */
export async function resealInBackground({ log, ...deps }: Deps & { log: Log }, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      const parts = await resealValues(deps, { signal });
      const resealed = parts.reduce((sum, { result }) => sum + result.rewrapped, 0);
      const failed = parts.flatMap(({ what, result }) => result.failed.map((id) => `${what} ${id}`));
      if (resealed > 0) log.info({ resealed }, 'values of an earlier version sealed with data keys');
      if (failed.length > 0)
        log.error({ failed: failed.slice(0, 100), count: failed.length }, 'values of an earlier version cannot be opened');
      return;
    } catch (error) {
      log.warn({ err: error }, 'sealing values of an earlier version again failed, retrying');
      await delay(RETRY_MS, undefined, { signal }).catch(() => undefined);
    }
  }
}
