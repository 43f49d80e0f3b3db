import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { fieldTime } from '../../ui/text/format.ts';
import { browserZone, setReaderZone } from '../../ui/text/reader.ts';
import { windowOf } from './recover-window.ts';

const now = Date.UTC(2026, 0, 5, 9, 30);

// A zone that no server uses, with an offset that is not a whole hour.
before(() => setReaderZone('Asia/Kathmandu'));
after(() => setReaderZone(browserZone()));

it('a preset span starts that long ago and has no end', () => {
  assert.deepEqual(windowOf({ span: 'day', since: 'ignored', until: '' }, now), { since: '2026-01-04T09:30:00.000Z' });
});

it('a custom window is read in the time zone of the reader’s profile and may have no end', () => {
  assert.equal(fieldTime(now), '2026-01-05T15:15');
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
