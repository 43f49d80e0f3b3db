import type { Role } from '@partner-portal/contract/vocabulary.ts';
import { redactCause } from '@partner-portal/core/execution/error.ts';
import type { RunRow } from './store.ts';

/** A run as the contract's executionRow. */
export function runAnswer(row: RunRow) {
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

/** The same for whoever asks: a client is not told the cause of a failure. */
export function runAnswerFor(reader: { role: Role }, row: RunRow) {
  const run = runAnswer(row);
  return reader.role === 'CLIENT' ? redactCause(run) : run;
}
