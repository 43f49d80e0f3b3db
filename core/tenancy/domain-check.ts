import type { DomainProblem, DomainStatus } from '@partner-portal/contract/vocabulary.ts';

/** The name servers' answer for the TXT record. `unanswered`: nothing is known. */
export type TxtAnswer = { kind: 'found'; values: readonly string[] } | { kind: 'none' } | { kind: 'unanswered' };

/** A claim before a check. `missingSince`: since when checks of a verified host have not found the record. */
export type Claim = { status: DomainStatus; token: string; missingSince: Date | null; verifiedAt: Date | null };

export type Checked = {
  status: DomainStatus;
  problem: DomainProblem | null;
  verifiedAt: Date | null;
  missingSince: Date | null;
  /** The change that the check made: `missed` is the first check without the record, which the agency is warned of. */
  change: 'verified' | 'missed' | 'stopped' | null;
};

const DAY_MS = 86_400_000;

/**
 * Decides what a check means. A verified host stays served for `graceDays` after the record went missing. Servers that do not answer prove
 * nothing, neither for nor against a claim.
 */
export function assessCheck(claim: Claim, answer: TxtAnswer, { now, graceDays }: { now: Date; graceDays: number }): Checked {
  const { status, verifiedAt, missingSince } = claim;
  if (answer.kind === 'unanswered') return { status, verifiedAt, missingSince, problem: 'no_answer', change: null };
  if (answer.kind === 'found' && answer.values.includes(claim.token)) {
    const change = status === 'verified' ? null : 'verified';
    return { status: 'verified', verifiedAt: change === null ? verifiedAt : now, missingSince: null, problem: null, change };
  }
  const problem = answer.kind === 'none' ? 'record_missing' : answer.values.length > 1 ? 'several_values' : 'wrong_value';
  if (status !== 'verified') return { status, verifiedAt, missingSince, problem, change: null };
  const since = missingSince ?? now;
  const isOver = missingSince !== null && now >= servedUntil(missingSince, graceDays);
  if (isOver) return { status: 'failing', verifiedAt, missingSince: since, problem, change: 'stopped' };
  return { status, verifiedAt, missingSince: since, problem, change: missingSince === null ? 'missed' : null };
}

/** Until when a verified host is served whose record is missing since then. */
export function servedUntil(missingSince: Date, graceDays: number): Date {
  return new Date(missingSince.getTime() + graceDays * DAY_MS);
}

const HOUR_MS = 3_600_000;
/** How long a claim is looked for by itself after it was made. */
const PENDING_DAYS = 14;

/** Returns when to check next: new claims hourly for two weeks, others at the interval, and one about to stop when its days are over. */
export function nextCheck(
  checked: Pick<Checked, 'status' | 'missingSince'>,
  { now, claimedAt, intervalHours, graceDays }: { now: Date; claimedAt: Date; intervalHours: number; graceDays: number },
): Date {
  const regular = new Date(now.getTime() + intervalHours * HOUR_MS);
  if (checked.status === 'pending') {
    const isNew = now.getTime() - claimedAt.getTime() < PENDING_DAYS * DAY_MS;
    return isNew ? new Date(now.getTime() + Math.min(intervalHours, 1) * HOUR_MS) : regular;
  }
  if (checked.status === 'verified' && checked.missingSince !== null) {
    const end = servedUntil(checked.missingSince, graceDays);
    return end < regular ? end : regular;
  }
  return regular;
}
