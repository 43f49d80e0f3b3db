import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findWords } from './words.ts';

test('a replaced word is found in comments, strings and names, but not inside another word', () => {
  const content = ['// Nobody waits.', `const text = 'Goods';`, 'const newsletter = intell(told);'].join('\n');
  assert.deepEqual(
    findWords('core/a.ts', content).map(({ line, word }) => [line, word]),
    [
      [1, 'nobody'],
      [2, 'goods'],
      [3, 'told'],
    ],
  );
});
