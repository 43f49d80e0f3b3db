import type { MailHold, MailKind } from '@partner-portal/contract/vocabulary.ts';
import { holdOf, isToStranger, keptMinutes, strangerCounters } from '@partner-portal/core/mail/strangers.ts';
import type { Tx } from '#platform/db/tx.ts';
import { newId } from '#platform/ids.ts';
import { enqueue } from '#platform/jobs/enqueue.ts';
import type { MailDeps } from '../deps.ts';
import type { NewMail } from '../compose/kinds.ts';
import { composeMail, type MailBody } from '../compose/compose-mail.ts';
import { sealBody } from './seal-body.ts';
import { sendMailJob } from './send-mail-job.ts';
import { baseUrlOfMail } from '../portal-address.ts';
import { insertMail, listAdmins, readBrand, type ReaderFacts } from '../store.ts';

/**
 * Queues one mail in the caller's transaction: one row and, with a transport, one job. It is sent only after the commit. The same `dedupeKey`
 * is mailed to an address once. Mail to a stranger beyond a cap, or under a name that staff have not approved, is held until they send it
 * (core/mail/strangers.ts).
 */
export type QueueMail = (tx: Tx, mail: NewMail) => Promise<unknown>;

/** Queues a mail and says whether it is held. */
type QueueOrHold = (tx: Tx, mail: NewMail) => Promise<{ isHeld: boolean }>;

/** Queues the same mail to every active admin of the partner but the user `except`, or to the user `only`. Returns to how many: none before the first one accepts. */
export type QueueMailToAdmins = (
  tx: Tx,
  mail: { [K in MailKind]: Omit<Extract<NewMail, { kind: K }>, 'to' | 'userId'> }[MailKind] & {
    except?: string | undefined;
    only?: string | undefined;
  },
) => Promise<number>;

type QueueDeps = Pick<MailDeps, 'dataKeys' | 'baseUrl' | 'clock' | 'mailer' | 'limits'>;

/** Returns a mail as it would be sent, without sending it; null for an agency that is being purged. */
export type PreviewMail = (tx: Tx, mail: NewMail) => Promise<MailBody | null>;

export function createQueueMail(deps: QueueDeps): {
  queueMail: QueueOrHold;
  queueMailToAdmins: QueueMailToAdmins;
  previewMail: PreviewMail;
} {
  const compose = async (tx: Tx, mail: NewMail) => {
    const brand = await readBrand(tx, mail.partnerId, mail.to, mail.about?.clientId ?? null);
    if (!brand) throw new Error(`Cannot mail: no partner ${mail.partnerId} in this transaction.`);
    // An agency that is being purged gets no more mail: nothing can be sealed for it.
    if (brand.dataKeyDestroyedAt) return null;
    const viaDomain = brand.isHouse ? null : (deps.mailer?.domain ?? null);
    const baseUrl = await baseUrlOfMail(tx, deps.baseUrl, mail);
    return {
      brand,
      body: composeMail({ ...brand, baseUrl, mainBaseUrl: deps.baseUrl, viaDomain }, mail, brand.readerLocale ?? mail.locale),
    };
  };
  const queueMail: QueueOrHold = async (tx, mail) => {
    const composed = await compose(tx, mail);
    if (composed === null) return { isHeld: false };
    const { brand, body } = composed;
    const id = newId();
    const { sealed, keyId } = await sealBody(deps.dataKeys, tx, { id, partnerId: mail.partnerId }, body, brand);
    // Without a transport nothing is sent, and staff pass links on by hand.
    const hold = deps.mailer ? await holdFor(deps, mail, brand) : null;
    const keptMs = keptMinutes(mail.kind, hold !== null) * 60_000;
    const status = !deps.mailer ? 'not_configured' : hold === null ? 'queued' : 'held';
    const isNew = await insertMail(tx, {
      id,
      partnerId: mail.partnerId,
      userId: mail.userId ?? null,
      invitationId: mail.aboutInvitationId ?? null,
      about: mail.about ?? { partnerId: mail.partnerId, clientId: null },
      to: mail.to,
      kind: mail.kind,
      subject: body.subject,
      status,
      hold,
      sealed,
      keyId,
      bodyUntil: new Date(deps.clock.now().getTime() + keptMs),
      dedupeKey: mail.dedupeKey ?? null,
      attachment: mail.attachment ?? null,
    });
    if (isNew && status === 'queued') await enqueue(tx, sendMailJob, { mailId: id }, { key: `mail.send:${id}` });
    return { isHeld: isNew && status === 'held' };
  };
  return {
    queueMail,
    previewMail: async (tx, mail) => (await compose(tx, mail))?.body ?? null,
    async queueMailToAdmins(tx, { except, only, ...mail }) {
      const readers = (await listAdmins(tx, mail.partnerId)).filter(({ id }) => id !== except && id === (only ?? id));
      for (const admin of readers) await queueMail(tx, { ...mail, to: admin.email, userId: admin.id } as NewMail); // kind and data were checked together by the parameter
      return readers.length;
    },
  };
}

/** Counts a mail to a stranger, and returns why it waits for staff. The first cap that it exceeds ends the count. */
async function holdFor({ limits }: QueueDeps, mail: NewMail, reader: ReaderFacts & { isHouse: boolean }): Promise<MailHold | null> {
  if (!isToStranger(mail.kind, reader.hasAccount)) return null;
  let isBeyondCap = false;
  for (const [name, key] of strangerCounters(mail.kind, mail.to, mail.askedFrom ?? null)) {
    isBeyondCap = (await limits.count(name, key)).exceeded;
    if (isBeyondCap) break;
  }
  return holdOf({ nameWaits: reader.nameWaits && !reader.isHouse, isBeyondCap });
}
