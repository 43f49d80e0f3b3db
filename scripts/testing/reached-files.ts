import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

/** A file of ours that is imported by its path, at once or when it is needed. */
const IMPORTED = /(?:from|import)\s*\(?\s*'(\.[^']+\.tsx?)'/g;

/** Returns the files that these import, through others too, with the given ones; paths are relative to `root`. */
export function reachedFiles(root: string, from: readonly string[]): string[] {
  const reached = new Set<string>();
  const add = (file: string): void => {
    if (reached.has(file) || !existsSync(join(root, file))) return;
    reached.add(file);
    for (const [, path = ''] of readFileSync(join(root, file), 'utf8').matchAll(IMPORTED)) add(normalize(join(dirname(file), path)));
  };
  for (const file of from) add(file);
  return [...reached].toSorted();
}
