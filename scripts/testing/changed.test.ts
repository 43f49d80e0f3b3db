import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, describe, it } from 'node:test';
import { listChanged, selectTests } from './changed.ts';

const root = mkdtempSync(join(tmpdir(), 'portal-changed-'));
after(() => rmSync(root, { recursive: true, force: true }));

const write = (path: string, text = ''): void => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
};
const git = (...args: string[]): void =>
  void execFileSync('git', ['-c', 'user.name=test', '-c', 'user.email=test@portal.test', ...args], { cwd: root, stdio: 'ignore' });

describe('the quick run', () => {
  it('sees what was committed since main, what is uncommitted and what is untracked', () => {
    git('init', '-b', 'main');
    for (const file of ['core/a.ts', 'core/b.ts', 'core/c.ts']) write(file);
    git('add', '.');
    git('commit', '-m', 'first');
    git('checkout', '-b', 'topic');
    write('core/a.ts', 'committed');
    git('commit', '-am', 'second');
    write('core/b.ts', 'uncommitted');
    write('core/new.ts');
    assert.deepEqual(listChanged(root), ['core/a.ts', 'core/b.ts', 'core/new.ts']);
  });

  it('selects the tests of a changed module or folder, and none of the whole system', () => {
    const tests = ['core/mail/mail.test.ts', 'core/other/other.test.ts', 'service/modules/1-ledger/mail/mail.test.ts'];
    for (const file of [...tests, 'service/modules/1-ledger/mail/delivery/send.test.ts', 'tests/journeys/audit.test.ts']) write(file);
    const changed = ['README.md', 'core/mail/mail.ts', 'service/modules/1-ledger/mail/texts/invitation.ts', 'tests/journeys/audit.test.ts'];
    assert.deepEqual(selectTests(root, changed), [
      'core/mail/mail.test.ts',
      'service/modules/1-ledger/mail/delivery/send.test.ts',
      'service/modules/1-ledger/mail/mail.test.ts',
    ]);
  });
});
