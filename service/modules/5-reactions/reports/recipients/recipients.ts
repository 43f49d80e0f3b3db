import { LIMITS } from '@partner-portal/contract/vocabulary.ts';
import { recipientObstacle } from '@partner-portal/core/report/recipient.ts';
import { byName } from '@partner-portal/core/people/name-order.ts';
import type { Actor } from '#platform/actor.ts';
import { inScope } from '#platform/db/scope.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { refuse } from '#platform/refuse.ts';
import { originOf, recordAudit } from '#modules/1-ledger/audit/index.ts';
import { findClientRef } from '#modules/2-tenancy/clients/index.ts';
import type { ReportsDeps } from '../deps.ts';
import { listRecipients, lockRecipient, type RecipientRow, saveSubscription } from './store.ts';

/** Lists who may get the report of a client by mail. A user of the client sees themselves. */
export function readRecipients({ db }: Pick<ReportsDeps, 'db'>, { actor }: RequestContext, clientId: string) {
  return inScope(db, actor, undefined, async (tx) => {
    if (!(await findClientRef(tx, clientId))) return refuse('not_found');
    const people = await listRecipients(tx, clientId, { ids: ownOnly(actor), most: LIMITS.reportRecipientsMax });
    // A client's user sees no one else, and agencies read English.
    return byName(people, ({ fullName }) => fullName, 'en')
      .toSorted((one, other) => one.role.localeCompare(other.role))
      .map(toRecord);
  });
}

/** Subscribes or unsubscribes a person. */
export function putRecipient(
  { db }: Pick<ReportsDeps, 'db'>,
  caller: RequestContext,
  of: { clientId: string; userId: string; isSubscribed: boolean },
) {
  const { actor, now } = caller;
  const { clientId, userId, isSubscribed } = of;
  return inScope(db, actor, undefined, async (tx) => {
    const client = await findClientRef(tx, clientId);
    if (!client) return refuse('not_found');
    await lockRecipient(tx, userId);
    const find = async (): Promise<RecipientRow | undefined> => (await listRecipients(tx, clientId, { ids: [userId] }))[0];
    const before = await find();
    if (!before || ownOnly(actor)?.includes(userId) === false) return refuse('not_found');
    const obstacle = recipientObstacle(actor, { userId, hasOptedOut: hasOptedOut(before) }, isSubscribed);
    if (obstacle === 'others') return refuse('partner_role_forbidden');
    if (obstacle === 'opted_out')
      return refuse('invalid_state', { detail: 'This person unsubscribed themselves. Only they can subscribe again.' });
    const isOwnChoice = userId === actor.userId && before.changedById !== actor.userId && !isSubscribed;
    if (before.isSubscribed === isSubscribed && !isOwnChoice) return toRecord(before);
    await saveSubscription(tx, { partnerId: client.partnerId, clientId, userId, isSubscribed, changedBy: actor.userId, now });
    await recordAudit(tx, {
      partnerId: client.partnerId,
      clientId,
      actor,
      action: 'report.recipient_changed',
      target: { type: 'user', id: userId, label: before.email },
      changes: { isSubscribed: [before.isSubscribed, isSubscribed] },
      origin: originOf(caller),
    });
    const after = await find();
    return after ? toRecord(after) : refuse('not_found');
  });
}

function ownOnly({ role, userId }: Actor): string[] | null {
  return role === 'CLIENT' ? [userId] : null;
}

/** Whether they ended it themselves. */
export function hasOptedOut({ isSubscribed, changedById, userId }: Pick<RecipientRow, 'isSubscribed' | 'changedById' | 'userId'>): boolean {
  return !isSubscribed && changedById === userId;
}

function toRecord(row: RecipientRow) {
  const { changedById, changedByName, locale: _locale, ...rest } = row;
  return {
    ...rest,
    hasOptedOut: hasOptedOut(row),
    // A person who is gone, or whom the reader cannot see, has no name here.
    changedBy: changedById === null ? null : { id: changedById, name: changedByName ?? '' },
  };
}
