import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { it } from 'node:test';

const SAMPLES = join(import.meta.dirname, 'samples');

/** Runs a sample in a process of its own, because a test cannot run others. */
async function runSample(name: string, ms: number): Promise<{ code: number | null; printed: string }> {
  const { NODE_TEST_CONTEXT: _context, ...env } = process.env;
  const child = spawn(process.execPath, [join(SAMPLES, 'run-sample.ts'), name, String(ms)], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const closed = Promise.withResolvers<number | null>();
  child.once('close', (exitCode) => closed.resolve(exitCode));
  return { printed: await text(child.stdout), code: await closed.promise };
}

it('a test that hangs fails, also when it holds its process open, and the run ends', async () => {
  const { code, printed } = await runSample('hanging.ts', 2_000);
  assert.equal(code, 1);
  assert.match(printed, /✖ scripts\/testing\/samples\/hanging\.ts: waits without end/);
});

it('a file that ends in time passes', async () => {
  const { code, printed } = await runSample('ending.ts', 60_000);
  assert.equal(code, 0, printed);
});
