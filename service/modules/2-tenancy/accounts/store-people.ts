import type { Role } from '@partner-portal/contract/vocabulary.ts';

/** The requester and the decider, as columns of a request. */
export type PeopleColumns = {
  partnerName: string;
  requestedBy: string | null;
  requesterName: string | null;
  requesterEmail: string | null;
  requesterRole: Role;
  decidedBy: string | null;
  deciderName: string | null;
  deciderEmail: string | null;
  deciderRole: Role | null;
};
