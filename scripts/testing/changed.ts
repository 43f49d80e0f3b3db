import { execFileSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { dirname } from 'node:path';

/** A module of the service, for whose files all tests of the module run. */
const MODULE = /^service\/modules\/[^/]+\/[^/]+/;
/** Whole-system tests, which the quick run leaves out. */
const SYSTEM_TESTS = /^tests\//;

/** Returns the paths that differ from the merge base with main, uncommitted and untracked ones included. */
export function listChanged(root: string): string[] {
  const git = (...args: string[]): string[] =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
      .split('\n')
      .filter((line) => line !== '');
  const base = git('merge-base', 'main', 'HEAD')[0] ?? 'HEAD';
  return [...new Set([...git('diff', '--name-only', base), ...git('ls-files', '--others', '--exclude-standard')])].toSorted();
}

/** Returns the tests in the module of each changed file, or in its folder when it is in no module. */
export function selectTests(root: string, changed: readonly string[]): string[] {
  const folders = new Set(
    changed.filter((file) => file.includes('/') && !SYSTEM_TESTS.test(file)).map((file) => MODULE.exec(file)?.[0] ?? dirname(file)),
  );
  const patterns = [...folders].map((folder) => (MODULE.test(folder) ? `${folder}/**/*.test.ts` : `${folder}/*.test.ts`));
  return [...new Set(globSync(patterns, { cwd: root, exclude: (name) => name === 'node_modules' }))].toSorted();
}
