import type { LetterAttachment } from '#adapters/mailer.ts';
import { nextMailState, MAIL_CLAIM_MS, type MailAttemptOutcome } from '@partner-portal/core/mail/mail.ts';
import { isKeyDestroyed } from '#modules/1-ledger/data-keys/index.ts';
import { enqueue } from '#platform/jobs/enqueue.ts';
import type { MailDeps } from '../deps.ts';
import { openBody } from './seal-body.ts';
import { recordMailStatus } from './mail-status.ts';
import { sendMailJob } from './send-mail-job.ts';
import { readWhole } from '#modules/1-ledger/files/index.ts';
import { claimDue, type DueMail, findDocumentFile, markNotConfigured, postponeDue, settle } from '../store.ts';
import { SealFault } from '#platform/seal-fault.ts';

const BATCH = 8;

/**
 * Sends every due mail, a few at a time and by turns between agencies, until none is left, the transport is unavailable or the process stops. Safe to
 * run concurrently: a mail is claimed before each attempt.
 */
export async function sendDue(deps: MailDeps, signal: AbortSignal): Promise<void> {
  if (!deps.mailer) return closeWithoutTransport(deps);
  let after: string | null = null;
  for (;;) {
    if (signal.aborted) return;
    const now = deps.clock.now();
    const until = new Date(now.getTime() + MAIL_CLAIM_MS);
    const claim = { now, until, limit: BATCH, after };
    const claimed: DueMail[] = await deps.db.asSystem('mail', (tx) => claimDue(tx, claim));
    if (claimed.length === 0) return;
    after = claimed.at(-1)?.partnerId ?? null;
    const away = await Promise.all(claimed.map((mail) => sendOne(deps, mail)));
    const wait = away.find((dueAt) => dueAt !== null);
    if (wait) {
      await deps.db.asSystem('mail', (tx) => postponeDue(tx, deps.clock.now(), wait));
      return;
    }
  }
}

/** Makes one attempt. Returns when to retry if the server was unavailable, otherwise null. */
async function sendOne(deps: MailDeps, mail: DueMail): Promise<Date | null> {
  const outcome = await tryOnce(deps, mail);
  const now = deps.clock.now();
  const result = nextMailState(mail, outcome, now);
  await deps.db.asSystem('mail', async (tx) => {
    if (!(await settle(tx, mail, result))) return; // cancelled while it was being sent
    if (result.status === 'queued')
      await enqueue(tx, sendMailJob, { mailId: mail.id }, { key: `mail.send:${mail.id}`, runAt: result.dueAt });
    else await recordMailStatus(tx, [mail], result.status);
  });
  if (result.status !== 'sent')
    deps.log.warn({ mailId: mail.id, kind: mail.kind, status: result.status, reason: result.error }, 'mail not sent');
  return outcome.kind === 'away' && result.status === 'queued' ? result.dueAt : null;
}

async function tryOnce(deps: MailDeps, mail: DueMail): Promise<MailAttemptOutcome> {
  if (mail.bodyUntil <= deps.clock.now()) return { kind: 'expired' };
  if (mail.interrupted > 1) return { kind: 'interrupted' };
  if (!deps.mailer || !mail.sealed || mail.keyId === null) return { kind: 'unreadable' };
  try {
    const { links: _links, listUnsubscribe = null, ...body } = openBody(deps.dataKeys, mail, { sealed: mail.sealed, keyId: mail.keyId });
    return await deps.mailer.send({ id: mail.id, to: mail.to, ...body, listUnsubscribe, attachment: await loadAttachment(deps, mail) });
  } catch (error) {
    // Expected for an agency that is being purged; nothing is left to do.
    if (!isKeyDestroyed(error)) deps.log.error({ err: error, mailId: mail.id }, 'mail attempt failed');
    return { kind: error instanceof SealFault ? 'unreadable' : 'fault' };
  }
}

/** Reads the document to attach. Few mails are sent at a time, and a document is bounded where it is stored. */
async function loadAttachment(deps: MailDeps, { attachmentInvoiceId, attachmentName }: DueMail): Promise<LetterAttachment | null> {
  if (attachmentInvoiceId === null || attachmentName === null) return null;
  const file = await deps.db.asSystem('mail', async (tx) => deps.files.find(tx, await findDocumentFile(tx, attachmentInvoiceId)));
  if (!file) throw new Error(`The document of invoice ${attachmentInvoiceId} has no file.`);
  return { name: attachmentName, content: Buffer.from(await readWhole(deps.files, file)), contentType: 'application/pdf' };
}

async function closeWithoutTransport(deps: MailDeps): Promise<void> {
  await deps.db.asSystem('mail', async (tx) => {
    await recordMailStatus(tx, await markNotConfigured(tx), 'not_configured');
  });
}
