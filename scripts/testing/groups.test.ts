import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { groupFiles } from './groups.ts';

const root = mkdtempSync(join(tmpdir(), 'portal-groups-'));
after(() => rmSync(root, { recursive: true, force: true }));

it('every test file is in one unit: modules and the engine a few to a process, as many on every machine, what starts servers and whole systems alone', () => {
  const modules = Array.from({ length: 40 }, (_, n) => join(root, `service/modules/1-ledger/m${10 + n}/m${10 + n}.test.ts`));
  const engine = ['engine/a.test.ts', 'engine/steps/b.test.ts', 'sandbox/c.test.ts'].map((file) => join(root, file));
  const alone = ['service/platform/db/embedded.test.ts', 'service/platform/compute/c.test.ts', 'tests/engine/memory.test.ts']
    .concat(['tests/faults/d.test.ts', 'tests/faults/e.test.ts'])
    .map((file) => join(root, file));
  const files = [...modules, ...engine, join(root, 'core/only.test.ts'), ...alone].toSorted();
  const units = groupFiles(root, files);
  assert.deepEqual(units.flatMap((unit) => unit.files).toSorted(), files);
  const groups = units.filter((unit) => unit.files.length > 1);
  assert.deepEqual(
    groups.map((unit) => unit.files),
    [modules.slice(0, 20), modules.slice(20), engine],
  );
  for (const { path, files: grouped } of groups)
    for (const file of grouped) assert.match(readFileSync(path, 'utf8'), new RegExp(`import\\("${pathToFileURL(file).href}"\\)`));
  for (const unit of units.filter(({ files: { length } }) => length === 1)) assert.deepEqual(unit.files, [unit.path]);
});
