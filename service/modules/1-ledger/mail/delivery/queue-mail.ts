import type { MailKind } from '@partner-portal/contract/vocabulary.ts';
import type { Tx } from '#platform/db/tx.ts';
import { newId } from '#platform/ids.ts';
import { enqueue } from '#platform/jobs/enqueue.ts';
import type { MailDeps } from '../deps.ts';
import { type NewMail, USEFUL_MINUTES, USEFUL_MINUTES_DEFAULT } from '../compose/kinds.ts';
import { composeMail } from '../compose/compose-mail.ts';
import { sealBody } from './seal-body.ts';
import { sendMailJob } from './send-mail-job.ts';
import { insertMail, listAdmins, readBrand } from '../store.ts';

/**
 * Queues one mail in the caller's transaction: one row and, with a transport, one job. It is sent only after the commit. The same `dedupeKey`
 * is mailed to an address once.
 */
export type QueueMail = (tx: Tx, mail: NewMail) => Promise<void>;

/** Queues the same mail to every active admin of the partner, but for the user `except`. */
export type QueueMailToAdmins = (
  tx: Tx,
  mail: { [K in MailKind]: Omit<Extract<NewMail, { kind: K }>, 'to' | 'userId'> }[MailKind] & { except?: string | undefined },
) => Promise<void>;

type QueueDeps = Pick<MailDeps, 'ring' | 'baseUrl' | 'clock' | 'mailer'>;

export function createQueueMail(deps: QueueDeps): { queueMail: QueueMail; queueMailToAdmins: QueueMailToAdmins } {
  const queueMail: QueueMail = async (tx, mail) => {
    const brand = await readBrand(tx, mail.partnerId);
    if (!brand) throw new Error(`Cannot mail: no partner ${mail.partnerId} in this transaction.`);
    const id = newId();
    const viaDomain = brand.isHouse ? null : (deps.mailer?.domain ?? null);
    const body = composeMail({ ...brand, baseUrl: deps.baseUrl, viaDomain }, mail);
    const { sealed, keyId } = sealBody(deps.ring, { id, partnerId: mail.partnerId }, body);
    const usefulMs = (USEFUL_MINUTES[mail.kind] ?? USEFUL_MINUTES_DEFAULT) * 60_000;
    const status = deps.mailer ? 'queued' : 'not_configured';
    const isNew = await insertMail(tx, {
      id,
      partnerId: mail.partnerId,
      userId: mail.userId ?? null,
      invitationId: mail.aboutInvitationId ?? null,
      to: mail.to,
      kind: mail.kind,
      subject: body.subject,
      status,
      sealed,
      keyId,
      bodyUntil: new Date(deps.clock.now().getTime() + usefulMs),
      dedupeKey: mail.dedupeKey ?? null,
      attachment: mail.attachment ?? null,
    });
    if (isNew && status === 'queued') await enqueue(tx, sendMailJob, { mailId: id }, { key: `mail.send:${id}` });
  };
  return {
    queueMail,
    async queueMailToAdmins(tx, { except, ...mail }) {
      for (const admin of await listAdmins(tx, mail.partnerId)) {
        if (admin.id !== except) await queueMail(tx, { ...mail, to: admin.email, userId: admin.id } as NewMail); // kind and data were checked together by the parameter
      }
    },
  };
}
