import type { ReportFailure } from '@partner-portal/contract/vocabulary.ts';
import { failureOf } from '../execution/failures.ts';

/** Returns the kind of cause behind the error code of a run. Codes are many, and a reader needs few words. */
export function failureCause(code: string | null): ReportFailure {
  return code === null ? 'other' : failureOf(code).kind;
}

/** Failed runs of one agent with one error code. */
export type FailedRuns = { errorCode: string | null; agentName: string; count: number; handled: number };
export type FailureGroup = { cause: ReportFailure; count: number; agents: string[]; handled: number };

/**
 * Groups failed runs by cause, most frequent first. `counted`: failures by the counters, which outlive the records of runs; those without a
 * record are last, as `unknown`.
 */
export function groupFailures(rows: readonly FailedRuns[], counted: number): FailureGroup[] {
  const groups = new Map<ReportFailure, FailureGroup>();
  for (const { errorCode, agentName, count, handled } of rows) {
    const cause = failureCause(errorCode);
    const group = groups.get(cause) ?? { cause, count: 0, agents: [], handled: 0 };
    group.count += count;
    group.handled += handled;
    if (!group.agents.includes(agentName)) group.agents.push(agentName);
    groups.set(cause, group);
  }
  const known = [...groups.values()].toSorted((a, b) => b.count - a.count || (a.cause < b.cause ? -1 : 1));
  const unknown = counted - known.reduce((sum, { count }) => sum + count, 0);
  return unknown > 0 ? [...known, { cause: 'unknown', count: unknown, agents: [], handled: 0 }] : known;
}
