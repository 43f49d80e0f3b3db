import assert from 'node:assert/strict';
import { it } from 'node:test';
import { loadCatalog } from '@partner-portal/catalog/index.ts';
import { customerLocale } from './customer-locale.ts';
import { fillConfig } from './settings.ts';
import type { Template } from './types.ts';

const named = (name: string): Template => loadCatalog().find((one) => one.name === name) ?? assert.fail(name);
const localeOf = (name: string, config: { [key: string]: string }) => customerLocale(named(name), fillConfig(named(name), config), 'de');

it('is that of the client once a text is the agency’s own, and English while all are those of the catalog', () => {
  assert.equal(localeOf('appointment-reminder', {}), 'en');
  assert.equal(localeOf('appointment-reminder', { smsText: '' }), 'en');
  assert.equal(localeOf('appointment-reminder', { smsText: 'Hallo {firstName}, Ihr Termin ist am {startTime}.' }), 'de');
  assert.equal(localeOf('appointment-reminder', { mailText: 'Guten Tag, Ihr Termin ist am {startTime}.', smsText: '' }), 'de');
});

it('is that of the client for an agent without such texts', () => {
  assert.equal(localeOf('weekly-insight-digest', {}), 'de');
});
