import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { LOCALES } from '@partner-portal/contract/vocabulary.ts';
import { IntlMessageFormat } from 'intl-messageformat';
import { messagesFor } from './all.ts';
import { de } from './de/index.ts';
import { en } from './en/index.ts';
import { es } from './es/index.ts';
import { formatTagOf, localeOf } from './locale.ts';
import type { Catalogue, MessageKey } from './messages.ts';

const CATALOGUES: Record<string, Catalogue> = { en, de, es };
const KEYS = Object.keys(en) as MessageKey[];

/** Messages with a `count` outside a plural: their words do not change with the number. */
const SAME_FOR_ANY_COUNT: readonly MessageKey[] = [
  'account.earlier',
  'account.unreadCount',
  'client-home.fewer',
  'client-home.more',
  'client.faqNote',
  'client.filtersSet',
  'client.nextAndMore',
  'report-page.fewer',
  'report-page.handled-some',
  'report-page.more',
  'report.page',
  'ui.load-more',
  'ui.manyFields', // of two or more
  'ui.showing-first', // of a hundred
];

/** Names of the values a message takes, the plural cases it has, and whether a count stands outside them. */
function shapeOf(text: string, locale: string): { values: string[]; plurals: string[][]; hasBareCount: boolean } {
  const values = new Set<string>();
  const plurals: string[][] = [];
  let hasBareCount = false;
  const walk = (node: unknown): void => {
    if (Array.isArray(node)) for (const one of node) walk(one);
    else if (typeof node === 'object' && node !== null) {
      const { type, value, options } = node as { type: number; value?: unknown; options?: Record<string, { value: unknown }> };
      // 0 is text and 7 the # of a plural; all others name a value.
      if (type !== 0 && type !== 7 && typeof value === 'string') values.add(value);
      // 1 is a value as it is, 2 one written as a number.
      if ((type === 1 || type === 2) && value === 'count') hasBareCount = true;
      if (type === 6 && options) plurals.push(Object.keys(options).filter((name) => !name.startsWith('=')));
      if (options) for (const option of Object.values(options)) walk(option.value);
    }
  };
  walk(new IntlMessageFormat(text, locale, undefined, { ignoreTag: true }).getAst());
  return { values: [...values].toSorted(), plurals, hasBareCount };
}

describe('the messages of every language', () => {
  for (const locale of LOCALES)
    it(`${locale}: have the keys of the English ones, their values, and each plural case the language needs`, () => {
      const catalogue = CATALOGUES[locale];
      assert.ok(catalogue);
      assert.deepEqual(Object.keys(catalogue).toSorted(), KEYS.toSorted());
      const cases = new Intl.PluralRules(locale).resolvedOptions().pluralCategories;
      for (const key of KEYS) {
        const { values, plurals } = shapeOf(catalogue[key], locale);
        assert.deepEqual(values, shapeOf(en[key], 'en').values, key);
        // Spanish has a case for round millions, which reads as the general one.
        for (const found of plurals) for (const name of cases) assert.ok(name === 'many' || found.includes(name), `${key}: ${name}`);
        assert.ok(catalogue[key].trim() !== '', key);
      }
    });

  it('have a count in a plural, unless they are listed as the same for any number', () => {
    const found = LOCALES.flatMap((locale) => KEYS.filter((key) => shapeOf(CATALOGUES[locale]?.[key] ?? '', locale).hasBareCount));
    assert.deepEqual([...new Set(found)].toSorted(), SAME_FOR_ANY_COUNT.toSorted());
  });

  it('are written with their values in the language of a tag', () => {
    assert.equal(messagesFor('de-AT').t('client-home.hours', { hours: 1 }), '1 Stunde');
    assert.equal(messagesFor('es-MX').t('client-home.hours', { hours: 2.5 }), '2.5 horas');
    assert.equal(messagesFor('fr').t('client-home.hours', { hours: 1_200 }), '1,200 hours');
    assert.equal(messagesFor('es-MX').t('client.faqNote', { count: 7_512, most: 8_000 }), '7,512 de 8,000');
    assert.equal(messagesFor('de').t('client.faqNote', { count: 7_512, most: 8_000 }), '7.512 von 8.000');
    assert.throws(() => messagesFor('en').t('client-home.hours'), /hours/);
  });

  it('are sentences with one of a thing, and without the name of an agent', () => {
    const { t } = messagesFor('es');
    assert.equal(t('report.mailSaved', { count: 1, hours: 1 }), 'Sus agentes lograron 1 resultado y ahorraron cerca de 1 hora de trabajo.');
    const german = messagesFor('de').t;
    const agent = german('notifications.an-agent-now');
    assert.equal(german('notifications.text-applied', { agent }), 'Ein Agent schreibt jetzt, was Sie vorgeschlagen haben');
  });

  it('have no number typed whose form depends on the reader', () => {
    const typed = LOCALES.flatMap((locale) => KEYS.filter((key) => /\d[.,]\d/.test(CATALOGUES[locale]?.[key] ?? '')));
    assert.deepEqual([...new Set(typed)], []);
  });

  it('name each kind of data without an “and”, which the list of kinds has', () => {
    const kinds = KEYS.filter((key) => key.startsWith('trust.data-'));
    assert.ok(kinds.length > 5);
    const joined = LOCALES.flatMap((locale) => kinds.filter((key) => / (?:and|und|y) /.test(CATALOGUES[locale]?.[key] ?? '')));
    assert.deepEqual(joined, []);
  });
});

describe('the language of a tag', () => {
  it('is English where it is not offered, and keeps the region of the reader', () => {
    for (const [tag, locale, format] of [
      ['de', 'de', 'de-DE'],
      ['DE-at', 'de', 'de-AT'],
      ['es-MX', 'es', 'es-MX'],
      ['fr-FR', 'en', 'en-GB'],
      ['en-US', 'en', 'en-US'],
      ['de-§§', 'de', 'de-DE'],
      [null, 'en', 'en-GB'],
    ] as const)
      assert.deepEqual([localeOf(tag), formatTagOf(tag)], [locale, format], String(tag));
  });
});
