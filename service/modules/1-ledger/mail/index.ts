import type { MailKind } from '@partner-portal/contract/vocabulary.ts';
import type { SystemTx, Tx } from '#platform/db/tx.ts';
import { defineCron, handleJob } from '#platform/jobs/define-job.ts';
import type { MailDeps } from './deps.ts';
import { createQueueMail } from './delivery/queue-mail.ts';
import { mailSuspensions } from './delivery/mail-suspension.ts';
import { createMailLinks, type MailLinks } from './links.ts';
import { sendDue } from './delivery/send-due.ts';
import { sendMailJob } from './delivery/send-mail-job.ts';
import { type CancelKeyed, cancelHeld, cancelKeyed, cancelMail } from './store.ts';
import { createRelease } from './delivery/release-held.ts';
import { countMail } from './log/store-views.ts';
import { sweepMail } from './delivery/sweep-mail.ts';
import { mailHandlers } from './routes.ts';

export { type AccountOutcome, accountOutcomeSentence } from './compose/account-outcome.ts';
export type { NewMail } from './compose/kinds.ts';
export type { MailLinks } from './links.ts';
export type { CancelKeyed } from './store.ts';
export { type InvitationMailStatus, invitationMailChanged } from './delivery/mail-status.ts';
export type { PreviewMail, QueueMail } from './delivery/queue-mail.ts';
export { portalBaseUrlOf } from './portal-address.ts';
export { resealMail } from './delivery/reseal-mail.ts';

/** The interface of mail for other modules. Without a transport `isConfigured` is false and links are shown to the inviter instead. */
export type MailQueue = ReturnType<typeof createQueueMail> & {
  isConfigured: boolean;
  links: MailLinks;
  /** Cancels unsent mail about an invitation that was revoked or accepted. */
  cancelMail(tx: Tx, about: { partnerId: string; invitationId: string }): Promise<void>;
  /** Cancels held mail of a kind to an address, which something newer replaces. */
  cancelHeld(tx: SystemTx, held: { partnerId: string; to: string; kind: MailKind }): Promise<void>;
  /** Cancels unsent mail whose `dedupeKey` begins with one of these, because what it says no longer holds. Optionally of one user, or queued until a moment. */
  cancelKeyed: CancelKeyed;
  /** Sends the held mail of a kind to an address. Returns how many mails there were. */
  releaseHeld(tx: SystemTx, held: { partnerId: string; to: string; kind: MailKind }): Promise<number>;
  /** Sends what waited for names of a partner, as far as they wait no longer. Returns how many mails there were. */
  releaseNamed(tx: SystemTx, partnerId: string): Promise<number>;
};

/** The service's own mail: queued in the transaction of its cause, sealed until it is sent by SMTP. */
export function mail(deps: MailDeps) {
  const outgoing: MailQueue = {
    ...createQueueMail(deps),
    ...createRelease(deps),
    isConfigured: deps.mailer !== null,
    links: createMailLinks(deps),
    cancelMail,
    cancelHeld,
    cancelKeyed,
  };
  return {
    ...outgoing,
    /** Sends mail when an account is suspended. */
    reactions: [mailSuspensions(outgoing.queueMailToAdmins)],
    routes: mailHandlers(deps),
    jobs: [handleJob(sendMailJob, (_payload, { signal }) => sendDue(deps, signal))],
    crons: [defineCron('mail.sweep', '* * * * *', (context) => sweepMail(deps, context))],
    countMail,
    /** Readiness: whether mail can be sent now. */
    check: async () => (deps.mailer ? deps.mailer.check() : ('disabled' as const)),
  };
}
