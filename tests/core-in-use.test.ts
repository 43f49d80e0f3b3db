import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';

/**
 * What production does not run does not stand in core: an edit there would change nothing but a test. A rule whose home is a SQL function has its model, with which
 * tests compare the function, in service/schema/models.
 */

const ROOT = join(import.meta.dirname, '..');
const PACKAGE = '@partner-portal/core/';
const isTest = (file: string): boolean => /\.test\.tsx?$|(?:^|\/)test-[^/]*$/.test(file);

type Declaration = { name: string; text: string; isFunction: boolean };
type File = { imports: Map<string, { file: string; name: string }>; declarations: Map<string, Declaration> };

/** The names that a file imports from core, and its own declarations: the formatter begins each in the first column. */
function parse(file: string, text: string): File {
  const imports: File['imports'] = new Map();
  for (const [, names = '', path = ''] of text.matchAll(/^(?:import|export)\s+(?:type\s+)?\{([^}]*)\}\s+from\s+'([^']+)'/gm)) {
    const target = path.startsWith(PACKAGE) ? `core/${path.slice(PACKAGE.length)}` : path.startsWith('.') ? join(dirname(file), path) : '';
    for (const one of names.split(',')) {
      const [name = '', local = name] = one
        .replace(/^\s*type\s/, '')
        .trim()
        .split(/\s+as\s+/);
      if (name !== '' && target !== '') imports.set(local, { file: target, name });
    }
  }
  const all = /^import\s+\*\s+as\s+(\w+)\s+from\s+'([^']+)'/gm;
  for (const [, , path = ''] of text.matchAll(all))
    if (path.startsWith(PACKAGE)) throw new Error(`${file} imports all of ${path}: name what it needs.`);
  const declarations: File['declarations'] = new Map();
  const begins = [...text.matchAll(/^(?:export )?(?:async )?(function\*?|const|let|class|type) (?:\{ )?(\w+)/gm)];
  for (const [index, { 0: head, 1: kind = '', 2: name = '', index: at }] of begins.entries()) {
    const body = text.slice(at, begins[index + 1]?.index ?? text.length).replaceAll(/\/\*\*[^]*?\*\/|\/\/.*$/gm, '');
    const isFunction =
      head.startsWith('export') &&
      (kind.startsWith('function') || /^export const \w+ = (?:async )?\(|^export const \w+ = \w+ =>/.test(body));
    declarations.set(name, { name, text: body, isFunction });
  }
  return { imports, declarations };
}

/** Returns the exported functions of core that nothing reaches from these files, as `file: name`. */
function unreached(core: ReadonlyMap<string, string>, production: ReadonlyMap<string, string>): string[] {
  const files = new Map([...core].map(([file, text]) => [file, parse(file, text)]));
  const reached = new Set<string>();
  const reach = (file: string, name: string): void => {
    const found = files.get(file);
    if (!found || reached.has(`${file}: ${name}`)) return;
    reached.add(`${file}: ${name}`);
    const imported = found.imports.get(name);
    if (imported) return reach(imported.file, imported.name);
    const text = found.declarations.get(name)?.text;
    if (text === undefined) return;
    for (const [word] of text.matchAll(/\w+/g))
      if (word !== name && (found.declarations.has(word) || found.imports.has(word))) reach(file, word);
  };
  for (const [file, text] of production) for (const { file: target, name } of parse(file, text).imports.values()) reach(target, name);
  return [...files].flatMap(([file, { declarations }]) =>
    [...declarations.values()]
      .filter(({ name, isFunction }) => isFunction && !reached.has(`${file}: ${name}`))
      .map(({ name }) => `${file}: ${name}`),
  );
}

const textsOf = (pattern: string): Map<string, string> =>
  new Map(
    globSync(pattern, { cwd: ROOT, exclude: (name) => /node_modules|(?:^|\/)dist(?:\/|$)/.test(String(name)) })
      .filter((file) => !isTest(file) && !file.startsWith('service/schema/models/'))
      .map((file) => [file, readFileSync(join(ROOT, file), 'utf8')]),
  );

describe('core', () => {
  it('has no exported function that production does not run', () => {
    const core = textsOf('core/**/*.ts');
    const production = textsOf('{service,portal,catalog,messages,contract}/**/*.{ts,tsx}');
    assert.ok(core.size > 100 && production.size > 1_000, `${core.size} and ${production.size} files`);
    assert.deepEqual(unreached(core, production).toSorted(), []);
  });

  it('and the models of SQL functions are apart: production runs no model', () => {
    for (const [file, text] of textsOf('{service,portal}/**/*.{ts,tsx}')) assert.doesNotMatch(text, /schema\/models\//, file);
  });

  it('would be found keeping one', () => {
    const core = new Map([
      [
        'core/a/a.ts',
        `export function used(): number {\n  return helper();\n}\n\nfunction helper(): number {\n  return other();\n}\n\nimport { other } from '../b/b.ts';\n`,
      ],
      [
        'core/b/b.ts',
        `export function other(): number {\n  return 1;\n}\n\n/** Calls other. */\nexport function model(): number {\n  return other();\n}\n`,
      ],
    ]);
    assert.deepEqual(unreached(core, new Map([['service/x.ts', `import { used } from '@partner-portal/core/a/a.ts';\n`]])), [
      'core/b/b.ts: model',
    ]);
    assert.deepEqual(unreached(core, new Map()), ['core/a/a.ts: used', 'core/b/b.ts: other', 'core/b/b.ts: model']);
  });
});
