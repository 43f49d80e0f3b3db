import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { findStale, generateAll } from './generate.ts';

const ROOT = join(import.meta.dirname, '..');
const bin = (name: string): string => join(ROOT, 'node_modules', '.bin', name);

export type Outcome = { name: string; ok: boolean; ms: number; said: string };

type Check = { name: string; run: () => Promise<{ ok: boolean; said: string }> };

/** Everything that needs no test: types, lint, form, dead code, and generated files that still match their source. */
const CHECKS: readonly Check[] = [
  { name: 'types', run: () => runProgram(process.execPath, [bin('tsc'), '-p', 'tsconfig.json']) },
  { name: 'types of the portal', run: () => runProgram(process.execPath, [bin('tsc'), '-p', 'portal/tsconfig.json']) },
  { name: 'lint', run: () => runProgram(bin('oxlint'), ['--type-aware', '--deny-warnings']) },
  { name: 'form', run: () => runProgram(bin('oxfmt'), ['--check']) },
  { name: 'dead code', run: () => runProgram(process.execPath, [bin('knip'), '--no-progress']) },
  { name: 'generated files', run: checkGenerated },
];

/** Runs all checks one after another and tells each outcome as it comes. */
export async function runChecks(tell: (outcome: Outcome) => void): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const check of CHECKS) {
    const startedAt = performance.now();
    const { ok, said } = await check.run();
    const outcome = { name: check.name, ok, said, ms: performance.now() - startedAt };
    outcomes.push(outcome);
    tell(outcome);
  }
  return outcomes;
}

async function checkGenerated(): Promise<{ ok: boolean; said: string }> {
  const stale = findStale(await generateAll());
  const said = stale.length === 0 ? '' : `Out of date: ${stale.join(', ')}. Run "npm run gen" and commit the result.\n`;
  return { ok: stale.length === 0, said };
}

/** Runs a program of the project and keeps what it said. */
export async function runProgram(program: string, args: readonly string[]): Promise<{ ok: boolean; said: string }> {
  const { promise, resolve } = Promise.withResolvers<{ ok: boolean; said: string }>();
  const child = spawn(program, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk.toString()));
  child.once('error', (error) => resolve({ ok: false, said: error.message }));
  child.once('close', (code) => resolve({ ok: code === 0, said }));
  return promise;
}

/** One line per check; the whole report only when it failed. */
export function tellOutcome(outcome: Outcome): void {
  process.stdout.write(`${outcome.ok ? '✔' : '✖'} ${outcome.name} (${(outcome.ms / 1000).toFixed(1)} s)\n`);
  if (!outcome.ok) process.stdout.write(`${outcome.said.trim().split('\n').slice(-200).join('\n')}\n`);
}

if (import.meta.main) {
  const outcomes = await runChecks(tellOutcome);
  const failed = outcomes.filter((outcome) => !outcome.ok).length;
  process.stdout.write(`\n${outcomes.length - failed} passed, ${failed} failed\n`);
  process.exit(failed === 0 ? 0 : 1);
}
