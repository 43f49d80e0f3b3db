import type { ReportFailure } from '@partner-portal/contract/vocabulary.ts';

/** Codes of our own, and of steps: the provider's name in front is left out. */
const CAUSES: readonly (readonly [ReportFailure, RegExp])[] = [
  ['connection', /_(?:key_refused|account_unknown|no_credit|sender_rejected|model_unknown)$|^(?:missing_connection|no_connection)$/],
  [
    'details',
    /_(?:number_rejected|text_empty|opted_out|unreachable_number|not_mobile|text_too_long|too_long|not_found|region_blocked)$|^(?:missing_input|invalid_input|validation_failed)$/,
  ],
  ['provider', /_(?:down|too_fast|queue_full|refused)$/],
  ['timeout', /^(?:timeout|engine_timeout)$/],
  ['not_started', /^(?:dispatch_failed|workflow_inactive|flow_outdated|engine_error|engine_limit|engine_cancelled|engine_down)$/],
];

/** Returns the kind of cause behind the error code of a run. Codes of third parties are many, and a reader needs few words. */
export function failureCause(code: string | null): ReportFailure {
  return CAUSES.find(([, pattern]) => pattern.test(code ?? ''))?.[0] ?? 'other';
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
