import type { Role } from '@partner-portal/contract/vocabulary.ts';
import { redactCause } from '@partner-portal/core/execution/error.ts';
import type { ExecutionRow } from './store.ts';

/** Returns an execution as the contract's executionRow. */
export function toExecutionRecord(row: ExecutionRow) {
  return {
    id: row.id,
    workflowId: row.workflowId,
    agentName: row.agentName,
    partnerId: row.partnerId,
    clientId: row.clientId,
    clientName: row.clientName,
    status: row.status,
    source: row.source,
    summary: row.summary,
    startedAt: row.startedAt,
    finishedAt: row.finishedAt,
    durationMs: row.finishedAt ? Math.max(0, row.finishedAt.getTime() - row.startedAt.getTime()) : null,
    error: row.errorCode === null ? null : { code: row.errorCode, message: row.errorMessage ?? '', stepName: row.errorStep },
    creditsCharged: row.creditsCharged,
    rerunOf: row.rerunOf,
    late: row.late,
    templateVersion: row.templateVersion,
    delayed: row.delayed,
  };
}

/** The same for this reader: a client does not see the cause of a failure. */
export function toExecutionRecordFor(reader: { role: Role }, row: ExecutionRow) {
  const run = toExecutionRecord(row);
  return reader.role === 'CLIENT' ? redactCause(run) : run;
}
