import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { usualDuration } from './durations.ts';

/** The work of one test process: a test file, or a group of them. */
export type TestUnit = { path: string; files: readonly string[] };

/** Component tests of the portal: they share a document, which other tests must not see. */
const COMPONENTS = /^portal\/.*\.dom\.test\.ts$/;
/** What they start with. It is loaded before any of them: a file that waits for a module while it loads would be counted as part of another. */
const COMPONENTS_START = 'portal/testing/portal.ts';

/**
 * Test files that may share a process: loading the code of a module takes longer than most of its tests. Those that watch or end processes have one
 * each: whole systems, what starts Postgres, an engine process or threads, and what counts or lists what its process holds. Journeys and faults that start no
 * system are named.
 */
const SHARED = [
  /^(catalog|contract|core|messages|portal|scripts)\/(?!.*\.dom\.test\.ts$)/,
  COMPONENTS,
  /^service\/modules\//,
  /^service\/(?!modules\/|platform\/(compute\/|db\/embedded|facts|held|http\/metrics)|adapters\/embedded-engine)/,
  /^(engine|sandbox)\//,
  /^tests\/engine\/(?!memory)/,
  /^tests\/journeys\/(billing|catalog-end-to-end|client-month|csv-exports|csv-exports-of-many-rows|filters-that-name-nothing)\.test\.ts$/,
  /^tests\/faults\/kill-(ai|direct|turn)\.test\.ts$/,
  /^tests\/(planted\/)?[^/]+\.test\.ts$/,
];
/** Limits of one group. The duration is the usual one, so that the groups are the same on every machine. */
const FILES_MAX = 30;
const USUAL_MS_MAX = 75_000;

/** Divides sorted files into units; `root` is where their paths start. Neighbours are grouped, because they load the same code. */
export function groupFiles(root: string, files: readonly string[]): TestUnit[] {
  const groups = SHARED.flatMap((shared) => divide(root, files.filter((file) => shared.test(relative(root, file))))); // prettier-ignore
  const grouped = new Set(groups.filter((group) => group.length > 1).flat());
  const folder = join(root, 'node_modules', '.cache', 'test-groups');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  return [
    ...files.filter((file) => !grouped.has(file)).map((file) => ({ path: file, files: [file] })),
    ...groups
      .filter((group) => group.length > 1)
      .map((group, index) => {
        const path = join(folder, `group-${index + 1}.test.mjs`);
        writeFileSync(path, describeGroup(root, group));
        return { path, files: group };
      }),
  ];
}

/** Divides files into groups of about equal duration: a last one of a single file would load everything again. */
function divide(root: string, files: readonly string[]): string[][] {
  const msOf = (file: string): number => usualDuration(relative(root, file));
  const total = files.reduce((sum, file) => sum + msOf(file), 0);
  const count = Math.max(Math.ceil(files.length / FILES_MAX), Math.ceil(total / USUAL_MS_MAX));
  const groups: string[][] = Array.from({ length: count }, () => []);
  let before = 0;
  for (const file of files) {
    groups[Math.min(count - 1, Math.floor((before / total) * count))]?.push(file);
    before += msOf(file);
  }
  return groups.filter((group) => group.length > 0);
}

/** A module with a suite for each file, so that the hooks of one file are its own. */
function describeGroup(root: string, files: readonly string[]): string {
  const suites = files.map(
    (file) => `describe(${JSON.stringify(relative(root, file))}, () => import(${JSON.stringify(pathToFileURL(file).href)}));`,
  );
  const isOfComponents = files.some((file) => COMPONENTS.test(relative(root, file)));
  const start = isOfComponents ? `import ${JSON.stringify(pathToFileURL(join(root, COMPONENTS_START)).href)};\n` : '';
  return `${start}import { describe } from 'node:test';\n${suites.join('\n')}\n`;
}
