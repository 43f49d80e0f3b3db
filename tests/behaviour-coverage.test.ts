import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';

/** Keeps docs/behaviour in step with the tests: every rule names the test that guards it, and that test exists. */

const ROOT = join(import.meta.dirname, '..');
const FOLDER = 'docs/behaviour';
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

const pages = readdirSync(join(ROOT, FOLDER)).filter((name) => name.endsWith('.md') && name !== 'coverage.md' && name !== 'README.md');
const coverage = read(`${FOLDER}/coverage.md`);
const [guarded = '', unguarded = ''] = coverage.split('## Not guarded by a test');
const rows = [...guarded.matchAll(/^\| ([A-Z]+-\d+) \| (\S+) \| (.+) \|$/gm)].map(([, id = '', file = '', name = '']) => ({
  id,
  file,
  name: name.replaceAll(String.raw`\|`, '|'),
}));
const unguardedIds = [...unguarded.matchAll(/^- ([A-Z]+-\d+)$/gm)].map(([, id = '']) => id);

function rulesOf(page: string): string[] {
  return [...read(`${FOLDER}/${page}`).matchAll(/^- \*\*([A-Z]+-\d+)\*\* /gm)].map(([, id = '']) => id);
}

/** Titles of tests as their source writes them, without quotes. */
function titlesIn(file: string): string[] {
  return [...read(file).matchAll(/\b(?:it|test|withHistory)\(\s*(['"`])((?:\\.|(?!\1).)*)\1/gs)].map(([, , title = '']) => title);
}

function committedTexts(): { path: string; text: string }[] {
  const paths = execFileSync('git', ['ls-files', '-z'], { cwd: ROOT, encoding: 'utf8' }).split('\0').filter(Boolean);
  return paths
    .filter((path) => /\.(ts|tsx|js|mjs|css|md|sql|json|yaml|example)$/.test(path) || !path.includes('.'))
    .filter((path) => existsSync(join(ROOT, path)))
    .map((path) => ({ path, text: read(path) }));
}

describe('the rules of docs/behaviour', () => {
  it('have ids of one prefix per page, each used once and numbered from 1', () => {
    assert.ok(pages.length >= 19);
    for (const page of pages) {
      const ids = rulesOf(page);
      const prefix = ids[0]?.split('-')[0] ?? '';
      assert.ok(ids.length >= 6, `${page} has ${ids.length} rules`);
      assert.deepEqual(ids, ids.map((_, index) => `${prefix}-${index + 1}`), page); // prettier-ignore
    }
    const prefixes = pages.map((page) => rulesOf(page)[0]?.split('-')[0]);
    assert.equal(new Set(prefixes).size, pages.length);
  });

  it('are listed in the coverage once each, and nothing else is', () => {
    const rules = pages.flatMap(rulesOf).toSorted();
    assert.deepEqual([...rows.map((row) => row.id), ...unguardedIds].toSorted(), rules);
  });

  it('are guarded by tests that exist', () => {
    const titles = new Map(
      [...new Set(rows.map((row) => row.file))].map((file) => [file, existsSync(join(ROOT, file)) ? titlesIn(file) : []]),
    );
    const missing = rows.filter(({ file, name }) => !titles.get(file)?.includes(name));
    assert.deepEqual(missing, [], 'a test was renamed, moved or removed: change its row in docs/behaviour/coverage.md');
  });

  it('have a page in the index', () => {
    const index = read(`${FOLDER}/README.md`);
    assert.deepEqual(pages.filter((page) => !index.includes(`](${page})`)), []); // prettier-ignore
  });
});

describe('references to docs/behaviour', () => {
  it('name pages and rules that exist', () => {
    const rules = new Set(pages.flatMap(rulesOf));
    const cited = committedTexts().flatMap(({ path, text }) =>
      [...text.matchAll(/docs\/behaviour\/([\w-]+\.md)(?:[#, (]+([A-Z]{2,4}-\d+))?/g)].map(([, page = '', rule]) => ({ path, page, rule })),
    );
    assert.ok(cited.length > 20);
    const isKnown = ({ page, rule }: (typeof cited)[number]): boolean =>
      existsSync(join(ROOT, FOLDER, page)) && (rule === undefined || rules.has(rule));
    assert.deepEqual(cited.filter((one) => !isKnown(one)), []); // prettier-ignore
  });
});
