import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { joinPair, pairOf } from './time-pair.ts';

describe('a range of times', () => {
  it('is one text, empty where neither time is set', () => {
    assert.deepEqual([joinPair(['21:00', '08:00']), joinPair(['21:00', '']), joinPair(['', ''])], ['21:00-08:00', '21:00-', '']);
    assert.deepEqual(
      [pairOf('21:00-08:00', ['', '']), pairOf('', ['', ''])],
      [
        ['21:00', '08:00'],
        ['', ''],
      ],
    );
  });

  it('keeps a hyphen in the time where it was typed, and gives way to another text', () => {
    const typed = ['9-17', '18:00'] as const;
    assert.deepEqual(pairOf(joinPair(typed), typed), typed);
    assert.deepEqual(pairOf('21:00-08:00', typed), ['21:00', '08:00']);
  });
});
