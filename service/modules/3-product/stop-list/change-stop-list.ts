import type { AuditAction } from '@partner-portal/contract/audit-actions.ts';
import { maskText } from '@partner-portal/core/contact/mask.ts';
import { contactKey } from '@partner-portal/core/template/input.ts';
import { originOf, recordAudit } from '#modules/1-ledger/audit/index.ts';
import { type ClientRef, findReadingClient } from '#modules/2-tenancy/clients/index.ts';
import { inScope } from '#platform/db/scope.ts';
import type { Tx } from '#platform/db/tx.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { refuse, refuseField } from '#platform/refuse.ts';
import { asReadBy, clientInScope, type StopListDeps } from './read-stop-list.ts';
import { deleteFromStopList, findOnStopList, insertOnStopList, type StopListRow } from './store.ts';

/** Puts a contact on the list by hand. It needs no reason. */
export function addToStopList(
  deps: StopListDeps,
  context: RequestContext,
  clientId: string,
  { contact, note }: { contact: string; note?: string | undefined },
): Promise<StopListRow> {
  const { actor } = context;
  return inScope(deps.db, actor, undefined, async (tx) => {
    const client = await clientInScope(tx, clientId);
    const key = await keyOf(tx, client, contact);
    if (key === null)
      return refuseField(
        'contact',
        'invalid_contact',
        'Use a phone number with its country code, such as +13125550121, or an e-mail address.',
      );
    const one = { partnerId: client.partnerId, clientId, contact: key };
    const reason = actor.role === 'CLIENT' ? 'client' : 'agency';
    if (await insertOnStopList(tx, { ...one, reason, note: note || null, userId: actor.userId }))
      await audit(tx, context, client, 'stop_list.added', { contact: [null, maskText(key)], ...(note ? { note: [null, note] } : {}) });
    const row = (await findOnStopList(tx, one)) ?? refuse('not_found');
    return (await asReadBy(tx, actor, [row]))[0] ?? row;
  });
}

/** Takes a contact off the list: its agents may write to it again, so the reason is kept in the audit log. */
export async function removeFromStopList(
  deps: StopListDeps,
  context: RequestContext,
  clientId: string,
  { contact, reason }: { contact: string; reason: string },
): Promise<void> {
  await inScope(deps.db, context.actor, undefined, async (tx) => {
    const client = await clientInScope(tx, clientId);
    const key = await keyOf(tx, client, contact);
    if (key === null || !(await deleteFromStopList(tx, { partnerId: client.partnerId, clientId, contact: key }))) refuse('not_found');
    else await audit(tx, context, client, 'stop_list.removed', { contact: [maskText(key), null], reason: [null, reason] });
  });
}

/** A number without its country code is one of the client's country. */
async function keyOf(tx: Tx, { partnerId, id }: ClientRef, contact: string): Promise<string | null> {
  const canonical = contactKey(contact);
  return canonical ?? contactKey(contact, (await findReadingClient(tx, partnerId, id))?.countries);
}

/** The entry names the client; the audit log is kept for longer than a contact has to be known, so that its middle is masked. */
async function audit(
  tx: Tx,
  context: RequestContext,
  client: ClientRef,
  action: AuditAction,
  changes: Record<string, [unknown, unknown]>,
): Promise<void> {
  await recordAudit(tx, {
    partnerId: client.partnerId,
    clientId: client.id,
    actor: context.actor,
    action,
    target: { type: 'client', id: client.id, label: client.name },
    changes,
    origin: originOf(context),
  });
}
