import { nextMailState, MAIL_CLAIM_MS, type MailAttemptOutcome } from '@partner-portal/core/mail/mail.ts';
import { enqueue } from '#platform/jobs/enqueue.ts';
import type { MailDeps } from '../deps.ts';
import { MailFault, openBody } from './seal-body.ts';
import { recordMailStatus } from './mail-status.ts';
import { sendMailJob } from './send-mail-job.ts';
import { claimDue, type DueMail, markNotConfigured, postponeDue, settle } from '../store.ts';

const BATCH = 8;

/**
 * Tries every mail that is due, a few at a time, until none is left, the transport turns out to be away, or the process
 * stops. May run any number of times and beside itself: a mail is claimed before it is tried.
 */
export async function sendDue(deps: MailDeps, signal: AbortSignal): Promise<void> {
  if (!deps.mailer) return giveUpWithoutTransport(deps);
  for (;;) {
    if (signal.aborted) return;
    const now = deps.clock.now();
    const until = new Date(now.getTime() + MAIL_CLAIM_MS);
    const claimed = await deps.db.asSystem('mail', (tx) => claimDue(tx, { now, until, limit: BATCH }));
    if (claimed.length === 0) return;
    const away = await Promise.all(claimed.map((mail) => sendOne(deps, mail)));
    const wait = away.find((dueAt) => dueAt !== null);
    if (wait) {
      await deps.db.asSystem('mail', (tx) => postponeDue(tx, deps.clock.now(), wait));
      return;
    }
  }
}

/** One try. Answers when to look again if no server took part, otherwise null. */
async function sendOne(deps: MailDeps, mail: DueMail): Promise<Date | null> {
  const outcome = await tryOnce(deps, mail);
  const now = deps.clock.now();
  const result = nextMailState(mail, outcome, now);
  await deps.db.asSystem('mail', async (tx) => {
    if (!(await settle(tx, mail, result))) return; // taken back while it was on its way
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
    const { links: _links, ...body } = openBody(deps.ring, mail, { sealed: mail.sealed, keyId: mail.keyId });
    return await deps.mailer.send({ id: mail.id, to: mail.to, ...body });
  } catch (error) {
    deps.log.error({ err: error, mailId: mail.id }, 'mail could not be tried');
    return { kind: error instanceof MailFault ? 'unreadable' : 'fault' };
  }
}

async function giveUpWithoutTransport(deps: MailDeps): Promise<void> {
  await deps.db.asSystem('mail', async (tx) => {
    await recordMailStatus(tx, await markNotConfigured(tx), 'not_configured');
  });
}
