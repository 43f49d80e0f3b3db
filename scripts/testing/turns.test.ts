import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { LONG_FILES } from './durations.ts';
import { ALWAYS, chooseTurn, filesOfTurn, TURNS } from './turns.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const turns = Array.from({ length: TURNS }, (_, turn) => turn);

describe('turns of long test files', () => {
  it('run each listed file in exactly one of them, and every other file in all', () => {
    const listed = Object.keys(LONG_FILES).filter((file) => !ALWAYS.includes(file));
    assert.ok(listed.length > TURNS);
    const all = turns.flatMap((turn) =>
      filesOfTurn([...listed, ...ALWAYS, 'core/new.test.ts', 'tests/browser/new.spec.ts'], LONG_FILES, turn),
    );
    const times = (file: string): number => all.filter((one) => one === file).length;
    assert.deepEqual([...new Set(listed.map(times))], [1]);
    assert.deepEqual([...ALWAYS, 'core/new.test.ts', 'tests/browser/new.spec.ts'].map(times), [TURNS, TURNS, TURNS, TURNS]);
  });

  it('take about equally long, of the browser as of node', () => {
    for (const end of ['.spec.ts', '.test.ts']) {
      const files = Object.keys(LONG_FILES).filter((file) => file.endsWith(end) && !ALWAYS.includes(file));
      const seconds = turns.map((turn) => filesOfTurn(files, LONG_FILES, turn).reduce((sum, file) => sum + (LONG_FILES[file] ?? 0), 0));
      const longest = Math.max(...files.map((file) => LONG_FILES[file] ?? 0));
      assert.ok(Math.max(...seconds) - Math.min(...seconds) <= longest, `${end}: ${seconds.join(', ')}`);
    }
  });

  it('list files that exist', () => {
    const gone = [...Object.keys(LONG_FILES), ...ALWAYS].filter((file) => !existsSync(join(ROOT, file)));
    assert.deepEqual(gone, [], 'a long test file was renamed or removed: rename or remove its line in long-files.json, and in ALWAYS');
  });
});

describe('the turn of a run', () => {
  it('is that of its commit, the same each time; without one it has every file', () => {
    const root = mkdtempSync(join(tmpdir(), 'portal-turns-'));
    after(() => rmSync(root, { recursive: true, force: true }));
    const git = (...args: string[]): void =>
      void execFileSync('git', ['-c', 'user.name=test', '-c', 'user.email=test@portal.test', ...args], { cwd: root, stdio: 'ignore' });
    git('init');
    assert.equal(chooseTurn(root, {}), null);
    git('commit', '--allow-empty', '-m', 'first');
    const turn = chooseTurn(root, {});
    assert.ok(turn !== null && turns.includes(turn));
    assert.equal(chooseTurn(root, {}), turn);
  });

  it('is the one that is asked for, or all of them', () => {
    assert.deepEqual(
      ['1', String(TURNS), 'all'].map((wanted) => chooseTurn(ROOT, { TEST_TURN: wanted })),
      [0, TURNS - 1, null],
    );
    assert.equal(chooseTurn(ROOT, { TEST_FULL: 'true' }), null);
    for (const wanted of ['0', String(TURNS + 1), 'none', '1.5', ''])
      assert.throws(() => chooseTurn(ROOT, { TEST_TURN: wanted }), /TEST_TURN is/);
  });
});
