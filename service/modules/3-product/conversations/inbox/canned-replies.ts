import { byName } from '@partner-portal/core/people/name-order.ts';
import { readerTag } from '#modules/2-tenancy/identity/index.ts';
import type { Actor } from '#platform/actor.ts';
import type { Tx } from '#platform/db/tx.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { refuse, refuseField } from '#platform/refuse.ts';
import { originOf, recordAudit } from '#modules/1-ledger/audit/index.ts';
import { refuseUnknownScope } from '#modules/1-ledger/scope/index.ts';
import type { ConversationsDeps } from '../deps.ts';
import { inInbox } from './list-conversations.ts';
import { type CannedRow, deleteCanned, insertCanned, listCanned } from './store-canned.ts';

type Deps = Pick<ConversationsDeps, 'db'>;

/** Limit per client, and for the agency's replies for all clients. */
const CANNED_MAX = 200;
const LISTED_MAX = 1_000;

/** Prepared replies by title: those of the client, and those of the agency for all its clients. */
export function listCannedReplies(deps: Deps, actor: Actor, clientId: string | undefined) {
  return inInbox(deps, actor, clientId, async (tx, scope) => {
    const rows = await listCanned(tx, scope, LISTED_MAX);
    await refuseUnknownScope(tx, scope, rows.some((row) => row.clientId !== null) ? 1 : 0);
    return byName(rows, ({ title }) => title, await readerTag(tx, actor)).map(toRecord);
  });
}

/** Adds one: a client's is its own; an agency's is for the named client, or for all. */
export function addCannedReply(deps: Deps, caller: RequestContext, body: { clientId?: string | undefined; title: string; text: string }) {
  const { actor } = caller;
  return inInbox(deps, actor, body.clientId, async (tx, { clientId }) => {
    await refuseUnknownScope(tx, { partnerId: actor.partnerId, clientId }, 0);
    const owner = { partnerId: actor.partnerId, clientId: clientId ?? null, userId: actor.userId };
    const row = await insertCanned(tx, { ...owner, title: body.title, text: body.text, max: CANNED_MAX });
    if (!row) return refuseField('title', 'too_many', `There are ${CANNED_MAX} prepared replies already. Remove one first.`);
    await record(tx, caller, row, 'canned_reply.added');
    return toRecord(row);
  });
}

/** Removes one. A client sees those of its agency and removes only its own. */
export function removeCannedReply(deps: Deps, caller: RequestContext, id: string): Promise<void> {
  return inInbox(deps, caller.actor, undefined, async (tx) => {
    const row = await deleteCanned(tx, id);
    if (!row) return refuse('not_found');
    await record(tx, caller, row, 'canned_reply.removed');
  });
}

function toRecord({ id, clientId, title, text, createdAt }: CannedRow) {
  return { id, clientId, title, text, createdAt };
}

async function record(
  tx: Tx,
  caller: RequestContext,
  { id, partnerId, clientId, title }: CannedRow,
  action: 'canned_reply.added' | 'canned_reply.removed',
): Promise<void> {
  const target = { type: 'canned_reply', id, label: title };
  await recordAudit(tx, { partnerId, clientId, actor: caller.actor, action, target, changes: {}, origin: originOf(caller) });
}
