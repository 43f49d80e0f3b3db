import type { MailKind } from '@partner-portal/contract/vocabulary.ts';
import type { SystemTx } from '#platform/db/tx.ts';
import { enqueueMany } from '#platform/jobs/enqueue.ts';
import type { MailDeps } from '../deps.ts';
import { releaseHeld } from '../store.ts';
import { recordMailStatus } from './mail-status.ts';
import { sendMailJob } from './send-mail-job.ts';

/** Sends mail that waited for staff, in the transaction of their decision. */
export function createRelease({ clock }: Pick<MailDeps, 'clock'>) {
  const release = async (tx: SystemTx, held: Parameters<typeof releaseHeld>[1]): Promise<number> => {
    const rows = await releaseHeld(tx, held, clock.now());
    await recordMailStatus(tx, rows, 'queued');
    const [first] = rows;
    // One job sends all that is due.
    if (first) await enqueueMany(tx, sendMailJob, [{ mailId: first.id }], { keyOf: ({ mailId }) => `mail.send:${mailId}` });
    return rows.length;
  };
  return {
    releaseHeld: (tx: SystemTx, held: { partnerId: string; to: string; kind: MailKind }) => release(tx, held),
    releaseNamed: (tx: SystemTx, partnerId: string) => release(tx, { partnerId, to: null, kind: null }),
  };
}
