import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';
import { test } from 'node:test';

const PORTAL = join(import.meta.dirname, '..', '..');
const SHEETS = globSync('{features,shared,ui}/**/*.css', { cwd: PORTAL }).filter((path) => !path.startsWith('ui/styles/'));
const COMPONENTS = globSync('{features,shared,ui,routes}/**/*.tsx', { cwd: PORTAL });

/** The stylesheet that defines a class: the one with a selector whose first class it is. */
const OWNERS = new Map(SHEETS.flatMap((path) => firstClasses(path).map((name) => [name, path])));

test('a class is defined in one stylesheet and begins with its name', () => {
  for (const path of SHEETS) {
    const [word = ''] = basename(path, '.css').split('-');
    for (const name of firstClasses(path)) {
      assert.ok(name.startsWith(word), `${path}: .${name} does not begin with "${word}"`);
      assert.equal(OWNERS.get(name), path, `.${name} is defined in two stylesheets`);
    }
  }
});

test('a component imports the stylesheet of every class it uses, and every class is used', () => {
  const used = new Set<string>();
  for (const path of COMPONENTS) {
    const text = readFileSync(join(PORTAL, path), 'utf8');
    const imported = new Set([...text.matchAll(/^import '(.+\.css)';$/gm)].map(([, to = '']) => normalize(join(dirname(path), to))));
    for (const name of literals(text)) if (imported.has(OWNERS.get(name) ?? '')) used.add(name);
    for (const [, list = ''] of text.matchAll(/className="([^"]*)"/g))
      for (const name of list.split(' ')) {
        const owner = OWNERS.get(name);
        assert.ok(!owner || imported.has(owner), `${path} uses .${name} without importing ${owner}`);
      }
  }
  assert.deepEqual(
    [...OWNERS.keys()].filter((name) => !used.has(name)),
    [],
    'classes that no component uses',
  );
});

test('a size of text is a token, and a width in pixels a token or a step of the scale', () => {
  const isPlain = (path: string): boolean => path !== 'ui/styles/tokens.css';
  for (const path of globSync('{chat,features,landing,shared,ui}/**/*.css', { cwd: PORTAL }).filter(isPlain))
    for (const [rule] of readFileSync(join(PORTAL, path), 'utf8').matchAll(/font(?:-size)?:[^;/]*\b\d+px[^;]*;/g))
      assert.fail(`${path}: ${rule}`);
  for (const path of COMPONENTS)
    for (const [name] of readFileSync(join(PORTAL, path), 'utf8').matchAll(/[\w-]+-\[\d+px\]/g)) assert.fail(`${path}: ${name}`);
});

test('where arrow keys are in a menu or a list is marked by more than its background, and in forced colours', () => {
  const css = readFileSync(join(PORTAL, 'ui/overlays/menu.css'), 'utf8');
  assert.match(css, /outline: 0;/, 'the mark of the browser is gone');
  for (const rule of ['box-shadow: inset 2px 0 0 var(--color-accent-mark);', 'outline: 2px solid Highlight;']) {
    const [before = ''] = css.split(rule);
    const selectors = before.slice(before.lastIndexOf('}'));
    for (const state of ['data-current', 'data-highlighted']) assert.ok(selectors.includes(`.menu-item[${state}]`), `${state}: ${rule}`);
  }
});

function firstClasses(path: string): string[] {
  const css = readFileSync(join(PORTAL, path), 'utf8').replaceAll(/\/\*.*?\*\//gs, '');
  const selectors = [...css.matchAll(/([^{};]+)\{/g)].flatMap(([, list = '']) => list.trim().split(/,(?![^()]*\))/));
  return [...new Set(selectors.flatMap((selector) => /\.([a-z][\w-]*)/.exec(selector)?.[1] ?? []))];
}

/** Every word of every string literal: class names are also chosen from records and conditions. */
function literals(text: string): string[] {
  return [...text.matchAll(/"([^"\n]*)"|'([^'\n]*)'|`([^`]*)`/g)].flatMap(([, a, b, c]) => (a ?? b ?? c ?? '').split(/[\s'"`]+/));
}
