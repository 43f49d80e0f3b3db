import {
  capReached,
  type InvitationCaps,
  type InvitationUse,
  startsBurst,
  waitInWords,
} from '@partner-portal/core/people/invitation-caps.ts';
import type { Tx } from '#platform/db/tx.ts';
import { refuse } from '#platform/refuse.ts';
import { recordAudit } from '#modules/1-ledger/audit/index.ts';
import { countInvitationMail } from './store.ts';

/**
 * Allows one more invitation mail of a partner, or refuses `rate_limited` with the cap and the wait. Exact under concurrency: the partner stays
 * locked until the commit, so call it before anything else is locked. Half of the hourly cap is recorded, which notifies staff.
 */
export async function allowInvitationMail(tx: Tx, caps: InvitationCaps, partnerId: string, now: Date): Promise<void> {
  const use: InvitationUse = await countInvitationMail(tx, partnerId);
  const reached = capReached(caps, use, now);
  if (reached) {
    const { limit, used, per, retryAfterSeconds } = reached;
    const invitations = limit === 1 ? '1 invitation' : `${limit} invitations`;
    const detail = `Your agency may send ${invitations} ${per === 'hour' ? 'an hour' : 'a day'}. The next one is possible in ${waitInWords(retryAfterSeconds)}.`;
    refuse('rate_limited', { detail, limit, used, retryAfterSeconds });
  }
  if (!startsBurst(caps, use)) return;
  await recordAudit(tx, {
    partnerId,
    actor: { kind: 'system' },
    action: 'invitation.burst_noticed',
    target: { type: 'partner', id: partnerId, label: null },
    changes: { invitationsInHour: [null, use.inHour + 1] },
  });
}
