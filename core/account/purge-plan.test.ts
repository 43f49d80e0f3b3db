import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type CatalogueIndex, chooseWalk, type ForeignKey, orderTables, rangesOf } from './purge-plan.ts';

const key = (table: string, references: string, more: Partial<ForeignKey> = {}): ForeignKey => ({
  table,
  columns: [`${references}_id`],
  references,
  setsNull: false,
  isNullable: false,
  ...more,
});
const none = (): number => 0;

describe('the order of tables', () => {
  it('puts a row behind those that refer to it', () => {
    const keys = [key('line', 'invoice'), key('invoice', 'account'), key('line', 'product')];
    assert.deepEqual(orderTables(['account', 'invoice', 'line', 'product'], keys, [], none).order, [
      'line',
      'invoice',
      'account',
      'product',
    ]);
  });

  it('empties references first where tables refer to each other', () => {
    const keys = [key('flow', 'version', { isNullable: true }), key('version', 'flow')];
    const { order, cut } = orderTables(['flow', 'version'], keys, [], none);
    assert.deepEqual(cut, [{ table: 'flow', columns: ['version_id'] }]);
    assert.deepEqual(order, ['version', 'flow']);
  });

  it('needs no cut where a reference sets itself to null', () => {
    const keys = [
      key('image', 'person', { setsNull: true, isNullable: true }),
      key('person', 'image', { setsNull: true, isNullable: true }),
    ];
    assert.deepEqual(orderTables(['image', 'person'], keys, [], none), { order: ['image', 'person'], cut: [] });
  });

  it('throws for a circle that nothing opens', () => {
    assert.throws(() => orderTables(['a', 'b'], [key('a', 'b'), key('b', 'a')], [], none), /circle: a, b/);
  });

  it('follows other reasons, then the rank', () => {
    assert.deepEqual(orderTables(['a', 'b', 'c'], [], [['c', 'a']], (table) => (table === 'b' ? 0 : 1)).order, ['b', 'c', 'a']);
  });
});

const index = (name: string, columns: string, more: Partial<CatalogueIndex> = {}): CatalogueIndex => ({
  name,
  isUnique: false,
  isPartial: false,
  columns: columns.split(' ').map((column) => ({
    name: column.replace(/[-?]/g, ''),
    descending: column.startsWith('-'),
    notNull: !column.endsWith('?'),
  })),
  ...more,
});
const table = (...indexes: CatalogueIndex[]) => ({ name: 't', columns: [], partitions: null, indexes });
const primary = index('t_pkey', 'id', { isUnique: true });

describe('the index that finds the rows of an account', () => {
  it('is the one that compares most, and names each row once', () => {
    const found = chooseWalk(table(primary, index('a', 'partner_id kind'), index('b', 'partner_id -id')), ['partner_id']);
    assert.deepEqual(found, { index: 'b', equal: ['partner_id'], columns: ['id'], descending: [true], isUnique: true });
    const both = chooseWalk(table(primary, index('b', 'partner_id -id'), index('c', 'partner_id client_id? -id')), [
      'partner_id',
      'client_id',
    ]);
    assert.equal(both?.index, 'c');
  });

  it('keeps a place only in columns that are never null, whichever way they go', () => {
    const found = chooseWalk(table(primary, index('a', 'partner_id lane -id')), ['partner_id']);
    assert.deepEqual([found?.columns, found?.descending, found?.isUnique], [['lane', 'id'], [false, true], true]);
    assert.deepEqual(chooseWalk(table(index('a', 'partner_id contact?')), ['partner_id'])?.columns, []);
  });

  it('is none without an index that starts with the account, and a partial one only by name', () => {
    assert.equal(chooseWalk(table(primary), ['partner_id']), undefined);
    const partial = index('waiting', 'partner_id id', { isPartial: true });
    assert.equal(chooseWalk(table(primary, partial), ['partner_id']), undefined);
    assert.equal(chooseWalk(table(primary, partial), ['partner_id'], 'waiting')?.index, 'waiting');
  });
});

it('the ranges of a partitioned table cover all of it, each in one partition', () => {
  assert.deepEqual(rangesOf([]), [{ from: null, to: null }]);
  assert.deepEqual(rangesOf(['b', 'c', 'a', 'b']), [
    { from: null, to: 'a' },
    { from: 'a', to: 'b' },
    { from: 'b', to: 'c' },
    { from: 'c', to: null },
  ]);
});
