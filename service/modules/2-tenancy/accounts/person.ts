import type { Role } from '@partner-portal/contract/vocabulary.ts';
import type { PeopleColumns } from './store-people.ts';

/** A person of a request as the reader's transaction sees them: without a name when they are outside of the reader's tenant. */
type PersonColumns = { id: string | null; name: string | null; email: string | null; role: Role | null };

/** The person of the API; null when there is none or they were removed. Who is outside of the reader's tenant is named by their side. */
function toPerson({ id, name, email, role }: PersonColumns, partnerName: string) {
  if (id === null) return null;
  if (name !== null) return { id, name, email };
  return { id: null, name: role === 'ADMIN' ? 'Platform staff' : partnerName, email: null };
}

/** The people of a request, for its record. */
export function toPeople(row: PeopleColumns) {
  const requester = { id: row.requestedBy, name: row.requesterName, email: row.requesterEmail, role: row.requesterRole };
  const decider = { id: row.decidedBy, name: row.deciderName, email: row.deciderEmail, role: row.deciderRole };
  return { requestedBy: toPerson(requester, row.partnerName), decidedBy: toPerson(decider, row.partnerName) };
}
