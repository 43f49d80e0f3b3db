import type { Tx } from '#platform/db/tx.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { requireMatch } from '#platform/http/preconditions.ts';
import { refuse } from '#platform/refuse.ts';
import { changesBetween, originOf, recordAudit } from '#modules/1-ledger/audit/index.ts';
import { takeLogo } from '#modules/2-tenancy/media/index.ts';
import { refuseBusinessName } from '#modules/2-tenancy/identity/index.ts';
import { reviewNames } from '#modules/2-tenancy/name-reviews/index.ts';
import type { PartnersDeps } from './create-partner.ts';
import { findOwnPartner, findPartner, lockPartner, type PartnerChange, updatePartner } from './store.ts';
import { toRecord } from './to-record.ts';

/** Changes a partner as staff: also slug, engine provider and internal notes. */
export async function changePartner(deps: PartnersDeps, caller: RequestContext, id: string, change: PartnerChange) {
  const facts = await deps.db.asStaff(caller.actor, async (tx) => {
    await applyChange(tx, caller, id, change);
    return findPartner(tx, id);
  });
  return facts ? toRecord(facts) : refuse('not_found');
}

/** Changes the caller's own partner: name, logo, colour, contact, time zone. */
export async function changeOwnPartner(deps: PartnersDeps, caller: RequestContext, change: PartnerChange) {
  const { actor } = caller;
  const facts = await deps.db.asTenant(actor, async (tx) => {
    await applyChange(tx, caller, actor.partnerId, change);
    return findOwnPartner(tx, actor.partnerId);
  });
  return facts ? toRecord(facts) : refuse('not_found');
}

async function applyChange(tx: Tx, caller: RequestContext, id: string, change: PartnerChange): Promise<void> {
  refuseBusinessName('name', change.name);
  const { logoMediaId } = change;
  const logo = logoMediaId === undefined ? {} : { logoUrl: await takeLogo(tx, id, logoMediaId) };
  const before = await lockPartner(tx, id);
  if (!before) return refuse('not_found');
  requireMatch(caller.header('if-match'), before.updatedAt);
  const changes = changesBetween(before, change);
  if (Object.keys(changes).length === 0) return;
  if (changes['slug'] && before.hasProvider)
    return refuse('invalid_state', {
      detail: 'The identity provider of this agency knows the portal by this slug. Its connection has to be removed first.',
    });
  const values = Object.fromEntries(Object.entries(changes).map(([field, [, after]]) => [field, after]));
  const written = await updatePartner(tx, id, { ...values, ...logo });
  if (!written) return refuse('already_exists', { detail: `The slug "${change.slug ?? ''}" belongs to another agency.` });
  await reviewNames(tx, id, [{ clientId: null, before: before.name, name: change.name ?? before.name }], caller.actor);
  const target = { type: 'partner', id, label: before.name };
  await recordAudit(tx, { partnerId: id, actor: caller.actor, action: 'partner.changed', target, changes, origin: originOf(caller) });
}
