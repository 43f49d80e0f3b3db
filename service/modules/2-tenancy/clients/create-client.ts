import type { Database } from '#platform/db/tx.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { refuse } from '#platform/refuse.ts';
import { originOf, recordAudit } from '#modules/1-ledger/audit/index.ts';
import { refuseBusinessName, refusePersonName } from '#modules/2-tenancy/identity/index.ts';
import { publishClientUserInvited, type IssueInvitationDeps, issueInvitation } from '#modules/2-tenancy/invitations/index.ts';
import { reviewNames } from '#modules/2-tenancy/name-reviews/index.ts';
import { type ClientChange, lockClientLimit, findClient, insertClient } from './store.ts';
import { refuseUnknownCountries } from './text-countries.ts';
import { toRecord } from './to-record.ts';

/** `firstContactsPerHour`: people whom a client may text for the first time in an hour, unless it has a cap of its own. */
export type ClientsDeps = IssueInvitationDeps & { db: Database; firstContactsPerHour: number };

/** Adds a client within the plan's limit and optionally invites its first user, in one transaction. */
export async function createClient(
  deps: ClientsDeps,
  caller: RequestContext,
  input: ClientChange & { name: string; inviteEmail?: string | undefined },
) {
  const { actor, now } = caller;
  const { inviteEmail, ...client } = input;
  refuseBusinessName('name', client.name);
  refuseUnknownCountries(client.textCountries);
  // The mail of the invitation greets the contact.
  if (inviteEmail) refusePersonName('contactName', client.contactName);
  return deps.db.asTenant(actor, async (tx) => {
    const limit = await lockClientLimit(tx, actor.partnerId);
    if (!limit) return refuse('not_found');
    if (limit.used >= limit.included) {
      return refuse('client_limit_reached', {
        detail: `Your plan includes ${limit.included} clients. Archive one or request a larger plan.`,
        limit: limit.included,
        used: limit.used,
      });
    }
    const id = await insertClient(tx, actor.partnerId, { ...client, timezone: client.timezone ?? limit.timezone });
    await reviewNames(tx, actor.partnerId, [{ clientId: id, before: null, name: client.name }], actor);
    const invitation = inviteEmail
      ? await issueInvitation(tx, deps, {
          partnerId: actor.partnerId,
          kind: 'client_user',
          email: inviteEmail,
          fullName: client.contactName,
          clientId: id,
          invitedBy: actor.userId,
          sentAt: now,
        })
      : null;
    if (invitation) {
      const partner = { id: actor.partnerId, name: limit.partnerName };
      await publishClientUserInvited(tx, deps.baseUrl, {
        actor,
        partner,
        client: { id, name: client.name, externalRef: client.externalRef ?? null },
        invitation,
      });
    }
    await recordAudit(tx, {
      partnerId: actor.partnerId,
      clientId: id,
      actor,
      action: 'client.created',
      target: { type: 'client', id, label: client.name },
      changes: inviteEmail ? { name: [null, client.name], inviteEmail: [null, inviteEmail] } : { name: [null, client.name] },
      origin: originOf(caller),
    });
    const facts = await findClient(tx, id);
    return facts ? { ...toRecord(facts, deps.firstContactsPerHour), invitation } : refuse('not_found');
  });
}
