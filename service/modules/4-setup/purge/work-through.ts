import { setTimeout as wait } from 'node:timers/promises';
import type { JobContext } from '#platform/jobs/define-job.ts';
import { beginPurge, listDueDeletions, remindDeciders } from '#modules/2-tenancy/accounts/index.ts';
import type { SystemTx } from '#platform/db/tx.ts';
import { announce } from '#platform/notify.ts';
import type { PurgeDeps } from './deps.ts';
import { queuePurges } from './purge-job.ts';
import { runPurge } from './run-purge.ts';
import { addSteps, listDuePurges, markDeleted } from './store.ts';
import { purgeChanged } from './topic.ts';

/** Purges that a process works on at once, one batch after the other. */
const AT_ONCE = 8;
const BEGIN_BATCH = 50;
const POLL_MS = 2_000;

/** Cron `purges.sweep`: begins the purges whose time has come, reminds who decides of those that wait for it, and queues the work of those that lost their job. */
export async function sweepPurges(deps: PurgeDeps): Promise<number> {
  const now = deps.clock.now();
  const requests = await deps.db.asSystem('purge', (tx) => listDueDeletions(tx, now, BEGIN_BATCH));
  let begun = 0;
  for (const id of requests) if (await deps.db.asSystem('purge', (tx) => begin(tx, id, now))) begun += 1;
  await deps.db.asSystem('purge', async (tx) => {
    if ((await listDuePurges(tx, now, 1)).length > 0) await queuePurges(tx, { key: 'sweep' });
  });
  await remindDeciders(deps.db, now);
  return begun;
}

/** From this commit on the account counts as deleted and cannot be reactivated. False when there is nothing to begin. */
async function begin(tx: SystemTx, deletionRequestId: string, now: Date): Promise<boolean> {
  const account = await beginPurge(tx, deletionRequestId, now);
  if (!account) return false;
  await addSteps(tx, deletionRequestId, account.partnerId, now);
  await markDeleted(tx, account);
  await announce(tx, purgeChanged, { deletionRequestId });
  return true;
}

/** Takes turns: one batch of one purge at a time in this process, in the order of arrival. */
export function createTurns(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const mine = last.then(work);
    last = mine.catch(() => undefined);
    return mine;
  };
}

/** Job `purges.work`: runs every purge that is due until none is left. */
export async function workThrough(deps: PurgeDeps, { signal }: Pick<JobContext, 'signal'>): Promise<void> {
  const turn = createTurns();
  const running = new Map<string, Promise<unknown>>();
  while (!signal.aborted) {
    const due = await deps.db.asSystem('purge', (tx) => listDuePurges(tx, deps.clock.now(), AT_ONCE));
    for (const id of due) {
      if (running.size >= AT_ONCE || running.has(id)) continue;
      const work = runPurge(deps, id, { signal, turn })
        .catch((error: unknown) => deps.log.error({ err: error, deletionRequestId: id }, 'a purge could not be recorded'))
        .finally(() => running.delete(id));
      running.set(id, work);
    }
    if (running.size === 0) break;
    await Promise.race([...running.values(), wait(POLL_MS, undefined, { ref: false })]);
  }
  await Promise.all(running.values());
}
