import type { PlanRequestRow } from './store.ts';

/** The record as it leaves; who asked for it inside the agency is in the audit log. */
export function toRecord(row: PlanRequestRow) {
  const { applicantEmail, applicantName, companyName, website, country, requestedBy: _requestedBy, ...rest } = row;
  return { ...rest, applicant: { email: applicantEmail, fullName: applicantName, companyName, website, country } };
}
