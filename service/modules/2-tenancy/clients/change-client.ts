import type { AuditAction } from '@partner-portal/contract/audit-actions.ts';
import { manualChangeObstacle } from '@partner-portal/core/account/account.ts';
import type { Tx } from '#platform/db/tx.ts';
import { inScope } from '#platform/db/scope.ts';
import { recordFact } from '#platform/facts.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { requireMatch } from '#platform/http/preconditions.ts';
import { refuse } from '#platform/refuse.ts';
import { originOf, recordAudit } from '#modules/1-ledger/audit/index.ts';
import { refuseBusinessName } from '#modules/2-tenancy/identity/index.ts';
import { publishEvent } from '#modules/1-ledger/events/index.ts';
import { reviewNames } from '#modules/2-tenancy/name-reviews/index.ts';
import { accountResumed } from '#modules/2-tenancy/partners/index.ts';
import { clientChanges } from './client-changes.ts';
import type { ClientsDeps } from './create-client.ts';
import { clientArchived, clientChanged } from './facts.ts';
import {
  type ClientChange,
  deleteClientUser,
  findClient,
  type LockedClient,
  lockClient,
  updateClient,
  writeClientStatus,
} from './store.ts';
import { keepCountries, refuseUnknownCountries } from './text-countries.ts';
import { toClientsRecord, toRecord } from './to-record.ts';

/** Changes a client; of the business profile only the given members. */
export async function changeClient(deps: ClientsDeps, caller: RequestContext, id: string, change: ClientChange) {
  refuseBusinessName('name', change.name);
  refuseUnknownCountries(change.textCountries);
  const facts = await inScope(deps.db, caller.actor, undefined, async (tx) => {
    const before = await lockClient(tx, id);
    if (!before) return refuse('not_found');
    requireMatch(caller.header('if-match'), before.updatedAt);
    const changes = clientChanges(before, { ...change, ...(caller.actor.role === 'CLIENT' ? keepCountries(before, change) : {}) });
    if (Object.keys(changes).length > 0) {
      await updateClient(tx, id, Object.fromEntries(Object.entries(changes).map(([field, [, after]]) => [field, after])));
      await reviewNames(tx, before.partnerId, [{ clientId: id, before: before.name, name: change.name ?? before.name }], caller.actor);
      await audit(tx, caller, before, 'client.changed', changes);
      await recordFact(tx, clientChanged, { partnerId: before.partnerId, clientId: id });
    }
    return findClient(tx, id);
  });
  if (!facts) return refuse('not_found');
  return caller.actor.role === 'CLIENT' ? toClientsRecord(facts) : toRecord(facts, deps.firstContactsPerHour);
}

type Move = { to: 'active' | 'suspended' | 'archived'; from: readonly string[]; action: AuditAction; reason?: string | undefined };

/** Allows active → suspended → active and active or suspended → archived; otherwise 409. */
export async function moveClient(deps: ClientsDeps, caller: RequestContext, id: string, move: Move) {
  const facts = await inScope(deps.db, caller.actor, undefined, async (tx) => {
    const before = await lockClient(tx, id);
    if (!before) return refuse('not_found');
    if (!move.from.includes(before.status)) return refuse('invalid_state', { detail: `This client is ${before.status}.` });
    const obstacle = manualChangeObstacle(before);
    if (obstacle !== null) return refuse('invalid_state', { detail: obstacle });
    if (move.to === 'suspended') {
      await writeClientStatus(tx, id, { status: move.to, suspension: { reason: move.reason || null, cause: 'manual', at: caller.now } });
      await publishSuspended(tx, deps.baseUrl, caller, before);
    } else {
      await writeClientStatus(tx, id, { status: move.to });
      const fact = { partnerId: before.partnerId, clientId: id, at: caller.now };
      await (move.to === 'active' ? recordFact(tx, accountResumed, fact) : recordFact(tx, clientArchived, fact));
    }
    const reason = move.reason ? { reason: [null, move.reason] as [unknown, unknown] } : {};
    await audit(tx, caller, before, move.action, { status: [before.status, move.to], ...reason });
    return findClient(tx, id);
  });
  return facts ? toRecord(facts, deps.firstContactsPerHour) : refuse('not_found');
}

/** Removes a client user; their sessions end with them. */
export async function removeClientUser(deps: ClientsDeps, caller: RequestContext, id: string, userId: string): Promise<void> {
  const { actor } = caller;
  await inScope(deps.db, actor, undefined, async (tx) => {
    const client = await lockClient(tx, id);
    if (!client) return refuse('not_found');
    const email = await deleteClientUser(tx, id, userId);
    if (!email) return refuse('not_found');
    const target = { type: 'user', id: userId, label: email };
    await recordAudit(tx, {
      partnerId: client.partnerId,
      clientId: id,
      actor,
      action: 'client_user.removed',
      target,
      origin: originOf(caller),
    });
  });
}

async function publishSuspended(tx: Tx, baseUrl: string, { actor, now }: RequestContext, client: LockedClient): Promise<void> {
  await publishEvent(tx, {
    partnerId: client.partnerId,
    clientId: client.id,
    type: 'account.suspended',
    data: {
      partnerId: client.partnerId,
      partnerName: client.partnerName,
      actor: actor.role === 'ADMIN' ? { type: 'staff', id: actor.userId } : { type: 'user', id: actor.userId, email: actor.email },
      portalUrl: `${baseUrl}/dashboard/clients/${client.id}`,
      account: { type: 'client', id: client.id, name: client.name },
      reason: 'manual',
      suspendedAt: now.toISOString(),
      reactivation: { allowed: true },
    },
  });
}

async function audit(
  tx: Tx,
  caller: RequestContext,
  client: LockedClient,
  action: AuditAction,
  changes: Record<string, [unknown, unknown]>,
): Promise<void> {
  const target = { type: 'client', id: client.id, label: client.name };
  await recordAudit(tx, {
    partnerId: client.partnerId,
    clientId: client.id,
    actor: caller.actor,
    action,
    target,
    changes,
    origin: originOf(caller),
  });
}
