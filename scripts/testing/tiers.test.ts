import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, describe, it } from 'node:test';
import { selectFiles, TIERS, tierOf } from './tiers.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const tiers = Object.keys(TIERS);

describe('the tiers', () => {
  it('have every test file of the repository in exactly one of them, and a run without arguments has all', () => {
    const { files, unknown } = selectFiles(ROOT, []);
    assert.ok(files.length > 500);
    assert.deepEqual(unknown, []);
    const divided = tiers.map((tier) => selectFiles(ROOT, [tier]).files);
    for (const part of divided) assert.ok(part.length > 0);
    assert.deepEqual(divided.flat().toSorted(), files);
    assert.deepEqual(selectFiles(ROOT, tiers).files, files);
  });

  it('leave the browser and whole systems out of units and modules', () => {
    const fast = selectFiles(ROOT, ['unit', 'module']).files;
    assert.deepEqual(fast.filter((file) => file.startsWith('tests/') || file.endsWith('.spec.ts')), []); // prettier-ignore
    assert.throws(() => tierOf('elsewhere/a.test.ts'), /folder of no tier/);
  });
});

describe('arguments of a run', () => {
  const root = mkdtempSync(join(tmpdir(), 'portal-tiers-'));
  after(() => rmSync(root, { recursive: true, force: true }));
  const files = ['core/mail/mail.test.ts', 'core/mailer/mailer.test.ts', 'service/a.test.ts', 'tests/browser/a.spec.ts'];
  for (const file of [...files, 'core/node_modules/x.test.ts', 'core/mail/mail.ts']) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), '');
  }

  it('are tiers, folders and files, each added to the others', () => {
    assert.deepEqual(selectFiles(root, ['unit']).files, files.slice(0, 2));
    assert.deepEqual(selectFiles(root, ['core/mail']).files, files.slice(0, 1));
    assert.deepEqual(selectFiles(root, ['core/mail/', 'tests/browser/a.spec.ts', 'module']).files, [files[0], files[2], files[3]]);
    assert.deepEqual(selectFiles(root, ['.']).files, files);
  });

  it('that name no test are reported, also among others that do', () => {
    assert.deepEqual(selectFiles(root, ['unit', 'sytem', 'core/none', 'core/mail/mail.ts']).unknown, [
      'sytem',
      'core/none',
      'core/mail/mail.ts',
    ]);
  });
});
