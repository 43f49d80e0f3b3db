import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { findUnfrozenTables } from './baseline.ts';
import { SCHEMA_DIR } from './migrate.ts';
import { findUnfrozen, freezeMigrations } from './migration-history.ts';

let copy: string;

beforeEach(() => {
  copy = mkdtempSync(join(tmpdir(), 'portal-frozen-'));
});
afterEach(() => rmSync(copy, { recursive: true, force: true }));

describe('migrations', () => {
  it('are as they were frozen, each under a number of its own', async () => {
    assert.deepEqual(await findUnfrozen(join(SCHEMA_DIR, 'migrations')), []);
  });

  it('that are edited, added without a checksum, removed or numbered twice are found', async () => {
    for (const name of ['0001-first', '0002-second', '0003-third']) writeFileSync(join(copy, `${name}.sql`), `select '${name}';`);
    writeFileSync(join(copy, 'history.json'), await freezeMigrations(copy));
    assert.deepEqual(await findUnfrozen(copy), []);
    writeFileSync(join(copy, '0001-first.sql'), 'select 1;');
    writeFileSync(join(copy, '0002-again.sql'), 'select 1;');
    rmSync(join(copy, '0003-third.sql'));
    assert.deepEqual(await findUnfrozen(copy), [
      '0001-first: its text differs from its checksum. Restore it and add a new migration.',
      '0002-again: no checksum. Run npm run gen.',
      '0002-second: its number is taken by 0002-again.',
      '0003-third: a checksum, but no file.',
    ]);
  });
});

describe('the tables of a new database', () => {
  it('are as they were frozen, and each file has its place in the order', async () => {
    assert.deepEqual(await findUnfrozenTables(SCHEMA_DIR), []);
  });

  it('that are edited, or in a file without a place, are found', async () => {
    cpSync(SCHEMA_DIR, copy, { recursive: true });
    writeFileSync(join(copy, 'tables', 'more.sql'), 'create table more (id int);');
    writeFileSync(join(copy, 'tables', 'events.sql'), 'create table event (id int);');
    assert.deepEqual(await findUnfrozenTables(copy), [
      'tables/more.sql: not in the order of baseline.json.',
      'tables/: the text differs from the checksum in baseline.json. Restore it and add a migration.',
    ]);
  });
});
