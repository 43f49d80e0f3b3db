import { agentNameFor, templateTextsOf } from '@partner-portal/catalog/index.ts';
import type { Locale } from '@partner-portal/contract/vocabulary.ts';
import { phraseOf } from '@partner-portal/core/report/results.ts';
import type { Template } from '@partner-portal/core/template/types.ts';
import { messagesFor } from '@partner-portal/messages/all.ts';

/** Returns the texts of a template in the reader's language; those of a template that left the catalog are general. */
export function templateTexts(template: Template | undefined, locale: Locale) {
  const own = template && templateTextsOf(template, locale);
  const { t } = messagesFor(locale);
  const phrase = own?.resultsPhrase ?? { one: t('report.phraseOne'), many: t('report.phraseMany') };
  return {
    title: own?.title ?? '',
    clientSummary: own?.clientSummary ?? '',
    phraseOf: (count: number, isRunByChats: boolean): string => phraseOf(phrase, count, isRunByChats),
  };
}

/** Returns the name of an agent for its reader; of some only the counters are left. */
export function agentName(of: { agentName: string | null; templateName: string | null }, locale: Locale): string {
  if (of.agentName === null) return messagesFor(locale).t('report.removedAgent');
  return agentNameFor(locale, of.templateName, of.agentName);
}
