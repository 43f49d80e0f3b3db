import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { applyFilter, areSame, filtersIn } from './filter-values.ts';

const KEYS = ['health', 'q', 'client'];

describe('a saved filter', () => {
  it('holds the filters of the address and nothing that is open', () => {
    assert.deepEqual(filtersIn({ health: 'failing', q: undefined, entry: 'x' }, KEYS), { health: 'failing' });
  });
  it('is recognised in any order, and a number as its text', () => {
    assert.ok(areSame({ q: '12', health: 'ok' }, { health: 'ok', q: 12 }));
    assert.ok(!areSame({ q: '12' }, { q: '12', health: 'ok' }));
    assert.ok(!areSame({ q: '12' }, { health: '12' }));
  });
  it('replaces the other filters, and keeps the chosen client unless it names one', () => {
    assert.deepEqual(applyFilter({ q: 'old', client: 'a', entry: 'x' }, { health: 'ok' }, KEYS), { client: 'a', health: 'ok' });
    assert.deepEqual(applyFilter({ client: 'a' }, { client: 'b' }, KEYS), { client: 'b' });
    assert.deepEqual(applyFilter({}, { health: 'ok', unknown: 'x' }, KEYS), { health: 'ok' });
  });
});
