import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadCatalog } from '@partner-portal/catalog/index.ts';
import { LOCALES } from '@partner-portal/contract/vocabulary.ts';
import type { OfferedAgent } from '@partner-portal/core/conversation/intent.ts';
import { checkInput } from '@partner-portal/core/template/input.ts';
import { sentencesIn } from './sentences.ts';

const template = loadCatalog().find(({ name }) => name === 'missed-call-text-back');
assert.ok(template);
const reader = { timezone: 'UTC', countries: [], locale: 'en' } as const;
const agent: OfferedAgent = { tool: 'agent_1', workflowId: 'w', intent: 'Text me', template, addresses: [], own: {}, reader };

describe('what a chatbot says when no model says it', () => {
  it('promises a person where one is asked, in every language', () => {
    const person = {
      en: /to a person, who will reply to you here\.$/,
      de: /an einen Menschen weitergegeben, der Ihnen hier antwortet\.$/,
      es: /a una persona, que le responderá aquí\.$/,
    };
    for (const locale of LOCALES) {
      const say = sentencesIn(locale);
      for (const reason of ['visitor', 'phrase', 'unsure', 'quota', 'failure', 'taken_over'] as const)
        assert.match(say.handOver(reason), person[locale], reason);
      for (const kind of ['failed', 'refused', 'unavailable', 'unknown'] as const) assert.match(say.run(kind), person[locale], kind);
      for (const sentence of [say.run('succeeded'), say.unknown, say.tooManyRuns]) assert.doesNotMatch(sentence, person[locale]);
    }
  });

  it('keeps what the model said before it did not know, and nothing else of it', () => {
    const say = sentencesIn('de');
    assert.match(say.handOver('unsure', 'Das steht nirgends.'), /^Das steht nirgends\. Ich habe/);
    assert.doesNotMatch(say.handOver('failure', 'Das steht nirgends.'), /nirgends/);
  });

  it('asks for what an agent needs as one asks the person themselves, in the language', () => {
    const asks = (missing: string[]) => LOCALES.map((locale) => sentencesIn(locale).ask({ kind: 'ask', agent, missing }));
    assert.deepEqual(asks(['callerNumber']), [
      'Gladly. For that I still need: your phone number.',
      'Gern. Dafür brauche ich noch: Ihre Telefonnummer.',
      'Con gusto. Para eso todavía necesito: su teléfono.',
    ]);
    assert.match(asks(['callerNumber', 'businessNumber'])[1] ?? '', /Ihre Telefonnummer und Nummer des Unternehmens\.$/);
    const third = /[’']s |des Kunden|des Interessenten|des Anrufers|del cliente|del contacto|quien llama/;
    for (const one of loadCatalog()) {
      const check = checkInput(one, {});
      const missing = check.ok ? [] : check.missing.map(({ key }) => key);
      for (const locale of LOCALES)
        assert.doesNotMatch(sentencesIn(locale).ask({ kind: 'ask', agent: { ...agent, template: one }, missing }), third, one.name);
    }
  });
});
