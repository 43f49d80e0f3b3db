import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { tierOf } from '../../scripts/testing/tiers.ts';
import { type Fault, FAULTS } from './faults.ts';
import { makeWorkingCopy, type WorkingCopy } from './working-copy.ts';

/**
 * Plants each fault by itself in a copy of the working tree and expects one of the tests that it names to fail: `node tests/planted/run.ts`, or
 * with names of faults, files or folders that have them. A fault that no test finds fails the run; so does one whose tests fail without it.
 */
const wanted = process.argv.slice(2);
const isWanted = ({ name, file }: Fault): boolean =>
  wanted.length === 0 || wanted.some((one) => one === name || file === one || file.startsWith(`${one}/`));
const faults = FAULTS.filter(isWanted);
const print = (text: string): void => void process.stdout.write(`${text}\n`);

/** A test that takes this long says nothing: the machine may be too busy for it. */
const TEST_MAX_MS = 900_000;
type Outcome = 'passes' | 'fails' | 'does not end';

async function runTest({ root, temporary }: WorkingCopy, test: string): Promise<Outcome> {
  const child = spawn(join(root, 'node_modules', '.bin', 'node'), ['--test', '--test-reporter=dot', test], {
    cwd: root,
    stdio: 'ignore',
    env: { ...process.env, TMPDIR: temporary, NODE_COMPILE_CACHE: join(temporary, 'compiled') },
    timeout: TEST_MAX_MS,
  });
  const [code] = (await once(child, 'close')) as [number | null]; // null: ended by the signal
  return code === 0 ? 'passes' : code === null ? 'does not end' : 'fails';
}

/** Outcomes without any fault. */
const sound = new Map<string, Outcome>();

/** Returns what came of a planted fault: the test that found it, or why none did. */
async function tryFault(copy: WorkingCopy, { file, find, replace, foundBy }: Fault): Promise<{ finder?: string; note: string }> {
  const path = join(copy.root, file);
  const source = readFileSync(path, 'utf8');
  if (source.split(find).length !== 2) return { note: 'the text to replace does not occur once: update tests/planted/faults.ts' };
  writeFileSync(
    path,
    source.replace(find, () => replace),
  );
  const outcomes: string[] = [];
  let finder: string | undefined;
  try {
    for (const test of foundBy) {
      const outcome = await runTest(copy, test);
      outcomes.push(`${test} ${outcome}`);
      if (outcome !== 'fails') continue;
      finder = test;
      break;
    }
  } finally {
    writeFileSync(path, source);
  }
  if (finder === undefined) return { note: outcomes.join(', ') };
  const without = sound.get(finder) ?? (await runTest(copy, finder));
  sound.set(finder, without);
  return without === 'passes' ? { finder, note: '' } : { note: `without the fault, ${finder} ${without} too` };
}

/** Lets each copy take the next item when it has ended the one before. */
async function share<T>(
  copies: readonly WorkingCopy[],
  items: readonly T[],
  work: (copy: WorkingCopy, item: T) => Promise<void>,
): Promise<void> {
  const left = [...items];
  const take = async (copy: WorkingCopy): Promise<void> => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await work(copy, item);
  };
  await Promise.all(copies.map(take));
}

using stack = new DisposableStack();
const copies = Array.from({ length: Math.min(availableParallelism(), faults.length) }, () => stack.use(makeWorkingCopy()));
// Before anything is planted: a fault in the schema costs a new database, and so would each return to the sound one.
const first = new Set(faults.map(({ foundBy }) => foundBy[0]));
print(`Running ${first.size} tests without any fault`);
await share(copies, [...first], async (copy, test) => void sound.set(test, await runTest(copy, test)));

const missed: string[] = [];
let done = 0;
await share(copies, faults, async (copy, fault) => {
  const startedAt = performance.now();
  const { finder, note } = await tryFault(copy, fault);
  const took = `${((performance.now() - startedAt) / 1000).toFixed(1)} s`;
  const place = `${String((done += 1)).padStart(3)}/${faults.length}`;
  if (finder === undefined) missed.push(`✖ ${fault.name} in ${fault.file}: ${note}`);
  print(
    finder === undefined
      ? `${place} ✖ ${fault.name}: ${note} (${took})`
      : `${place} ✔ ${fault.name}: ${tierOf(finder)}, ${finder} (${took})`,
  );
});
print(`\n${missed.join('\n')}${missed.length > 0 ? '\n' : ''}${faults.length - missed.length} found, ${missed.length} not found`);
process.exitCode = faults.length > 0 && missed.length === 0 ? 0 : 1;
