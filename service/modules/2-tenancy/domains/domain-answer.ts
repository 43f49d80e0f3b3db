import { servedUntil } from '@partner-portal/core/tenancy/domain-check.ts';
import { proofName } from '@partner-portal/core/tenancy/portal-host.ts';
import type { Tx } from '#platform/db/tx.ts';
import type { DomainSettings } from './deps.ts';
import { findDomain, isIncluded } from './store.ts';

/** Returns the domain of an agency as the API shows it, and whether its plan includes one. */
export async function domainAnswer(tx: Tx, { cnameTarget, graceDays }: DomainSettings, partnerId: string) {
  const available = await isIncluded(tx, partnerId);
  const row = await findDomain(tx, partnerId);
  if (!row) return { available, domain: null };
  const { host, status, token, hasAddress, checkedAt, verifiedAt, problem, missingSince } = row;
  return {
    available,
    domain: {
      host,
      status,
      isServed: available && status === 'verified',
      hasAddress,
      txtName: proofName(host),
      txtValue: token,
      cnameTarget,
      checkedAt,
      verifiedAt,
      problem,
      servedUntil: status === 'verified' && missingSince ? servedUntil(missingSince, graceDays) : null,
    },
  };
}
