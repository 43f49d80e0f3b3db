import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { byName } from './name-order.ts';

const sorted = (names: readonly string[], tag: string): string[] => byName(names, (name) => name, tag);

describe('a list of names', () => {
  it('is in the order of the language, with its accents and capitals', () => {
    const names = ['Zoe', 'Weiß', 'anna', 'Özlem', 'von Hagen', 'Ágata', 'Anna', 'Oskar'];
    const expected = ['Ágata', 'anna', 'Anna', 'Oskar', 'Özlem', 'von Hagen', 'Weiß', 'Zoe'];
    for (const tag of ['en', 'de-AT', 'es-MX']) assert.deepEqual(sorted(names, tag), expected, tag);
    assert.deepEqual(sorted(['Núñez', 'Nuzo', 'Nunca'], 'es'), ['Nunca', 'Núñez', 'Nuzo']);
  });

  it('keeps the order of rows with the same name', () => {
    const rows = [1, 2, 3].map((id) => ({ id, name: 'Ana' }));
    assert.deepEqual(
      byName(rows, ({ name }) => name, 'de'),
      rows,
    );
  });
});
