import type { Tx } from '#platform/db/tx.ts';
import { recordAudit } from '#modules/1-ledger/audit/index.ts';
import { findReactivation, settlePending } from './store-reactivations.ts';

type Changed = { partnerId: string; clientId: string | null; at: Date };
/** What became of the account is part of the audit entry: a note would be a person's text, in one language. */
type Decision = { status: 'approved' | 'rejected'; became?: Record<string, [string | null, string]> };

/** An account that staff, its agency or a payment resumed needs no decision any more: its pending request is approved with it. */
export async function settleReactivations(tx: Tx, resumed: readonly Changed[]): Promise<void> {
  for (const account of resumed) await settle(tx, account, { status: 'approved' });
}

/** An approved deletion answers the wish of before to be active again; a later one asks to be kept. */
export async function answerReactivations(tx: Tx, account: Changed): Promise<void> {
  await settle(tx, account, { status: 'rejected', became: { deletion: ['pending', 'approved'] } });
}

/** An archived client is not suspended any more, and not active either. */
export async function rejectReactivations(tx: Tx, archived: readonly Changed[]): Promise<void> {
  for (const account of archived) await settle(tx, account, { status: 'rejected', became: { account: ['suspended', 'archived'] } });
}

async function settle(tx: Tx, account: Changed, { status, became }: Decision): Promise<void> {
  for (const id of await settlePending(tx, account, { status, at: account.at })) {
    const { partnerId, clientId } = account;
    const request = await findReactivation(tx, id);
    await recordAudit(tx, {
      partnerId,
      clientId,
      actor: { kind: 'system' },
      action: `reactivation_request.${status}`,
      target: { type: 'reactivation_request', id, label: request?.accountName ?? null },
      changes: { status: ['pending', status], ...became },
    });
  }
}
