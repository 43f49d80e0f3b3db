import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isRefusal } from '../refuse.ts';
import { Secret } from '../secret.ts';
import { createCursors, toPage } from './cursor.ts';
import { requireMatch } from './preconditions.ts';

const cursors = createCursors(new Secret('s'.repeat(32)));
const filters = { partnerId: 'p', status: 'FAILED', from: undefined };
const invalid = (error: unknown): boolean => isRefusal(error, 'invalid_cursor');

describe('a page marker', () => {
  it('opens under the filters it was made under, however they are ordered or paged', () => {
    const marker = cursors.seal(filters, ['2026-01-01', 'id']);
    assert.deepEqual(cursors.open({ status: 'FAILED', partnerId: 'p', limit: 5, cursor: marker }, marker), ['2026-01-01', 'id']);
    assert.equal(cursors.open(filters, undefined), null);
  });

  it('is refused under other filters, for another tenant, or when a letter was changed', () => {
    const marker = cursors.seal(filters, ['id']);
    assert.throws(() => cursors.open({ ...filters, status: 'RUNNING' }, marker), invalid);
    assert.throws(() => cursors.open({ ...filters, partnerId: 'q' }, marker), invalid);
    assert.throws(() => cursors.open(filters, `A${marker}`), invalid);
    assert.throws(() => cursors.open(filters, 'nonsense'), invalid);
  });

  it('stands at the end of a page only when there is a next one', () => {
    const seal = (position: readonly string[]): string => cursors.seal(filters, position);
    const full = toPage([{ id: 'a' }, { id: 'b' }, { id: 'c' }], 2, ({ id }) => [id], seal);
    assert.deepEqual(full.data, [{ id: 'a' }, { id: 'b' }]);
    assert.deepEqual(cursors.open(filters, full.nextCursor ?? ''), ['b']);
    assert.equal(toPage([{ id: 'a' }], 2, ({ id }) => [id], seal).nextCursor, null);
  });
});

describe('If-Match', () => {
  const updatedAt = new Date('2026-01-02T03:04:05.678Z');

  it('lets a matching, an absent and a star header pass', () => {
    for (const header of [
      undefined,
      '',
      '*',
      '"2026-01-02T03:04:05.678Z"',
      'W/"2026-01-02T03:04:05.678Z"',
      '"x", "2026-01-02T03:04:05.678Z"',
    ]) {
      requireMatch(header, updatedAt);
    }
  });

  it('refuses a record that has moved on', () => {
    assert.throws(
      () => requireMatch('"2026-01-02T03:04:05.677Z"', updatedAt),
      (error) => isRefusal(error, 'stale_record'),
    );
    assert.throws(
      () => requireMatch('"nonsense"', updatedAt),
      (error) => isRefusal(error, 'stale_record'),
    );
  });
});
