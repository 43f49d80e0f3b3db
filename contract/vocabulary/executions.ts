/**
 * `RUNNING` ends as `SUCCEEDED` or `FAILED` by its report, or as `FAILED` by its timeout (`timeout`) or a refused dispatch
 * (`dispatch_failed`). A late report replaces `timeout` once and is marked `late`.
 */
export const EXECUTION_STATUSES = ['RUNNING', 'SUCCEEDED', 'FAILED'] as const;
export type ExecutionStatus = (typeof EXECUTION_STATUSES)[number];

/** Orders of a list of runs. */
export const EXECUTION_ORDERS = ['newest', 'oldest'] as const;
export type ExecutionOrder = (typeof EXECUTION_ORDERS)[number];

/** What a run that succeeded means: it did what it is for, there was nothing to do, or a person has to act. */
export const RUN_TONES = ['good', 'neutral', 'attention'] as const;
export type RunTone = (typeof RUN_TONES)[number];

export const EXECUTION_SOURCES = ['ingest', 'trigger', 'schedule', 'rerun', 'chatbot', 'test'] as const;
export type ExecutionSource = (typeof EXECUTION_SOURCES)[number];

/** Frequency of a schedule. */
export const SCHEDULE_UNITS = ['hour', 'day', 'week'] as const;
export type ScheduleUnit = (typeof SCHEDULE_UNITS)[number];

/** Outcome of a schedule's last due time. */
export const SCHEDULE_OUTCOMES = ['started', 'skipped', 'looked', 'failed'] as const;
export type ScheduleOutcome = (typeof SCHEDULE_OUTCOMES)[number];

/** Effects of a schedule for an agent: starts executions, plans one per booking, or none because the agent runs on events only. */
export const SCHEDULE_KINDS = ['run', 'bookings', 'events'] as const;
export type ScheduleKind = (typeof SCHEDULE_KINDS)[number];

export const PLANNED_KINDS = ['reminder', 'nudge'] as const;

export const PLANNED_STATUSES = ['waiting', 'started', 'skipped', 'cancelled', 'missed'] as const;

export const INBOUND_OUTCOMES = ['accepted', 'refused'] as const;

/** Why reports of runs were refused, as they are counted for staff. */
export const REPORT_REFUSALS = ['bad_token', 'unknown_run', 'unreadable', 'invalid', 'too_large', 'rate_limited', 'unavailable'] as const;
export type ReportRefusal = (typeof REPORT_REFUSALS)[number];

/**
 * Why runs of a month did not work, as a report says it. `unknown`: they are counted, but their records are no longer stored.
 */
export const REPORT_FAILURES = ['connection', 'provider', 'details', 'timeout', 'not_started', 'other', 'unknown'] as const;
export type ReportFailure = (typeof REPORT_FAILURES)[number];
