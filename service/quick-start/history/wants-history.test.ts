import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { wantsHistory } from './wants-history.ts';

test('a past is made where it was asked for, as npm start does, and never in production', () => {
  assert.equal(wantsHistory(['--with-history'], { isProduction: false }), true);
  assert.equal(wantsHistory(['--with-history'], { isProduction: true }), false);
  for (const isProduction of [true, false]) for (const args of [[], ['--empty']]) assert.equal(wantsHistory(args, { isProduction }), false);
  const { scripts } = JSON.parse(readFileSync(join(import.meta.dirname, '..', '..', '..', 'package.json'), 'utf8')) as {
    scripts: { start: string };
  }; // ours
  assert.match(scripts.start, /scripts\/start\.ts --with-history$/);
});
