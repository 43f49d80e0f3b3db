import type { SystemTx } from '#platform/db/tx.ts';
import { defineFact, recordFacts } from '#platform/facts.ts';

export type InvitationMailStatus = { invitationId: string; status: 'sent' | 'failed' | 'not_configured' | 'queued' };

/** The mail about an invitation reached its final status, or was queued again. */
export const invitationMailChanged = defineFact<InvitationMailStatus, SystemTx>('invitation_mail.status_changed');

/** Records the new status of mails in the transaction that writes it; only mails about an invitation matter to others. */
export async function recordMailStatus(
  tx: SystemTx,
  mails: readonly { invitationId: string | null }[],
  status: InvitationMailStatus['status'],
): Promise<void> {
  const changes = mails.flatMap(({ invitationId }) => (invitationId === null ? [] : [{ invitationId, status }]));
  await recordFacts(tx, invitationMailChanged, changes);
}
