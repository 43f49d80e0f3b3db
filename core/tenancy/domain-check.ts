import type { DomainProblem, DomainStatus } from '@partner-portal/contract/vocabulary.ts';

/** The name servers' answer for the TXT record. `unanswered`: nothing is known. */
export type TxtAnswer = { kind: 'found'; values: readonly string[] } | { kind: 'none' } | { kind: 'unanswered' };

/** The name servers' answer for the host itself. */
export type AddressAnswer = 'found' | 'none' | 'unanswered';
export type Answers = { txt: TxtAnswer; address: AddressAnswer };

/** A claim before a check. `missingSince`: since when checks of a verified host have not found the record. */
export type Claim = { status: DomainStatus; token: string; hasAddress: boolean; missingSince: Date | null; verifiedAt: Date | null };

export type Checked = {
  status: DomainStatus;
  problem: DomainProblem | null;
  /** Links lead clients to the host only while it has an address. */
  hasAddress: boolean;
  verifiedAt: Date | null;
  missingSince: Date | null;
  /** The change that the check made: `missed` is the first check without the record, which the agency is warned of. */
  change: 'verified' | 'missed' | 'stopped' | null;
};

const DAY_MS = 86_400_000;

/**
 * Decides what a check means. A verified host stays served for `graceDays` after the record went missing. Servers that do not answer prove
 * nothing, neither for nor against a claim. An address is no part of the proof.
 */
export function assessCheck(claim: Claim, { txt, address }: Answers, { now, graceDays }: { now: Date; graceDays: number }): Checked {
  const { status, verifiedAt, missingSince } = claim;
  const hasAddress = address === 'unanswered' ? claim.hasAddress : address === 'found';
  if (txt.kind === 'unanswered') return { status, hasAddress, verifiedAt, missingSince, problem: 'no_answer', change: null };
  if (txt.kind === 'found' && txt.values.includes(claim.token)) {
    const change = status === 'verified' ? null : 'verified';
    const problem = hasAddress ? null : address === 'none' ? 'no_address' : 'no_answer';
    return { status: 'verified', hasAddress, verifiedAt: change === null ? verifiedAt : now, missingSince: null, problem, change };
  }
  const problem = txt.kind === 'none' ? 'record_missing' : txt.values.length > 1 ? 'several_values' : 'wrong_value';
  if (status !== 'verified') return { status, hasAddress, verifiedAt, missingSince, problem, change: null };
  const since = missingSince ?? now;
  const isOver = missingSince !== null && now >= servedUntil(missingSince, graceDays);
  if (isOver) return { status: 'failing', hasAddress, verifiedAt, missingSince: since, problem, change: 'stopped' };
  return { status, hasAddress, verifiedAt, missingSince: since, problem, change: missingSince === null ? 'missed' : null };
}

/** Until when a verified host is served whose record is missing since then. */
export function servedUntil(missingSince: Date, graceDays: number): Date {
  return new Date(missingSince.getTime() + graceDays * DAY_MS);
}

const HOUR_MS = 3_600_000;
/** How long a claim is looked for every hour after it was made. */
const PENDING_DAYS = 14;

/** Returns when to check next: new claims hourly for two weeks until both records are there, others at the interval, and one about to stop when its days are over. */
export function nextCheck(
  checked: Pick<Checked, 'status' | 'hasAddress' | 'missingSince'>,
  { now, claimedAt, intervalHours, graceDays }: { now: Date; claimedAt: Date; intervalHours: number; graceDays: number },
): Date {
  const regular = new Date(now.getTime() + intervalHours * HOUR_MS);
  if (checked.status === 'pending' || (checked.status === 'verified' && !checked.hasAddress && checked.missingSince === null)) {
    const isNew = now.getTime() - claimedAt.getTime() < PENDING_DAYS * DAY_MS;
    return isNew ? new Date(now.getTime() + Math.min(intervalHours, 1) * HOUR_MS) : regular;
  }
  if (checked.status === 'verified' && checked.missingSince !== null) {
    const end = servedUntil(checked.missingSince, graceDays);
    return end < regular ? end : regular;
  }
  return regular;
}
