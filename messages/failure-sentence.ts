import type { ReportFailure } from '@partner-portal/contract/vocabulary.ts';
import type { MessageKey, Messages } from './messages.ts';

const SENTENCES: Readonly<Record<ReportFailure, MessageKey>> = {
  connection: 'report.failureConnection',
  provider: 'report.failureProvider',
  details: 'report.failureDetails',
  timeout: 'report.failureTimeout',
  not_started: 'report.failureNotStarted',
  other: 'report.failureOther',
  unknown: 'report.failureUnknown',
};

/** Returns in plain words what went wrong, for a client: in its activity and in its monthly report. */
export function failureSentence(t: Messages['t'], kind: ReportFailure): string {
  return t(SENTENCES[kind]);
}
