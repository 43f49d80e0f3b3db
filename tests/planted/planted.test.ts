import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { FAULTS } from './faults.ts';

const ROOT = join(import.meta.dirname, '..', '..');

// Planting them takes minutes: `node tests/planted/run.ts`, by hand and before a release.
describe('the planted faults', () => {
  it('are at least fifty, each with a name of its own', () => {
    assert.ok(FAULTS.length >= 50, `${FAULTS.length}`);
    assert.equal(new Set(FAULTS.map(({ name }) => name)).size, FAULTS.length);
  });

  it('can be planted: each names a text that its file has once, and tests that exist', () => {
    const stale = FAULTS.filter(
      ({ file, find, replace }) => find === replace || readFileSync(join(ROOT, file), 'utf8').split(find).length !== 2,
    );
    assert.deepEqual(stale.map(({ name }) => name), []); // prettier-ignore
    const gone = FAULTS.flatMap(({ foundBy }) => foundBy).filter((test) => !existsSync(join(ROOT, test)));
    assert.deepEqual(gone, []);
  });
});
