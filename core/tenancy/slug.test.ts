import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freeSlug, slugOf } from './slug.ts';

test('a slug has only lower-case letters, digits and single hyphens for names in any script', () => {
  assert.equal(slugOf('Northwind Studio'), 'northwind-studio');
  assert.equal(slugOf('  Café & Söhne, GmbH. '), 'cafe-sohne-gmbh');
  assert.equal(slugOf('Straßenbau Groß'), 'strassenbau-gross');
  assert.equal(slugOf('Łódź'), 'lodz');
  assert.equal(slugOf('Æther Øl'), 'aether-ol');
  assert.equal(slugOf('Ελληνικά Νέα'), 'ellinika-nea');
  assert.equal(slugOf('McDonald Roofing'), 'mcdonald-roofing');
});

test('a slug has three to forty characters and ends in none but letters and digits', () => {
  assert.equal(slugOf('Q'), 'agency-q');
  assert.equal(slugOf('東京'), 'agency');
  assert.equal(slugOf(`${'a'.repeat(39)} b`), 'a'.repeat(39));
});

test('a slug that is taken gets the first number that makes it free, within forty characters', () => {
  assert.equal(freeSlug('acme', new Set()), 'acme');
  assert.equal(freeSlug('acme', new Set(['acme-2'])), 'acme');
  assert.equal(freeSlug('acme', new Set(['acme', 'acme-2', 'acme-4'])), 'acme-3');
  const long = 'a'.repeat(40);
  assert.equal(freeSlug(long, new Set([long])), `${'a'.repeat(38)}-2`);
  assert.equal(freeSlug(`${'a'.repeat(37)}-bc`, new Set([`${'a'.repeat(37)}-bc`])), `${'a'.repeat(37)}-2`);
});
