import type { ExecutionStatus } from '@partner-portal/contract/vocabulary.ts';

/**
 * Model of the SQL function `finish_executions`, which applies an end under its locks; transition.test.ts of the executions module compares the two. The life of an
 * execution:
 *
 *   RUNNING → SUCCEEDED | FAILED           by its report
 *   RUNNING → FAILED                       by the service: `timeout`, or `dispatch_failed` when the engine does not take it
 *   FAILED `timeout` → SUCCEEDED | FAILED  by a late report, once, marked `late`
 */
export type ExecutionState = { status: ExecutionStatus; errorCode: string | null; late: boolean; creditsHeld: number };
export type ExecutionEnd = { status: 'SUCCEEDED' | 'FAILED'; by: 'report' | 'service'; skipped?: boolean };

export type EndEffects = {
  status: 'SUCCEEDED' | 'FAILED';
  late: boolean;
  /** Credits that this end charges. */
  charged: number;
  /** Held credits that this end frees; a corrected execution freed them when it timed out. */
  freed: number;
  /** Ended early on purpose, as a succeeded run says by `skipped`. */
  stopped: boolean;
};

/** Returns what an end changes, or null when it changes nothing. */
export function endExecution(current: ExecutionState, end: ExecutionEnd): EndEffects | null {
  const late = current.status !== 'RUNNING';
  const isCorrection = current.status === 'FAILED' && current.errorCode === 'timeout' && !current.late && end.by === 'report';
  if (late && !isCorrection) return null;
  const hasSucceeded = end.status === 'SUCCEEDED';
  return {
    status: end.status,
    late,
    charged: hasSucceeded ? current.creditsHeld : 0,
    freed: late ? 0 : current.creditsHeld,
    stopped: hasSucceeded && end.skipped === true,
  };
}
