import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, beforeEach, describe, it } from 'node:test';
import { isNewest } from './start.ts';

const root = mkdtempSync(join(tmpdir(), 'portal-start-'));
after(() => rmSync(root, { recursive: true, force: true }));

const at = (path: string, seconds: number): void => utimesSync(join(root, path), seconds, seconds);
const isBuildUsed = (): boolean => isNewest(root, 'service/dist/packages.txt', ['service', 'lock.json']);

beforeEach(() => {
  mkdirSync(join(root, 'service', 'dist'), { recursive: true });
  for (const file of ['service/main.ts', 'service/main.test.ts', 'service/dist/packages.txt', 'lock.json']) {
    writeFileSync(join(root, file), '');
    at(file, 100);
  }
  at('service', 100);
  at('service/dist/packages.txt', 200);
});

describe('npm start', () => {
  it('runs a build that is newer than every source; changes of tests and of the build itself do not count', () => {
    at('service/main.test.ts', 300);
    at('service/dist', 300);
    assert.equal(isBuildUsed(), true);
  });

  it('runs the sources once one of them, its folder or the lock file is newer, or is gone', () => {
    for (const path of ['service/main.ts', 'service', 'lock.json']) {
      at(path, 300);
      assert.equal(isBuildUsed(), false, path);
      at(path, 100);
    }
    rmSync(join(root, 'lock.json'));
    assert.equal(isBuildUsed(), false);
  });

  it('runs the sources without a build', () => {
    rmSync(join(root, 'service/dist/packages.txt'));
    at('service', 100);
    assert.equal(isBuildUsed(), false);
  });
});
