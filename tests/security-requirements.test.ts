import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { SETTINGS } from '@partner-portal/service/settings.ts';

const DOCS = join(import.meta.dirname, '..', 'docs');
const PAGE = join(import.meta.dirname, '..', 'docs', 'security', 'asvs.md');

/** How many requirements of levels 1 and 2 each section of ASVS 5.0 has; their numbers begin with 1 and have no gaps. Source: ASVS 5.0.0. */
const SECTIONS: { readonly [section: string]: number } = {
  '1.1': 2,
  '1.2': 9,
  '1.3': 11,
  '1.4': 3,
  '1.5': 2,
  '2.1': 3,
  '2.2': 3,
  '2.3': 4,
  '2.4': 1,
  '3.2': 2,
  '3.3': 4,
  '3.4': 6,
  '3.5': 5,
  '3.7': 2,
  '4.1': 3,
  '4.2': 1,
  '4.3': 2,
  '4.4': 4,
  '5.1': 1,
  '5.2': 3,
  '5.3': 2,
  '5.4': 3,
  '6.1': 3,
  '6.2': 12,
  '6.3': 4,
  '6.4': 4,
  '6.5': 5,
  '6.6': 3,
  '6.8': 4,
  '7.1': 3,
  '7.2': 4,
  '7.3': 2,
  '7.4': 5,
  '7.5': 2,
  '7.6': 2,
  '8.1': 2,
  '8.2': 3,
  '8.3': 1,
  '8.4': 1,
  '9.1': 3,
  '9.2': 4,
  '10.1': 2,
  '10.2': 2,
  '10.3': 4,
  '10.4': 11,
  '10.5': 5,
  '10.6': 2,
  '10.7': 3,
  '11.1': 2,
  '11.2': 3,
  '11.3': 3,
  '11.4': 4,
  '11.5': 1,
  '11.6': 1,
  '12.1': 3,
  '12.2': 2,
  '12.3': 4,
  '13.1': 1,
  '13.2': 5,
  '13.3': 2,
  '13.4': 5,
  '14.1': 2,
  '14.2': 4,
  '14.3': 3,
  '15.1': 3,
  '15.2': 3,
  '15.3': 7,
  '16.1': 1,
  '16.2': 5,
  '16.3': 4,
  '16.4': 3,
  '16.5': 3,
  '17.1': 1,
  '17.2': 4,
  '17.3': 2,
};

const rows = readFileSync(PAGE, 'utf8')
  .split('\n')
  .filter((line) => /^\| \d/.test(line))
  .map((line) => line.split('|').map((cell) => cell.trim()));

describe('the page of ASVS requirements', () => {
  it('has each requirement of levels 1 and 2 once', () => {
    const listed = rows.flatMap(([, ids = '']) => ids.split(', '));
    const wanted = Object.entries(SECTIONS).flatMap(([section, count]) => Array.from({ length: count }, (_, at) => `${section}.${at + 1}`));
    assert.deepEqual(listed.toSorted(), wanted.toSorted());
  });

  it('gives each a state, and a file that exists unless it does not apply', () => {
    for (const [, ids, state = '', shown = ''] of rows) {
      assert.match(state, /^(Met|Not applicable: |Accepted: )/, ids);
      const links = [...shown.matchAll(/\]\(([^)#]+)\)/g)].map(([, path = '']) => path);
      assert.ok(links.length > 0 || state.startsWith('Not applicable'), `${ids} names no file`);
      for (const path of links) assert.ok(existsSync(join(dirname(PAGE), path)), `${ids}: ${path} does not exist`);
    }
  });

  it('says of HSTS what an installation that sets nothing sends', () => {
    const state = rows.find(([, ids]) => ids === '3.4.1')?.[2];
    assert.match(
      state ?? '',
      SETTINGS.HSTS_INCLUDE_SUBDOMAINS.fallback === 'true' ? /^Met: .*with subdomains/ : /^Accepted: .*without subdomains/,
    );
  });
});

describe('the inventory of keys', () => {
  it('names those of the environment that docs/deploy.md says how to replace, and says the same of each', () => {
    const [, keys = ''] = readFileSync(join(DOCS, 'security', 'inventory.md'), 'utf8').split('\n## Keys\n');
    const [, rotation = ''] = readFileSync(join(DOCS, 'deploy.md'), 'utf8').split('\n## Rotating every secret\n');
    const inEnvironment = [...keys.matchAll(/^\| `([A-Z_]+)`[^|]*\|[^|]*\| environment \|([^|]*)\|$/gm)];
    assert.ok(inEnvironment.length > 3);
    for (const [, name = '', replacedBy = ''] of inEnvironment) {
      const row = rotation.split('\n').find((line) => line.startsWith(`| \`${name}\``));
      assert.ok(row !== undefined, `${name} has no row in docs/deploy.md`);
      assert.equal(replacedBy.includes('*recreate*'), row.includes('*recreate*'), name);
      // What one process seals or signs with a new key, the others must be able to open.
      const isRing = keys.includes(`| \`${name}\`, a ring`);
      assert.equal(/^\|[^|]*\| (write the new key behind the current one|in three steps, below)/.test(row), isRing, name);
    }
  });
});
