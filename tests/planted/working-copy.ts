import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { makeDataDir } from '../harness/data-folder.ts';

const ROOT = join(import.meta.dirname, '..', '..');
/** Packages of the repository: links from the copy to the copy. */
const OWN = '@partner-portal';

export type WorkingCopy = { root: string; /** For what its tests share: databases, compiled code. */ temporary: string } & Disposable;

/**
 * Copies every file that is committed or could be, as it is now, into a fresh folder with the same dependencies, which are links to those
 * installed here. Changes in the copy do not affect the original. `temporary` goes with it; it is in memory where databases of tests are.
 */
export function makeWorkingCopy(): WorkingCopy {
  // The path has no links, because programs that resolve links would not recognize it.
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'planted-')));
  // The account that runs Postgres reads its files below.
  chmodSync(root, 0o755);
  const git = (...args: string[]): string => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', maxBuffer: 64 * 2 ** 20 });
  const files = git('ls-files', '-z', '--cached', '--others', '--exclude-standard').split('\0');
  for (const file of new Set(files)) {
    if (file === '' || !existsSync(join(ROOT, file))) continue;
    mkdirSync(dirname(join(root, file)), { recursive: true });
    copyFileSync(join(ROOT, file), join(root, file));
  }
  for (const folder of ['.', 'service', 'portal']) linkModules(join(ROOT, folder, 'node_modules'), join(root, folder, 'node_modules'));
  // Some tests ask git for the committed files.
  execFileSync('git', ['init', '--quiet'], { cwd: root });
  execFileSync('git', ['add', '--all'], { cwd: root });
  const temporary = makeDataDir();
  return {
    root,
    temporary,
    [Symbol.dispose]() {
      for (const folder of [root, temporary]) rmSync(folder, { recursive: true, force: true });
    },
  };
}

function linkModules(from: string, to: string): void {
  if (!existsSync(from)) return;
  mkdirSync(to, { recursive: true });
  for (const name of readdirSync(from)) {
    if (name === '.cache' || name === OWN) continue;
    symlinkSync(join(from, name), join(to, name));
  }
  if (!existsSync(join(from, OWN))) return;
  mkdirSync(join(to, OWN));
  for (const name of readdirSync(join(from, OWN))) symlinkSync(join('..', '..', name), join(to, OWN, name));
}
