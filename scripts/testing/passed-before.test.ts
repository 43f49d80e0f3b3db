import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, it } from 'node:test';
import { runUnlessPassed } from './passed-before.ts';

const root = mkdtempSync(join(tmpdir(), 'portal-passed-'));
after(() => rmSync(root, { recursive: true, force: true }));

it('a check that passed is not run again on the same sources, and is on any others, or when it failed', async () => {
  mkdirSync(join(root, 'core'));
  writeFileSync(join(root, 'core', 'a.ts'), 'one');
  let runs = 0;
  const check = async (ok: boolean, name = 'lint'): Promise<boolean> => {
    const outcome = await runUnlessPassed(root, name, () => Promise.resolve({ ok, output: `run ${++runs}` }));
    return outcome.ok;
  };
  assert.deepEqual([await check(false), runs], [false, 1]);
  assert.deepEqual([await check(true), runs], [true, 2]);
  assert.deepEqual([await check(false), runs], [true, 2], 'passed on these sources');
  assert.deepEqual([await check(true, 'other'), runs], [true, 3]);
  writeFileSync(join(root, 'core', 'a.ts'), 'two');
  assert.deepEqual([await check(false), runs], [false, 4]);
  writeFileSync(join(root, 'core', 'a.ts'), 'one');
  writeFileSync(join(root, 'core', 'b.tsx'), '');
  assert.deepEqual([await check(true), runs], [true, 5]);
  rmSync(join(root, 'core', 'b.tsx'));
  writeFileSync(join(root, 'package-lock.json'), '{}');
  assert.deepEqual([await check(true), runs], [true, 6]);
});
