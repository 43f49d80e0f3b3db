import assert from 'node:assert/strict';
import { it } from 'node:test';
import { defaultTextsOf, loadCatalog } from '@partner-portal/catalog/index.ts';
import type { Locale } from '@partner-portal/contract/locales.ts';
import { customerLocale } from './customer-locale.ts';
import { fillConfig } from './settings.ts';
import type { Template } from './types.ts';

const named = (name: string): Template => loadCatalog().find((one) => one.name === name) ?? assert.fail(name);
const localeOf = (name: string, config: { [key: string]: unknown }, locale: Locale = 'de') => {
  const template = named(name);
  return customerLocale(template, fillConfig(template, config), locale, (one) => defaultTextsOf(template, one));
};

it('is that of the client once a text is the agency’s own, and English while all are those of the catalog', () => {
  assert.equal(localeOf('appointment-reminder', {}), 'en');
  assert.equal(localeOf('appointment-reminder', { smsText: '' }), 'en');
  assert.equal(localeOf('appointment-reminder', { smsText: 'Hallo {firstName}, Ihr Termin ist am {startTime}.' }), 'de');
  assert.equal(localeOf('appointment-reminder', { mailText: 'Guten Tag, Ihr Termin ist am {startTime}.', smsText: '' }), 'de');
});

it('is that of the catalog’s texts, with which an agent began, also when the client’s has changed since', () => {
  const texts = defaultTextsOf(named('appointment-reminder'), 'de');
  for (const locale of ['de', 'es', 'en'] as const) assert.equal(localeOf('appointment-reminder', texts, locale), 'de');
  assert.equal(localeOf('lead-qualifier', defaultTextsOf(named('lead-qualifier'), 'es'), 'es'), 'es');
  assert.equal(localeOf('appointment-reminder', { ...texts, smsText: 'El {startTime}' }, 'es'), 'es');
});

it('is that of the client for an agent without such texts', () => {
  assert.equal(localeOf('weekly-insight-digest', {}), 'de');
});
