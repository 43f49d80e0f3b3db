import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { SCHEMA_DIR } from './migrate.ts';
import { findUnfrozen } from './migration-history.ts';

const MIGRATIONS = join(SCHEMA_DIR, 'migrations');
let copy: string;

before(() => {
  copy = mkdtempSync(join(tmpdir(), 'portal-frozen-'));
  cpSync(MIGRATIONS, copy, { recursive: true });
});
after(() => rmSync(copy, { recursive: true, force: true }));

describe('migrations', () => {
  it('are as they were frozen, each under a number of its own', async () => {
    assert.deepEqual(await findUnfrozen(MIGRATIONS), []);
  });

  it('that are edited, added without a checksum, removed or numbered twice are found', async () => {
    writeFileSync(join(copy, '0001-foundation.sql'), 'select 1;');
    writeFileSync(join(copy, '0003-again.sql'), 'select 1;');
    rmSync(join(copy, '0005-agents.sql'));
    assert.deepEqual(await findUnfrozen(copy), [
      '0001-foundation: its text differs from its checksum. Restore it and add a new migration.',
      '0003-again: no checksum. Run npm run gen.',
      '0003-tenancy: its number is taken by 0003-again.',
      '0005-agents: a checksum, but no file.',
    ]);
  });
});
