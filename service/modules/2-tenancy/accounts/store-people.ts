import type { Role } from '@partner-portal/contract/vocabulary.ts';

/** Who requested and who decided, as columns of a request. */
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
