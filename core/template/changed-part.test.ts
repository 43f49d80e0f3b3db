import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { changedPart } from './changed-part.ts';

describe('the changed part of a text', () => {
  for (const [before, after, parts] of [
    ['Sorry we missed your call.', 'Sorry we missed your visit.', ['Sorry we missed your ', 'call.', 'visit.', '']],
    ['One two three', 'One three', ['One ', 'two ', '', 'three']],
    ['a a', 'a a a', ['a a', '', ' a', '']],
    ['', 'New', ['', '', 'New', '']],
    ['same', 'same', ['same', '', '', '']],
  ] as const)
    it(`from “${before}” to “${after}”`, () => {
      const { start, removed, added, end } = changedPart(before, after);
      assert.deepEqual([start, removed, added, end], parts);
      assert.deepEqual([start + removed + end, start + added + end], [before, after]);
    });
});
