import { agentNameFor, templateTextsOf } from '@partner-portal/catalog/index.ts';
import type { Locale, ReportFailure } from '@partner-portal/contract/vocabulary.ts';
import type { Template } from '@partner-portal/core/template/types.ts';
import { messagesFor } from '@partner-portal/messages/all.ts';
import type { Messages } from '@partner-portal/messages/messages.ts';

/** Returns the texts of a template in the reader's language; those of a template that left the catalog are general. */
export function templateTexts(template: Template | undefined, locale: Locale) {
  const own = template && templateTextsOf(template, locale);
  const { t } = messagesFor(locale);
  const { one, many } = own?.resultsPhrase ?? { one: t('report.phraseOne'), many: t('report.phraseMany') };
  return {
    title: own?.title ?? '',
    clientSummary: own?.clientSummary ?? '',
    phraseOf: (count: number): string => (count === 1 ? one : many),
  };
}

/** Returns the name of an agent for its reader; of some only the counters are left. */
export function agentName(of: { agentName: string | null; templateName: string | null }, locale: Locale): string {
  if (of.agentName === null) return messagesFor(locale).t('report.removedAgent');
  return agentNameFor(locale, of.templateName, of.agentName);
}

const FAILURE_TEXTS = {
  connection: 'report.failureConnection',
  provider: 'report.failureProvider',
  details: 'report.failureDetails',
  timeout: 'report.failureTimeout',
  not_started: 'report.failureNotStarted',
  other: 'report.failureOther',
  unknown: 'report.failureUnknown',
} as const;

/** Returns in plain words what went wrong. */
export function failureText(t: Messages['t'], cause: ReportFailure): string {
  return t(FAILURE_TEXTS[cause]);
}
