import { resembledName } from '@partner-portal/core/people/protected-names.ts';
import type { PlanRequestRow } from './store.ts';

/** The record of the API, without the requesting user, who is in the audit log. */
export function toRecord(row: PlanRequestRow) {
  const { applicantEmail, applicantName, companyName, website, country, requestedBy: _requestedBy, ...rest } = row;
  const nameResembles = rest.partnerId === null ? resembledName(companyName) : null;
  return { ...rest, nameResembles, applicant: { email: applicantEmail, fullName: applicantName, companyName, website, country } };
}
