import { execFileSync } from 'node:child_process';

/** Of how many turns a run takes one: with fewer, it would take longer than six minutes on two cores. */
export const TURNS = 28;
/** A file that takes longer, in seconds, runs in its turn only. */
export const LONG_SECONDS = 3;

/** Long files that every run has: the isolation of tenants on every route, and the main path. */
export const ALWAYS: readonly string[] = ['tests/journeys/missed-call.test.ts', 'tests/journeys/tenant-isolation.test.ts'];

/**
 * Returns which turn this run is, from 0; null when it runs every file. `TEST_TURN` chooses one, or `all`; otherwise the commit that is checked
 * out does, so that a run can be repeated, and other commits try other files. Without a commit every file runs.
 */
export function chooseTurn(root: string, env: Readonly<Record<string, string | undefined>>): number | null {
  const wanted = env['TEST_TURN'];
  if (wanted === 'all' || (wanted === undefined && env['TEST_FULL'] === 'true')) return null;
  if (wanted === undefined) {
    const commit = commitNumber(root);
    return commit === null ? null : commit % TURNS;
  }
  const turn = Number(wanted);
  if (!Number.isInteger(turn) || turn < 1 || turn > TURNS) throw new Error(`TEST_TURN is a number from 1 to ${TURNS}, or "all": ${wanted}`);
  return turn - 1;
}

/** The start of the commit's id, which a shallow clone has too; null without git or a repository. */
function commitNumber(root: string): number | null {
  try {
    return Number.parseInt(execFileSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8', stdio: 'pipe' }).slice(0, 8), 16);
  } catch {
    return null;
  }
}

/**
 * Returns the files of a turn: all that are not long, and those of the long ones (seconds by file) whose turn it is. Turns take about
 * equally long; node and browser files are divided separately, because they run side by side.
 */
export function filesOfTurn(files: readonly string[], long: Readonly<Record<string, number>>, turn: number): string[] {
  const turnOf = new Map<string, number>();
  const isBrowser = (file: string): boolean => file.endsWith('.spec.ts');
  for (const part of [files.filter(isBrowser), files.filter((file) => !isBrowser(file))]) {
    const total = Array.from({ length: TURNS }, () => 0);
    const taking = part.filter((file) => file in long && !ALWAYS.includes(file));
    for (const file of taking.toSorted((a, b) => (long[b] ?? 0) - (long[a] ?? 0) || (a < b ? -1 : 1))) {
      const shortest = total.indexOf(Math.min(...total));
      total[shortest] = (total[shortest] ?? 0) + (long[file] ?? 0);
      turnOf.set(file, shortest);
    }
  }
  return files.filter((file) => (turnOf.get(file) ?? turn) === turn);
}
