import { resembledName } from '@partner-portal/core/people/protected-names.ts';
import type { Actor } from '#platform/actor.ts';
import type { PlanRequestRow } from './store.ts';

/** The record of the API, without the requesting user, who is in the audit log. The note of an approval is written for staff, those of a refusal and a withdrawal also for the agency. */
export function toRecord(row: PlanRequestRow, reader: Actor) {
  const { applicantEmail, applicantName, companyName, website, country, requestedBy: _requestedBy, ...rest } = row;
  const nameResembles = rest.partnerId === null ? resembledName(companyName) : null;
  const decisionNote = reader.role === 'ADMIN' || rest.status !== 'approved' ? rest.decisionNote : null;
  return {
    ...rest,
    decisionNote,
    nameResembles,
    applicant: { email: applicantEmail, fullName: applicantName, companyName, website, country },
  };
}
