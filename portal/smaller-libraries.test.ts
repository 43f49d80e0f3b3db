import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common';
import { shortDictionary } from './smaller-libraries.ts';

type Known = { adjacencyGraphs: typeof adjacencyGraphs; dictionary: typeof dictionary };
const source = await shortDictionary();
const short = (await import(`data:text/javascript,${encodeURIComponent(source)}`)) as Known; // what the plugin sends to browsers

test('a form knows the commonest passwords in their order, and all words', () => {
  const passwords = dictionary['passwords-common'].map(String);
  assert.deepEqual(short.dictionary['passwords-common'], passwords.slice(0, 2_000));
  assert.deepEqual(short.dictionary['diceware-common'], dictionary['diceware-common'].map(String));
});

test('a form judges no password weaker than the service does, which therefore accepts none that the form refuses', () => {
  const form = new ZxcvbnFactory({ dictionary: short.dictionary, graphs: short.adjacencyGraphs });
  const service = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs });
  const common = dictionary['passwords-common'].map(String).filter((_password, at) => at % 9_001 === 0);
  const tried = [...common, ...common.map((word) => `${word}2026!`), 'qwertzuiop', 'azertyuiop', 'four green sparrows', 'tK-82 vv ola'];
  for (const password of tried) assert.ok(form.check(password).score >= service.check(password).score, password);
});

test('no part of Radix is modal, because the build leaves out what a modal one needs', () => {
  const sources = globSync('{app,features,routes,shared,ui}/**/*.tsx', { cwd: import.meta.dirname }).map((path) =>
    readFileSync(join(import.meta.dirname, path), 'utf8'),
  );
  const roots = sources.flatMap((text) =>
    [...text.matchAll(/<(?:DropdownMenu|ContextMenu|Popover|Dialog|AlertDialog|Select)\.Root\b[^>]*>/g)].map(([root]) => root),
  );
  assert.ok(roots.length > 2);
  for (const root of roots) assert.ok(root.includes('modal={false}') || (root.startsWith('<Popover.') && !/\bmodal\b/.test(root)), root);
  for (const text of sources) assert.doesNotMatch(text, /<Command\.Dialog\b/);
});
