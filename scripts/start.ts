import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * `npm start`: runs the files of `npm run build:service` where they are newer than every source, which loads in half the time, and the sources
 * otherwise: who changes the code never runs an old build.
 */
const ROOT = join(import.meta.dirname, '..');
/** Written last by the build. */
const BUILT = join('service', 'dist', 'packages.txt');
/** What the build reads: the packages of the service, and the versions of others. */
const SOURCES = [
  'contract',
  'messages',
  'core',
  'catalog',
  'engine',
  'sandbox',
  'service',
  'scripts/bundle-service.ts',
  'package-lock.json',
];

/** Whether `file` exists and was written after everything in `sources`, folders included: these change when a file is removed. Tests do not count. */
export function isNewest(root: string, file: string, sources: readonly string[]): boolean {
  if (!existsSync(join(root, file))) return false;
  const writtenAt = statSync(join(root, file)).mtimeMs;
  const isOlder = (path: string): boolean => {
    const found = statSync(path, { throwIfNoEntry: false });
    if (found === undefined || found.mtimeMs >= writtenAt) return false;
    if (!found.isDirectory()) return true;
    return readdirSync(path, { withFileTypes: true }).every(
      ({ name }) => name === 'node_modules' || name === 'dist' || name.endsWith('.test.ts') || isOlder(join(path, name)),
    );
  };
  return sources.every((source) => isOlder(join(root, source)));
}

/** Whether the files of the build are those of the sources as they are. */
export const isServiceBuilt = (): boolean => isNewest(ROOT, BUILT, SOURCES);

/** Returns the file that starts the service. */
export function findServiceMain(): string {
  return join(ROOT, 'service', ...(isServiceBuilt() ? ['dist', 'portal.js'] : ['main.ts']));
}

if (import.meta.main) await import(pathToFileURL(findServiceMain()).href);
