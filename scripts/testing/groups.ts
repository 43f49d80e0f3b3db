import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { LONG_FILES } from './durations.ts';

/** What one test process runs: a test file, or a group of them. */
export type TestUnit = { path: string; files: readonly string[] };

/**
 * Test files that may share a process, and how many of them do: loading the code of a module takes longer than most of its tests. Those of
 * the platform, the engine and whole systems watch their own process, so each has one.
 */
const SHARED: readonly { files: RegExp; atMost: number }[] = [
  { files: /^(catalog|contract|core|messages|portal)\//, atMost: 30 },
  { files: /^service\/modules\//, atMost: 24 },
];

/** Of files beside all others, as they are listed. */
const GROUP_SECONDS = 150;

/** Divides sorted files into units; `root` is where their paths start. Neighbours are grouped, because they load the same code. */
export function groupFiles(root: string, files: readonly string[]): TestUnit[] {
  const secondsOf = (file: string): number => LONG_FILES[relative(root, file)] ?? 1;
  const groups = SHARED.flatMap(({ files: shared, atMost }) => {
    const found = files.filter((file) => shared.test(relative(root, file)));
    // Of equal size: a last one of a single file would load everything again.
    const size = Math.ceil(found.length / Math.ceil(found.length / atMost));
    return divide(found, size, secondsOf);
  }).filter((group) => group.length > 1);
  const grouped = new Set(groups.flat());
  const folder = join(root, 'node_modules', '.cache', 'test-groups');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  return [
    ...files.filter((file) => !grouped.has(file)).map((file) => ({ path: file, files: [file] })),
    ...groups.map((group, index) => {
      const path = join(folder, `group-${index + 1}.test.mjs`);
      writeFileSync(path, describeGroup(root, group));
      return { path, files: group };
    }),
  ];
}

/** Begins a new group after `size` files, and before one with which it would take too long: the runner ends what takes ten minutes. */
function divide(files: readonly string[], size: number, secondsOf: (file: string) => number): string[][] {
  const groups: string[][] = [];
  let seconds = 0;
  for (const file of files) {
    const group = groups.at(-1);
    if (group && group.length < size && seconds + secondsOf(file) <= GROUP_SECONDS) group.push(file);
    else {
      groups.push([file]);
      seconds = 0;
    }
    seconds += secondsOf(file);
  }
  return groups;
}

/** A module with a suite for each file, so that the hooks of one file are its own. */
function describeGroup(root: string, files: readonly string[]): string {
  const suites = files.map(
    (file) => `describe(${JSON.stringify(relative(root, file))}, () => import(${JSON.stringify(pathToFileURL(file).href)}));`,
  );
  return `import { describe } from 'node:test';\n${suites.join('\n')}\n`;
}
