import { EVENT_DATA } from '@partner-portal/contract/events.ts';
import type { Reaction } from '#modules/1-ledger/events/index.ts';
import { readSuspensionReason } from '../store.ts';
import type { QueueMailToAdmins } from './queue-mail.ts';

const CAUSES: Record<string, string> = {
  deletion_approved: 'A request to delete it was approved.',
  billing: 'A bill is unpaid, or the plan has ended.',
};

/** Mails the partner's admins when an account is suspended, but not the admin who suspended it. */
export function mailSuspensions(queueMailToAdmins: QueueMailToAdmins): Reaction {
  return {
    name: 'mail.suspensions',
    types: ['account.suspended'],
    async run(tx, events) {
      for (const event of events) {
        if (event.type !== 'account.suspended') continue;
        const { account, actor, reason, suspendedAt, reactivation, portalUrl } = EVENT_DATA[event.type].parse(event.data);
        const reasonGiven =
          account.type === 'partner' && reason !== 'deletion_approved' ? await readSuspensionReason(tx, event.partnerId) : null;
        await queueMailToAdmins(tx, {
          partnerId: event.partnerId,
          about: { partnerId: event.partnerId, clientId: account.type === 'client' ? account.id : null },
          kind: 'account_suspended',
          data: {
            accountType: account.type,
            accountName: account.name,
            at: new Date(suspendedAt),
            reason: reasonGiven ?? CAUSES[reason] ?? null,
            purgeAfter: reason === 'deletion_approved' && reactivation.until ? new Date(reactivation.until) : null,
            href: account.type === 'partner' ? '/login' : new URL(portalUrl).pathname,
          },
          dedupeKey: `account_suspended:${event.id}`,
          except: actor?.type === 'user' ? (actor.id ?? undefined) : undefined,
        });
      }
    },
  };
}
