import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseClock } from './clock.ts';

describe('a typed time of day', () => {
  for (const [typed, read] of [
    ['8', '08:00'],
    ['08:30', '08:30'],
    ['830', '08:30'],
    ['2030', '20:30'],
    ['20.30', '20:30'],
    [' 8:05 pm ', '20:05'],
    ['12am', '00:00'],
    ['12 pm', '12:00'],
    ['0', '00:00'],
    ['23:59', '23:59'],
  ] as const)
    it(`“${typed}” is ${read}`, () => assert.equal(parseClock(typed), read));

  for (const typed of ['', '24', '8:60', '13pm', '0am', '8:5', 'noon', '8:30:00', '-1'])
    it(`“${typed}” is none`, () => assert.equal(parseClock(typed), undefined));
});
