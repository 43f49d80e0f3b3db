import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findWords } from './words.ts';

const found = (file: string, ...lines: string[]): (string | number)[][] =>
  findWords(file, lines.join('\n')).map(({ line, word }) => [line, word]);

test('a replaced word is found in comments, strings and names, but not inside another word', () => {
  assert.deepEqual(found('core/a.ts', '// Nobody waits.', `const text = 'Goods';`, 'const newsletter = intell(told);'), [
    [1, 'nobody'],
    [2, 'goods'],
    [3, 'told'],
  ]);
});

test('an opening that hides the subject is found at the start of a sentence of a comment, a title or a page, and nowhere else', () => {
  assert.deepEqual(found('core/a.ts', '/** Runs again. Of fewer runs, none. */', '// The sum of runs', `const of = 'Of runs';`), [
    [1, 'of fewer'],
  ]);
  assert.deepEqual(found('core/a.test.ts', `  it('What was refused is tried again', () => {`, `  it('says what was refused', () => {`), [
    [1, 'what was'],
  ]);
  assert.deepEqual(found('docs/a.md', '- **One that waits** is late.', '- The one that waits is late.'), [[1, 'one that']]);
});

test('a word replaced in prose stays in strings and names', () => {
  assert.deepEqual(found('portal/a.ts', `const place = 'beside'; // Stands beside the field`, `const beside = 1;`), [[1, 'beside']]);
});

test('a page is held to the words of its own, except where it quotes titles of tests', () => {
  assert.deepEqual(found('docs/a.md', 'Nobody waits, whatever happens. It tells both apart.'), [
    [1, 'nobody'],
    [1, 'whatever'],
  ]);
  assert.deepEqual(found('docs/behaviour/coverage.md', '| A-1 | a.test.ts | nobody waits |'), []);
});

test('texts have one spelling, ID, no space before the percent sign and typographic apostrophes, in quotes and between tags', () => {
  assert.deepEqual(
    found(
      'portal/features/a.tsx',
      `<Field label="The color of your logo" hint="Send us the request id.">`,
      "  It shows at most 12 % of it, in the owner's language",
      `<Row to={id} title={'the color'.length} style={{ color: 'var(--color-ink)' }} kind="a b" />`,
      `rows.map(({ id }) => id); // the id of a row`,
    ),
    [
      [1, 'color'],
      [1, 'id'],
      [2, '2 %'],
      [2, "'"],
      [3, 'color'],
    ],
  );
  assert.deepEqual(found('messages/de/a.ts', `  'a.b': 'Höchstens 12 % davon',`), []);
  assert.deepEqual(found('portal/features/a.tsx', `<Field label="The colour of 12% of it" hint="Your agency’s request ID">`), []);
});
