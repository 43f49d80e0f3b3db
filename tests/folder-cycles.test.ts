import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, it } from 'node:test';

/** Within a module the folders depend on each other in one direction: what two of them share is one level up. */

const MODULES = join(import.meta.dirname, '..', 'service', 'modules');
const modules = globSync('*/*', { cwd: MODULES });

/** Imports that run and those of types alone, of the module's own files. */
const IMPORT = /from '(\.{1,2}\/[^']+)'/g;

/** Files that put the parts of a module together, and the types of what they are given: they know all folders, and folders only `deps.ts`. */
const COMPOSING = new Set(['index.ts', 'routes.ts', 'deps.ts']);

/** The first folder of a file within its module. A file outside folders counts by itself, so that no circle leads over what folders share. */
const partOf = (file: string): string | null => (COMPOSING.has(file) ? null : (file.split('/')[0] ?? null));

/** Which folders and shared files import which, by the files of a module and their texts. */
function edgesOf(files: ReadonlyMap<string, string>): Map<string, Map<string, string>> {
  const edges = new Map<string, Map<string, string>>();
  for (const [file, text] of files)
    for (const [, path = ''] of text.matchAll(IMPORT)) {
      const [from, to] = [partOf(file), partOf(relative('.', join(dirname(file), path)))];
      if (from === null || to === null || from === to || to === '..') continue;
      edges.set(from, (edges.get(from) ?? new Map<string, string>()).set(to, `${file} imports ${path}`));
    }
  return edges;
}

/** Returns the imports of the first circle of folders that is found. */
function circleOf(edges: ReadonlyMap<string, ReadonlyMap<string, string>>): string[] {
  const walk = (folder: string, path: readonly string[], reasons: readonly string[]): string[] => {
    const at = path.indexOf(folder);
    if (at >= 0) return reasons.slice(at);
    for (const [next, reason] of edges.get(folder) ?? []) {
      const found = walk(next, [...path, folder], [...reasons, reason]);
      if (found.length > 0) return found;
    }
    return [];
  };
  for (const folder of edges.keys()) {
    const found = walk(folder, [], []);
    if (found.length > 0) return found;
  }
  return [];
}

describe('the folders of a module', () => {
  for (const module of modules) {
    const names = globSync('**/*.ts', { cwd: join(MODULES, module) }).filter((file) => !/(?:^|\/)test-|\.test\.ts$/.test(file));
    if (!names.some((file) => file.includes('/'))) continue;
    const edges = edgesOf(new Map(names.map((file) => [file, readFileSync(join(MODULES, module, file), 'utf8')])));
    it(`import each other in one direction: ${module}`, () => assert.deepEqual(circleOf(edges), []));
  }

  it('would be found importing each other', () => {
    const files = new Map([
      ['a/x.ts', `import { y } from '../b/y.ts';`],
      ['b/y.ts', `import type { Z } from '../c/z.ts';`],
      ['c/z.ts', `import { x } from '../a/x.ts';`],
    ]);
    assert.equal(circleOf(edgesOf(files)).length, 3);
    files.set('c/z.ts', `import { q } from '../q.ts';`);
    assert.deepEqual(circleOf(edgesOf(files)), []);
    files.set('q.ts', `import { x } from './a/x.ts';`);
    assert.equal(circleOf(edgesOf(files)).length, 4);
  });
});
