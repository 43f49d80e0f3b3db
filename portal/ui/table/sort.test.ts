import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ordersOf, sortRows } from './sort.ts';

const ROWS = [
  { name: 'Oak', runs: 3 },
  { name: 'elm', runs: 10 },
  { name: 'Ash', runs: 3 },
];
const VALUES = { name: (row: (typeof ROWS)[number]) => row.name, runs: (row: (typeof ROWS)[number]) => row.runs };
const namesIn = (order: string | undefined): string[] => sortRows(ROWS, order, VALUES).map(({ name }) => name);

test('numbers are sorted as numbers, names as a reader expects, and equal rows keep their places', () => {
  assert.deepEqual(namesIn('runs'), ['Oak', 'Ash', 'elm']);
  assert.deepEqual(namesIn('-runs'), ['elm', 'Oak', 'Ash']);
  assert.deepEqual(namesIn('name'), ['Ash', 'elm', 'Oak']);
  assert.deepEqual(namesIn('-name'), ['Oak', 'elm', 'Ash']);
});

test('rows stay as they are without an order, and in one that they do not have', () => {
  assert.deepEqual(namesIn(undefined), ['Oak', 'elm', 'Ash']);
  assert.deepEqual(namesIn('size'), ['Oak', 'elm', 'Ash']);
});

test('both directions of a column have a name, and the one to choose first is at the front', () => {
  assert.deepEqual(ordersOf('runs', 'descending'), [
    { name: '-runs', direction: 'descending' },
    { name: 'runs', direction: 'ascending' },
  ]);
  assert.equal(ordersOf('name', 'ascending')[0].name, 'name');
});
