import { byName } from '@partner-portal/core/people/name-order.ts';
import { readerTag } from '#modules/2-tenancy/identity/index.ts';
import type { Actor } from '#platform/actor.ts';
import type { Database } from '#platform/db/tx.ts';
import { refuse } from '#platform/refuse.ts';
import { findAgency, listAdmins, listInvited, listPeople } from './store.ts';

/** Returns the people with access to the portal of the session's client, those invited, and those responsible at its agency. */
export function readPeople(deps: { db: Database }, actor: Actor) {
  const { clientId } = actor;
  if (clientId === null) return refuse('not_found');
  return deps.db.asTenant(actor, async (tx) => {
    const agency = (await findAgency(tx, clientId)) ?? refuse('not_found');
    const people = await listPeople(tx, clientId);
    const tag = await readerTag(tx, actor);
    return {
      people: byName(people, ({ fullName }) => fullName, tag).map((person) => ({ ...person, isYou: person.id === actor.userId })),
      invitations: await listInvited(tx),
      agency: { name: agency.name, supportEmail: agency.supportEmail, admins: byName(await listAdmins(tx), (name) => name, tag) },
    };
  });
}
