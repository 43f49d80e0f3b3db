import { templateTextsOf } from '@partner-portal/catalog/index.ts';
import type { HandoffReason, Locale } from '@partner-portal/contract/vocabulary.ts';
import type { Choice } from '@partner-portal/core/conversation/intent.ts';
import type { RunKind } from '@partner-portal/core/conversation/run-outcome.ts';
import type { TemplateInput } from '@partner-portal/core/template/types.ts';
import { messagesFor } from '@partner-portal/messages/all.ts';
import type { MessageKey } from '@partner-portal/messages/messages.ts';

const HAND_OVERS: Readonly<Record<HandoffReason, MessageKey | null>> = {
  visitor: null,
  phrase: null,
  taken_over: null,
  unsure: 'bot.unsure',
  quota: 'bot.unable',
  budget: 'bot.unable',
  failure: 'bot.failure',
};
const RUNS: Readonly<Record<RunKind, MessageKey>> = {
  succeeded: 'bot.run-done',
  failed: 'bot.run-failed',
  refused: 'bot.run-refused',
  unavailable: 'bot.run-refused',
  unknown: 'bot.run-unknown',
};

/** Labels are written for the agency: the name of "the lead" is the visitor's own. */
const askedFor = (input: TemplateInput | undefined): string | undefined => input?.ask ?? input?.label;

export type Sentences = ReturnType<typeof sentencesIn>;

/** The chatbot's sentences in a language, when no model writes them. */
export function sentencesIn(locale: Locale) {
  const { t, tag } = messagesFor(locale);
  const person = t('bot.person');
  return {
    unknown: t('bot.unknown'),
    more: t('bot.more'),
    tooManyRuns: t('bot.too-many-runs'),
    otherNumber: t('bot.other-number'),
    foreignLink: t('bot.foreign-link'),
    /** Returns the text of a hand-over. `said`: the text that the model wrote before it. */
    handOver(reason: HandoffReason, said = ''): string {
      const key = HAND_OVERS[reason];
      const why = reason === 'unsure' && said !== '' ? said : key === null ? '' : t(key);
      return why === '' ? person : `${why} ${person}`;
    },
    /** Asks for what an agent needs. */
    ask({ agent, missing }: Extract<Choice, { kind: 'ask' }>): string {
      const { inputs } = templateTextsOf(agent.template, locale);
      const labels = missing.map((key) => askedFor(inputs.find((input) => input.key === key)) ?? key);
      return t('bot.ask', { missing: new Intl.ListFormat(tag, { type: 'conjunction' }).format(labels) });
    },
    /** About a run, when the model cannot say it. The run's own summary is written for the agency. */
    run: (kind: RunKind): string => (kind === 'succeeded' ? t(RUNS[kind]) : `${t(RUNS[kind])} ${person}`),
  };
}
