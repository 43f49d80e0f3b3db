import { globSync } from 'node:fs';
import { relative, resolve } from 'node:path';

/** The tiers in the order in which they run. A test file is in the one that has its folder; together they are every test. */
export const TIERS = {
  /** Decisions, texts and components by themselves: no database, no server. */
  unit: ['contract', 'messages', 'core', 'catalog', 'portal', 'scripts'],
  /** A module, the platform, the engine or the sandbox on a real Postgres. */
  module: ['engine', 'sandbox', 'service'],
  /** Whole systems: journeys, faults, the engine's conformance, the repository's own rules, and the browser. */
  system: ['tests', 'bench'],
} as const;
export type Tier = keyof typeof TIERS;

const isTier = (word: string): word is Tier => word in TIERS;

export type Selected = { files: string[]; /** The arguments that match no test. */ unknown: string[] };

/** Returns the tier of a file, whose path is relative to the root. */
export function tierOf(file: string): Tier {
  const [folder] = file.split('/');
  for (const tier of Object.keys(TIERS)) if (isTier(tier) && TIERS[tier].some((one) => one === folder)) return tier;
  throw new Error(`${file} is in the folder of no tier: tiers.ts lists them.`);
}

/**
 * Returns the test files that the arguments name, sorted, relative to the root: the files of a tier by its name, and those at or under a path,
 * relative to the root too. Without arguments, all of them.
 */
export function selectFiles(root: string, words: readonly string[]): Selected {
  const all = globSync(['*/**/*.test.ts', 'tests/browser/**/*.spec.ts'], {
    cwd: root,
    exclude: (name) => ['node_modules', 'dist', 'test-results'].includes(name),
  }).toSorted();
  if (words.length === 0) return { files: all, unknown: [] };
  const chosen = words.map((word) => ({ word, files: all.filter((file) => isNamed(root, word, file)) }));
  const files = [...new Set(chosen.flatMap((one) => one.files))].toSorted();
  return { files, unknown: chosen.filter((one) => one.files.length === 0).map((one) => one.word) };
}

function isNamed(root: string, word: string, file: string): boolean {
  if (isTier(word)) return tierOf(file) === word;
  const path = relative(root, resolve(root, word));
  return file === path || file.startsWith(path === '' ? '' : `${path}/`);
}

/** Whether a file is run by Playwright. */
export const isBrowserFile = (file: string): boolean => file.endsWith('.spec.ts');
