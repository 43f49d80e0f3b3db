import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { time } from './primitives.ts';

describe('a time', () => {
  for (const value of ['2026-03-01T10:00:00Z', '2026-03-01T10:00:00.123Z', '0001-01-01T00:00:00Z', '9999-12-31T23:59:59Z', '2026-03-01T10:00:00+14:00', '2026-03-01T10:00:00-12:00']) {
    it(`${value} is one`, () => assert.ok(time.safeParse(value).success));
  }
  for (const value of ['0000-01-01T00:00:00Z', '2026-03-01T10:00:00+23:59', '2026-03-01T10:00:00-15:00', '2026-02-30T10:00:00Z', '2026-03-01', '']) {
    it(`${JSON.stringify(value)} is none`, () => assert.ok(!time.safeParse(value).success));
  }
});
