import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';

const ROOT = join(import.meta.dirname, '..');
const HOOK = join(ROOT, '.githooks', 'commit-msg');
const folder = mkdtempSync(join(tmpdir(), 'commit-msg-'));
after(() => rmSync(folder, { recursive: true }));

function isAccepted(subject: string): boolean {
  const file = join(folder, 'message');
  writeFileSync(file, `${subject}\n\nThe reason.\n`);
  return spawnSync('sh', [HOOK, file]).status === 0;
}

describe('the commit-msg hook', () => {
  it('accepts a type, a module and a subject of 72 characters', () => {
    for (const subject of ['fix(executions): release the slot', 'docs: 0051 as a decision', 'feat(api)!: x', `docs: ${'ä'.repeat(66)}`])
      assert.ok(isAccepted(subject), subject);
  });

  it('accepts the subjects that git writes', () => {
    for (const subject of ['Merge room-g', 'Revert "fix(executions): release the slot"', 'fixup! docs: x'])
      assert.ok(isAccepted(subject), subject);
  });

  it('refuses another form and a longer subject', () => {
    for (const subject of ['reread: words', 'Fix the slot', 'feat: ', `docs: ${'a'.repeat(67)}`]) assert.ok(!isAccepted(subject), subject);
  });
});

describe('the pre-commit hook', () => {
  const clone = join(folder, 'clone');
  mkdirSync(clone);
  symlinkSync(join(ROOT, 'node_modules'), join(clone, 'node_modules'));
  const git = (...args: string[]) => spawnSync('git', args, { cwd: clone });
  git('init', '--quiet');

  function isAccepted(file: string, text: string): boolean {
    writeFileSync(join(clone, file), text);
    git('add', file);
    const { status } = spawnSync('sh', [join(ROOT, '.githooks', 'pre-commit')], { cwd: clone });
    git('rm', '--cached', '--quiet', file);
    return status === 0;
  }

  it('accepts formatted files and files that have no format', () => {
    assert.ok(isAccepted('formatted.ts', 'const a = 1;\n'));
    assert.ok(isAccepted('notes.txt', 'const   a=1\n'));
  });

  it('refuses a file that the formatter would change', () => {
    assert.ok(!isAccepted('unformatted.ts', 'const   a=1\n'));
  });

  it('accepts a commit that only removes files', () => {
    assert.equal(spawnSync('sh', [join(ROOT, '.githooks', 'pre-commit')], { cwd: clone }).status, 0);
  });
});
