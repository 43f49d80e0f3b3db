import { agentNameFor, sentenceFor } from '@partner-portal/catalog/index.ts';
import type { Locale, Role } from '@partner-portal/contract/vocabulary.ts';
import { redactCause } from '@partner-portal/core/execution/error.ts';
import { failureOf } from '@partner-portal/core/execution/failures.ts';
import { messagesFor } from '@partner-portal/messages/all.ts';
import { failureSentence } from '@partner-portal/messages/failure-sentence.ts';
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
    summary: summaryFor('en', row, row.summary, isForVisitor(row)),
    startedAt: row.startedAt,
    finishedAt: row.finishedAt,
    durationMs: row.finishedAt ? Math.max(0, row.finishedAt.getTime() - row.startedAt.getTime()) : null,
    error:
      row.errorCode === null ? null : { code: row.errorCode, message: messageOf(row.errorCode, row.errorMessage), stepName: row.errorStep },
    creditsCharged: row.creditsCharged,
    rerunOf: row.rerunOf,
    late: row.late,
    templateVersion: row.templateVersion,
    delayed: row.waitsFor !== null,
    waitsFor: row.waitsFor,
    conversationId: row.conversationId,
    stopped: row.stopped,
    tone: row.status === 'SUCCEEDED' ? (row.tone ?? (row.stopped ? 'neutral' : 'good')) : null,
  };
}

/** Returns the sentence of a run in this language; null, of one whose contents are no longer shown, becomes a sentence that says so. */
export function summaryFor(
  locale: Locale,
  { templateName, status }: { templateName: string | null; status: string },
  summary: string | null,
  isOfVisitor: boolean,
): string {
  return summary === null
    ? failureSentence(messagesFor(locale).t, 'unknown')
    : sentenceFor(locale, templateName, status, summary, isOfVisitor);
}

/** Returns the message of an error; once it is no longer shown, what its code says. */
export function messageOf(code: string, message: string | null): string {
  const { sentence, kind } = failureOf(code);
  return message ?? sentence ?? failureSentence(messagesFor('en').t, kind);
}

/** Whether a visitor of a website asked for the run. */
function isForVisitor({ source }: Pick<ExecutionRow, 'source'>): boolean {
  return source === 'chatbot';
}

/** The reader: agencies and staff read English. */
export type Reader = { role: Role; locale: Locale };

/** The same for this reader: a client reads it in their language, with the kind of cause of a failure only. */
export function toExecutionRecordFor({ role, locale }: Reader, row: ExecutionRow) {
  const run = toExecutionRecord(row);
  if (role !== 'CLIENT') return run;
  const { error, ...shown } = redactCause({ ...run, summary: row.summary ?? '' });
  return {
    ...shown,
    agentName: agentNameFor(locale, row.templateName, row.agentName),
    summary: summaryFor(locale, row, row.summary && shown.summary, isForVisitor(row)),
    error: error && { ...error, stepName: null, message: failureSentence(messagesFor(locale).t, failureOf(error.code).kind) },
  };
}
