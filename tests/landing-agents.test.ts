import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadBundles } from '@partner-portal/catalog/index.ts';
import { AGENTS } from '../portal/landing/agents.ts';

test('the landing page names every agent of the catalogue, and no other', async () => {
  const shown = AGENTS.flatMap(({ agents }) => agents.map(({ name, icon }) => ({ name, icon })));
  const real = loadBundles().map(({ template }) => ({ name: template.title, icon: template.icon }));
  const byName = (one: { name: string }, other: { name: string }): number => (one.name < other.name ? -1 : 1);
  assert.deepEqual(shown.toSorted(byName), real.toSorted(byName));
});
