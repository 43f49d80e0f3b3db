import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findByLetters } from './find-by-letters.ts';

const LABELS = ['Anthropic', 'Azure', 'Mistral', 'Älteste', 'Azores'];

test('letters find the option that a list of an operating system would move to', () => {
  for (const [current, letters, found] of [
    [0, 'a', 1],
    [1, 'aa', 4],
    [4, 'aaa', 0],
    [2, 'M', 2],
    [0, 'an', 0],
    [0, 'azo', 4],
    [4, 'azu', 1],
    [0, 'ä', 3],
    [0, 'x', -1],
    [0, 'ax', -1],
  ] as const)
    assert.equal(findByLetters(LABELS, current, letters), found, `${letters} at ${current}`);
  assert.equal(findByLetters([], 0, 'a'), -1);
});
