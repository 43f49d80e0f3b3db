import assert from 'node:assert/strict';
import { test } from 'node:test';
import { minutesOf, parseMinutes } from './minutes.ts';

test('minutes that are typed are read again as the same, though hours are kept in hundredths', () => {
  for (let minutes = 0; minutes <= 2400; minutes += 1) {
    const hours = parseMinutes(String(minutes), 2400);
    assert.ok(hours !== undefined && minutesOf(hours) === String(minutes), `${minutes}: ${hours}`);
  }
  assert.deepEqual(
    ['', '-1', '1.5', 'ten', '2401', ' 5 '].map((text) => parseMinutes(text, 2400)),
    [undefined, undefined, undefined, undefined, undefined, 0.08],
  );
});
