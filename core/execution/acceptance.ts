import { type ErrorCode, ERRORS } from '@partner-portal/contract/errors.ts';

/**
 * The checks of an event before it becomes an execution, by name and in their order. The SQL function `accept_executions` makes them, under its locks; what is
 * wrong with a body is found here. Rules: docs/behaviour/executions.md.
 */

/** Why the body of an event cannot be used. It is checked last, so that a broken body says nothing about an account. */
export const BODY_PROBLEMS = [
  'malformed_json',
  'too_large',
  'unsupported_media_type',
  'validation_failed',
  'missing_input',
  'invalid_input',
] as const;
export type BodyProblem = (typeof BODY_PROBLEMS)[number];

/** The checks in their order; the first that applies decides. `replayed` is no refusal: the key was used before, and its first answer holds. */
export const ACCEPT_CHECKS = [
  'not_found',
  'replayed',
  'idempotency_key_reused',
  'account_suspended',
  'workflow_inactive',
  'rate_limited',
  'quota_exceeded',
  'failures_exceeded',
  'body_problem',
  'chat_budget_exceeded',
] as const;
type Check = (typeof ACCEPT_CHECKS)[number];
export type AcceptDecision = 'accepted' | Exclude<Check, 'body_problem'> | BodyProblem;

/** HTTP statuses of what the inbound log keeps, by outcome: those of the error codes with which the outcomes are answered, and of a repeat. */
export const LOGGED_STATUSES: { readonly [outcome: string]: number } = {
  ...Object.fromEntries(
    [...ACCEPT_CHECKS, ...BODY_PROBLEMS].flatMap((outcome) => (outcome in ERRORS ? [[outcome, ERRORS[outcome as ErrorCode].status]] : [])),
  ),
  failures_exceeded: ERRORS.rate_limited.status,
  replayed: 202,
};

/**
 * How a run ends whose agent may no longer run when its turn comes, by the check that refuses events since then, or whose quote was answered, or visit cancelled
 * or moved, by a later event: nothing of it is sent, and it costs nothing. The latter in the words of the flows, where they have any.
 */
export const NO_LONGER_RUNS = {
  account_suspended: { reason: 'account_suspended', message: 'The account was not active' },
  workflow_inactive: { reason: 'workflow_inactive', message: 'The agent was switched off' },
  answered: { reason: 'answered', message: 'The quote has been answered' },
  booking_cancelled: { reason: 'booking_cancelled', message: 'The booking was cancelled' },
  moved: { reason: 'moved', message: 'The visit was moved' },
} as const;

const REFUSED_FOR_ALL: readonly string[] = [
  'not_found',
  'account_suspended',
  'workflow_inactive',
  'quota_exceeded',
  'failures_exceeded',
  'chat_budget_exceeded',
];

/** Returns whether a refusal of one event of a workflow holds for the next ones as well, regardless of content and pace. */
export function isRefusedForAll(outcome: string): boolean {
  return REFUSED_FOR_ALL.includes(outcome);
}

/** Returns whether this outcome is decided before the rate limit, so that the event does not count against it. */
export function isDecidedBeforeRate(outcome: string): boolean {
  const checks: readonly string[] = ACCEPT_CHECKS.slice(0, ACCEPT_CHECKS.indexOf('rate_limited'));
  return checks.includes(outcome);
}

/** Returns the problem of a body: one found while reading it, then its nesting and size, then what the template misses in it, then what cannot be understood. */
export function bodyProblemOf(body: {
  unreadable: BodyProblem | null;
  isTooDeep: boolean;
  isTooLarge: boolean;
  missing: number;
  invalid?: number;
}): BodyProblem | null {
  if (body.unreadable !== null) return body.unreadable;
  if (body.isTooDeep) return 'validation_failed';
  if (body.isTooLarge) return 'too_large';
  if (body.missing > 0) return 'missing_input';
  return (body.invalid ?? 0) > 0 ? 'invalid_input' : null;
}
