import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { flowFromTemplate, type FlowStep } from '@partner-portal/core/template/template.ts';
import { checkConfig, missingSettings } from '@partner-portal/core/template/settings.ts';
import { checkInput } from '@partner-portal/core/template/input.ts';
import type { Template, TemplateBundle } from '@partner-portal/core/template/types.ts';
import { DEFAULT_MODELS } from '@partner-portal/core/conversation/chatbot-defaults.ts';
import { LOCALES } from '@partner-portal/contract/locales.ts';
import { countSegments } from '@partner-portal/core/contact/segments.ts';
import { KEYWORD_ENDS } from '@partner-portal/core/contact/opt-out.ts';
import { NO_TEXT_MESSAGES } from '@partner-portal/core/contact/texting.ts';
import { NO_LONGER_RUNS } from '@partner-portal/core/execution/acceptance.ts';
import { CALL_GOES_ON } from '@partner-portal/core/execution/under-way.ts';
import { PERSON_MESSAGES } from '@partner-portal/core/provider/refusals.ts';
import { readBoolean } from '@partner-portal/core/template/read/read-boolean.ts';
import { renderSentence } from '@partner-portal/core/template/sentence.ts';
import { defaultTextsOf, findBundle, loadBundles, loadCatalog, sentenceFor, templateTextsOf } from './index.ts';
import { templateSchema } from './template-schema.ts';

const TWELVE = [
  'ai-email-triage',
  'ai-faq-reply',
  'appointment-reminder',
  'daily-sql-report',
  'lead-follow-up-email',
  'lead-intake-cleaner',
  'lead-qualifier',
  'missed-call-text-back',
  'no-show-rebooking',
  'quote-follow-up',
  'review-request',
  'weekly-insight-digest',
];

function compile(bundle: TemplateBundle): FlowStep[] {
  const { template, sources } = bundle;
  const connectionIds = Object.fromEntries(template.requiredConnections.map((provider) => [provider, `p1_c1_${provider}`]));
  const flow = flowFromTemplate(template, {
    internalApiUrl: 'http://api.internal',
    connectionIds,
    displayName: template.title,
    codeSources: sources,
    pieceVersions: { webhook: '0.1.34', http: '0.11.9' },
  });
  const steps: FlowStep[] = [];
  for (let step: FlowStep | undefined = flow.trigger; step !== undefined; step = step.nextAction) steps.push(step);
  return steps;
}

function referencesOf(value: unknown): string[] {
  return [...JSON.stringify(value).matchAll(/\{\{([^}]+)\}\}/g)].map((found) => found[1] ?? '');
}

describe('the catalog', () => {
  it('holds exactly the twelve templates', () => {
    assert.deepEqual(
      loadCatalog().map((template) => template.name),
      TWELVE,
    );
  });
  it('has typographic apostrophes in what people read', () => {
    const straight = loadCatalog().flatMap(({ name, title, summary, clientSummary, stopsWhen, inputs, config, messages, changelog }) => {
      const labels = [inputs.map(({ label, ask }) => [label, ask]), config.map(({ label, help }) => [label, help])];
      const read = JSON.stringify([title, summary, clientSummary, stopsWhen, labels, messages, changelog]);
      return [...read.matchAll(/\w+'\w+/g)].map(([word]) => `${name}: ${word}`);
    });
    assert.deepEqual(straight, []);
  });
  it('has words for what each step that computes did', () => {
    const silent = loadCatalog().flatMap(({ name, steps }) =>
      steps.filter((step) => step.kind === 'code' && step.done === undefined).map((step) => `${name}.${step.name}`),
    );
    assert.deepEqual(silent, []);
  });
  it('gives models of OpenAI that think within the limit of tokens room for their answer', () => {
    const limits = loadCatalog().flatMap(({ steps }) =>
      steps.flatMap((step) =>
        step.kind === 'http' && step.provider === 'openai' ? [Object(step.request.json).max_completion_tokens] : [],
      ),
    );
    assert.ok(limits.length >= 2);
    for (const limit of limits) assert.ok(limit >= 2_000, String(limit));
  });
  it('adds words of yes and no to answers only, and none to both', () => {
    for (const { name, inputs } of loadCatalog())
      for (const { key, type, aliases, trueWords = [], falseWords = [], trueWithin = [], states = [] } of inputs) {
        assert.ok(type === 'boolean' || trueWords.length + falseWords.length + states.length === 0, `${name}.${key}`);
        assert.ok(
          trueWithin.every((word) => word.includes(' ') || trueWords.includes(word)) && states.every((state) => aliases.includes(state)),
          `${name}.${key}`,
        );
        for (const [words, value] of [
          [trueWords, true],
          [falseWords, false],
        ] as const)
          for (const word of words) assert.deepEqual(readBoolean(word, { trueWords, falseWords }), { value }, `${name}.${key}: ${word}`);
      }
    const answered = findBundle('quote-follow-up')?.template.inputs.find(({ key }) => key === 'answered');
    assert.ok(['accepted', 'declined'].every((word) => answered?.trueWords?.includes(word)) && answered?.falseWords?.includes('pending'));
  });
  it('offers as its model one that a new installation has a rate for, as new chatbots do', () => {
    const rates = readFileSync(new URL('../service/schema/tables/ai-proxy.sql', import.meta.url), 'utf8');
    const models = loadCatalog().flatMap(({ config }) =>
      config.flatMap((setting) => (setting.type === 'model' ? [String(setting.default)] : [])),
    );
    assert.ok(models.length > 0);
    for (const model of [...models, ...Object.values(DEFAULT_MODELS)]) assert.ok(rates.includes(`', '${model}', 1, `), model);
  });
  it('is deeply frozen', () => {
    const [template] = loadCatalog();
    assert.throws(() => Object.assign(template?.sentences ?? {}, { running: 'changed' }), TypeError);
  });
  it('returns undefined for an unknown name', () => {
    assert.equal(findBundle('no-such-template'), undefined);
  });
  it('refuses choices of a setting that is no list: no form shows them', () => {
    const good = findBundle('lead-intake-cleaner')?.template;
    const config = good?.config.map(({ choices, ...setting }) =>
      choices ? { ...setting, type: 'text', default: 'name', choices } : setting,
    );
    assert.ok(templateSchema.safeParse(good).success);
    assert.ok(!templateSchema.safeParse({ ...good, config }).success);
  });
  it('refuses a template with an unknown member, a taken step name or no version', () => {
    const good: unknown = structuredClone(findBundle('missed-call-text-back')?.template);
    assert.ok(templateSchema.safeParse(good).success);
    assert.ok(!templateSchema.safeParse({ ...(good as Template), surprise: 1 }).success);
    assert.ok(!templateSchema.safeParse({ ...(good as Template), templateVersion: undefined }).success);
    const [first, ...rest] = structuredClone((good as Template).steps);
    assert.ok(!templateSchema.safeParse({ ...(good as Template), steps: [{ ...first, name: 'report' }, ...rest] }).success);
  });
});

for (const bundle of loadBundles()) {
  const { template, sample, sources } = bundle;
  describe(template.name, () => {
    it('compiles to a guarded chain that ends with outcome, answer and report at the top level', () => {
      const steps = compile(bundle);
      assert.equal(steps[0]?.type, 'PIECE_TRIGGER');
      assert.deepEqual(
        steps.slice(-3).map((step) => step.name),
        ['outcome', 'before_answer', 'report'],
      );
      assert.equal(steps.length, template.steps.length + 4);
      steps.slice(1, -3).forEach((step, index) => {
        const own = step.type === 'ROUTER' ? step.children?.[0] : step;
        assert.equal(own?.name, template.steps[index]?.name);
        if (index > 0) assert.equal(step.type, 'ROUTER', `${step.name} must be guarded`);
      });
    });
    it('lets every step continue on failure, and wraps every posted body in data', () => {
      for (const outer of compile(bundle).slice(1)) {
        const step = outer.type === 'ROUTER' ? outer.children?.[0] : outer;
        // Only the report is tried again: taking it twice changes nothing, and losing it would lose the run.
        const retryOnFailure = { value: step?.name === 'report' };
        assert.deepEqual(step?.settings['errorHandlingOptions'], { continueOnFailure: { value: true }, retryOnFailure });
        const input = step?.settings['input'];
        if (step?.type !== 'PIECE' || typeof input !== 'object' || input === null || !('method' in input) || input.method !== 'POST')
          continue;
        assert.ok('body' in input && 'body_type' in input);
        assert.equal(input.body_type, 'json');
        assert.deepEqual(Object.keys(input.body ?? {}), ['data']);
      }
    });
    it('refers only to the event, earlier steps and its own connections, in the old notation', () => {
      const earlier = new Set(['trigger']);
      for (const outer of compile(bundle)) {
        const step = outer.type === 'ROUTER' ? outer.children?.[0] : outer;
        for (const reference of referencesOf(outer.settings).concat(referencesOf(step?.settings ?? {}))) {
          assert.match(reference, /^[A-Za-z_]\w*(\.\w+)*$/, `${reference} is not a simple reference`);
          const [root = '', id = ''] = reference.split('.');
          const known =
            root === 'connections' ? template.requiredConnections.some((provider) => id === `p1_c1_${provider}`) : earlier.has(root);
          assert.ok(known, `${step?.name ?? outer.name} refers to ${reference}`);
        }
        earlier.add(step?.name ?? outer.name);
      }
    });
    it('requires exactly the connections its steps use', () => {
      const used = new Set(template.steps.map((step) => (step.kind === 'http' ? step.provider : 'code')));
      const wanted = [...used].filter((provider) => provider !== 'code');
      assert.deepEqual([...template.requiredConnections].toSorted(), (wanted.length > 0 ? wanted : ['code']).toSorted());
    });
    it('has sources for every code step, written for a bare isolate', () => {
      for (const step of template.steps) {
        if (step.kind !== 'code') continue;
        const source = sources[step.file] ?? '';
        assert.match(source, /^export const code = async \(inputs\) => \{/m);
        assert.doesNotMatch(source, /\b(import|require|process|fetch|setTimeout|globalThis)\b\s*[.(]|\{\{[\w.]+\}\}/);
      }
    });
    it('has a sample that passes its own validation', () => {
      const input = Object.fromEntries(Object.entries(sample.input));
      assert.deepEqual(checkInput(template, input), { ok: true });
      assert.deepEqual(checkConfig(template, sample.config), []);
      assert.deepEqual(missingSettings(template, sample.config), []);
      for (const key of Object.keys(sample.result)) assert.ok(key in template.result, `the result has no ${key}`);
    });
    it('has defaults of the declared type, and placeholders for known values only', () => {
      const defaults = Object.fromEntries(template.config.map((setting) => [setting.key, setting.default]));
      assert.deepEqual(checkConfig(template, defaults), []);
      const inputs = new Set(template.inputs.map((one) => one.key));
      for (const sentence of [...Object.values(template.sentences), ...Object.values(template.visitorSentences ?? {})]) {
        for (const [, path = ''] of sentence.matchAll(/\{([\w.]+)/g)) {
          const [root, key = ''] = path.split('.');
          assert.ok(
            root === 'input' ? inputs.has(key) : root === 'output' ? key === 'message' || key in template.result : path === 'error.message',
            path,
          );
        }
      }
      if (template.contactInput !== undefined) assert.ok(inputs.has(template.contactInput));
      for (const message of template.messages) assert.ok(template.steps.some((step) => step.name === message.step));
      assert.equal(template.changelog.at(-1)?.version, template.templateVersion);
    });
  });
}

describe('the texts for clients', () => {
  const values = {
    input: {},
    output: { message: 'The text was empty', label: 'billing', rows: 4, score: 80, quality: 90, verdict: 'ready' },
  };

  for (const locale of ['de', 'es'] as const)
    it(`${locale}: are complete, and every sentence of a run is written as the template of that language would`, () => {
      for (const template of loadCatalog()) {
        const texts = templateTextsOf(template, locale);
        assert.notEqual(texts.clientSummary, template.clientSummary);
        for (const status of ['RUNNING', 'SUCCEEDED', 'FAILED'] as const)
          for (const output of [null, values.output, { skipped: true, message: 'Gründe' }]) {
            const input = Object.fromEntries(template.inputs.filter(({ type }) => type === 'text').map(({ key }) => [key, 'Ada (of 100)']));
            for (const facts of [
              { input, output: status === 'SUCCEEDED' ? output : null, error: null },
              { input: {}, output: status === 'SUCCEEDED' ? output : null, error: null },
            ]) {
              const english = renderSentence(template, status, facts);
              const own = renderSentence(texts, status, facts).replace(/: [^:]*$/, (cause) => (status === 'FAILED' ? '' : cause));
              const translated = sentenceFor(locale, template.name, status, english);
              assert.notEqual(translated, english, `${template.name}: ${english}`);
              if (facts.output === null || !('verdict' in facts.output)) assert.equal(translated, own, english);
            }
          }
      }
    });

  it('agree about the quiet hours and the line that says how to opt out, which each template has a default of', () => {
    for (const key of ['quietHours', 'optOutLine'])
      for (const locale of LOCALES) {
        const defaults = loadCatalog().flatMap((template) => {
          const own = template.config.find((one) => one.key === key);
          return own === undefined ? [] : [defaultTextsOf(template, locale)[key] ?? own.default];
        });
        assert.ok(defaults.length > 4, key);
        assert.equal(new Set(defaults).size, 1, `${key} in ${locale}: ${defaults.join(' | ')}`);
      }
  });

  it('have each default text in every language, of which a text message takes two segments at most', () => {
    const texted = new Set(['message', 'smsText', 'askText']);
    const values: Record<string, string> = {
      firstName: 'Magdalena',
      businessName: 'Autohaus Bauer',
      startTime: 'Samstag, 5. Dezember um 15:00',
    };
    const valueOf = (name: string) => values[name] ?? (name === 'slots' ? 'Montag, 4. Januar um 09:00' : 'https://example.com/buchen/1024');
    for (const template of loadCatalog())
      for (const locale of LOCALES) {
        const defaults = {
          ...Object.fromEntries(template.config.map((one) => [one.key, one.default])),
          ...defaultTextsOf(template, locale),
        };
        for (const { key, default: english } of template.config) {
          if (locale !== 'en' && key in defaultTextsOf(template, locale))
            assert.notDeepEqual(defaults[key], english, `${template.name}.${key}`);
          if (!texted.has(key)) continue;
          const body = `${String(defaults[key])} ${String(defaults['optOutLine'])}`.replace(/\{(\w+)\}/g, (_, name: string) =>
            valueOf(name),
          );
          assert.ok(countSegments(body) <= 2, `${template.name}.${key} in ${locale}: ${body}`);
        }
      }
    assert.match(String(defaultTextsOf(findBundle('missed-call-text-back')?.template ?? assert.fail(), 'de')['message']), /^Leider /);
  });

  for (const [name, stored, de, es] of [
    ['ai-faq-reply', 'Handled a text from +1 312 ··· 0121', 'SMS von +1 312 ··· 0121 bearbeitet', 'SMS de +1 312 ··· 0121 atendido'],
    [
      'review-request',
      'Followed up with a customer about a review',
      'Bei einem Kunden wegen einer Bewertung nachgefragt',
      'Consulta a un cliente por una reseña',
    ],
    [
      'lead-intake-cleaner',
      'Checked a list of leads: 1 duplicates merged',
      'Liste von Anfragen geprüft, zusammengeführte Dubletten: 1',
      'Lista de contactos comprobada, duplicados combinados: 1',
    ],
  ] as const)
    it(`translate what an earlier version stored: ${stored}`, () => {
      assert.equal(sentenceFor('en', name, 'SUCCEEDED', stored), stored);
      assert.equal(sentenceFor('de', name, 'SUCCEEDED', stored), de);
      assert.equal(sentenceFor('es', name, 'SUCCEEDED', stored), es);
    });

  for (const [name, status, stored, de, es] of [
    [
      'lead-qualifier',
      'SUCCEEDED',
      'Rated a lead 85 of 100',
      'Anfrage von der Website bewertet: 85 von 100',
      'Contacto calificado (sin nombre): 85 de 100',
    ],
    ['lead-qualifier', 'RUNNING', 'Rating the lead Ada Byron', 'Bewertet die Anfrage von Ada Byron', 'Calificando el contacto Ada Byron'],
    [
      'lead-qualifier',
      'FAILED',
      'Could not rate Ada Byron: x',
      'Anfrage von Ada Byron konnte nicht bewertet werden',
      'No se pudo calificar el contacto Ada Byron',
    ],
    [
      'lead-follow-up-email',
      'FAILED',
      'Could not answer Ada Byron: x',
      'Keine Antwort an Ada Byron möglich',
      'No se pudo responder a Ada Byron',
    ],
    [
      'no-show-rebooking',
      'SUCCEEDED',
      'Offered a customer a new time',
      'Einem Kunden wurde ein neuer Termin angeboten',
      'Nueva hora ofrecida a un cliente',
    ],
  ] as const)
    it(`say of whom a run was, and not that the person did it: ${stored}`, () => {
      assert.deepEqual([sentenceFor('de', name, status, stored), sentenceFor('es', name, status, stored)], [de, es]);
    });

  for (const [status, stored, en, de, es] of [
    [
      'RUNNING',
      'Texting +1 312 ··· 0148 after a missed call',
      'Texting +1 312 ··· 0148, as asked in the chat',
      'Schreibt +1 312 ··· 0148, wie im Chat gewünscht',
      'Escribiendo a +1 312 ··· 0148, como pidió en el chat',
    ],
    [
      'SUCCEEDED',
      'Texted a caller after a missed call',
      'Texted a visitor, as asked in the chat',
      'SMS an einen Besucher, wie im Chat gewünscht',
      'SMS a un visitante, como pidió en el chat',
    ],
    [
      'FAILED',
      'Could not text +1 312 ··· 0148 after a missed call: refused: twice',
      'Could not text +1 312 ··· 0148, as asked in the chat: refused: twice',
      'Keine SMS an +1 312 ··· 0148 möglich, wie im Chat gewünscht',
      'No se pudo escribir a +1 312 ··· 0148, como pidió en el chat',
    ],
  ] as const)
    it(`name no missed call where a visitor asked for the text: ${stored}`, () => {
      const said = (['en', 'de', 'es'] as const).map((locale) => sentenceFor(locale, 'missed-call-text-back', status, stored, true));
      assert.deepEqual(said, [en, de, es]);
      assert.equal(sentenceFor('en', 'missed-call-text-back', status, stored), stored);
    });

  it('are the usual ones of a visitor’s run where the template has no others, and of one that sent nothing', () => {
    const rated = 'Rated Ada 85 of 100';
    assert.equal(sentenceFor('en', 'lead-qualifier', 'SUCCEEDED', rated, true), rated);
    assert.equal(sentenceFor('de', 'lead-qualifier', 'SUCCEEDED', rated, true), sentenceFor('de', 'lead-qualifier', 'SUCCEEDED', rated));
    const stopped = 'Did not text +1 312 ··· 0148: It is quiet hours for the business';
    assert.equal(sentenceFor('en', 'missed-call-text-back', 'SUCCEEDED', stopped, true), stopped);
  });

  it('have a word for each reason to end early, and for nothing else', () => {
    const reasons = new Set([
      'ready',
      'incomplete',
      'junk',
      ...NO_TEXT_MESSAGES,
      ...PERSON_MESSAGES,
      ...Object.values({ ...KEYWORD_ENDS, ...NO_LONGER_RUNS, CALL_GOES_ON }).map(({ message }) => message),
    ]);
    for (const { sources } of loadBundles())
      for (const source of Object.values(sources))
        for (const [, stopped, part] of source.matchAll(/stop\('[a-z_]+', '([^']+)'|\{ reason: '[a-z_]+', message: '([^']+)'/g))
          reasons.add(stopped ?? part ?? '');
    for (const locale of ['de', 'es']) {
      const file: unknown = JSON.parse(readFileSync(new URL(`parts/outcomes.${locale}.json`, import.meta.url), 'utf8'));
      assert.deepEqual(Object.keys(file as object).toSorted(), [...reasons].toSorted());
    }
  });

  it('are those of the template itself in English', () => {
    for (const template of loadCatalog()) assert.equal(templateTextsOf(template, 'en'), template);
    assert.equal(sentenceFor('de', 'no-such-template', 'RUNNING', 'Working'), 'Working');
  });
});
