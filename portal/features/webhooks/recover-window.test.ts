import assert from 'node:assert/strict';
import { it } from 'node:test';
import { fieldTime, windowOf } from './recover-window.ts';

const now = Date.UTC(2026, 0, 5, 9, 30);

it('a preset span starts that long ago and has no end', () => {
  assert.deepEqual(windowOf({ span: 'day', since: 'ignored', until: '' }, now), { since: '2026-01-04T09:30:00.000Z' });
});

it('a custom window is parsed in the local time zone and may have no end', () => {
  const since = fieldTime(now - 3_600_000);
  assert.deepEqual(windowOf({ span: 'own', since, until: '' }, now), { since: '2026-01-05T08:30:00.000Z' });
  assert.deepEqual(windowOf({ span: 'own', since, until: fieldTime(now) }, now), {
    since: '2026-01-05T08:30:00.000Z',
    until: '2026-01-05T09:30:00.000Z',
  });
});

it('an invalid time gives no window', () => {
  assert.equal(windowOf({ span: 'own', since: '', until: '' }, now), undefined);
  assert.equal(windowOf({ span: 'own', since: fieldTime(now), until: 'soon' }, now), undefined);
});
