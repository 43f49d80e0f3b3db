import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..', '..');
const OWN = '@partner-portal';

/** The sources of another version in a folder of their own, with the packages that are installed here. */
export type VersionBefore = { revision: string; dir: string; remove(): void };

/**
 * Returns the version that PREVIOUS_VERSION names, a tag or a commit, or why there is none to try: the reason is also written where skipped tests are only
 * counted.
 */
export function findVersionBefore(): { revision: string } | { skip: string } {
  const revision = process.env['PREVIOUS_VERSION'];
  if (revision) return { revision };
  const [newest] = git('tag', '--list', 'v*', '--sort=-version:refname').split('\n').filter(Boolean);
  const how = newest === undefined ? 'this repository has no tag of a version yet' : `PREVIOUS_VERSION=${newest} runs its service`;
  const skip = `The version before was NOT tried: ${how}.`;
  process.stderr.write(`${skip}\n`);
  return { skip };
}

/** Puts the files of a revision into a folder. Refuses one that needs other packages than those that are installed. */
export function checkOut(revision: string): VersionBefore {
  const lock = 'package-lock.json';
  if (git('show', `${revision}:${lock}`) !== readFileSync(join(ROOT, lock), 'utf8'))
    throw new Error(`${revision} needs other packages: run its service from a clone with \`npm ci\`, and compare ${lock}.`);
  const dir = mkdtempSync(join(tmpdir(), 'portal-before-'));
  const archive = execFileSync('git', ['archive', revision], { cwd: ROOT, maxBuffer: 1024 ** 3 });
  execFileSync('tar', ['-x', '-C', dir], { input: archive });
  for (const folder of ['.', ...readdirSync(dir)]) linkPackages(join(ROOT, folder, 'node_modules'), join(dir, folder, 'node_modules'), dir);
  return { revision, dir, remove: () => rmSync(dir, { recursive: true, force: true }) };
}

/** Links each installed package, but those of this repository to the other version's. */
function linkPackages(from: string, to: string, dir: string): void {
  if (!existsSync(from)) return;
  mkdirSync(to);
  for (const name of readdirSync(from)) {
    if (name !== OWN) {
      symlinkSync(join(from, name), join(to, name));
      continue;
    }
    mkdirSync(join(to, OWN));
    for (const own of readdirSync(join(from, OWN))) symlinkSync(join(dir, own), join(to, OWN, own));
  }
}

function git(...args: string[]): string {
  return execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', maxBuffer: 1024 ** 3 });
}
