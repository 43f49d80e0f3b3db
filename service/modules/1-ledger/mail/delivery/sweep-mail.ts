import { LIMITS } from '@partner-portal/contract/vocabulary.ts';
import type { JobContext } from '#platform/jobs/define-job.ts';
import { enqueueMany } from '#platform/jobs/enqueue.ts';
import type { MailDeps } from '../deps.ts';
import { sendMailJob } from './send-mail-job.ts';
import { recordMailStatus } from './mail-status.ts';
import { deleteOld, eraseBodies, listOverdue } from './store-sweep.ts';

const OVERDUE_MS = 60_000;
const BATCH = 500;

/** Every minute: enqueues lost jobs again, erases expired bodies, deletes old rows. */
export async function sweepMail(deps: MailDeps, { log }: Pick<JobContext, 'log'>): Promise<void> {
  const now = deps.clock.now();
  await deps.db.asSystem('mail', async (tx) => {
    const overdue = await listOverdue(tx, new Date(now.getTime() - OVERDUE_MS), BATCH);
    // One job sends all that is due.
    const [mailId] = overdue;
    if (mailId !== undefined) await enqueueMany(tx, sendMailJob, [{ mailId }], { keyOf: () => `mail.send:${mailId}` });
  });
  const erased = await deps.db.asSystem('mail', async (tx) => {
    const rows = await eraseBodies(tx, now, BATCH);
    await recordMailStatus(
      tx,
      rows.filter((row) => row.wasQueued),
      'failed',
    );
    return rows.length;
  });
  const deleted = await deps.db.asSystem('mail', (tx) => deleteOld(tx, new Date(now.getTime() - LIMITS.mailDays * 86_400_000), BATCH));
  if (erased + deleted > 0) log.info({ erased, deleted }, 'old mail deleted');
}
