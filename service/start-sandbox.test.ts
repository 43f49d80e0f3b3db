import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { createTestDatabase } from '@partner-portal/tests/harness/database.ts';
import { startProviderSandbox } from './start-sandbox.ts';

it('the bearer of the sandbox is in a file for this account only, new at each start', async () => {
  const database = await createTestDatabase();
  const dataDir = await mkdtemp(join(tmpdir(), 'portal-sandbox-'));
  const file = join(dataDir, 'sandbox-token');
  try {
    await writeFile(file, 'left by someone else', { mode: 0o644 });
    const tokens: string[] = [];
    for (let start = 0; start < 2; start += 1) {
      const sandbox = await startProviderSandbox(dataDir, database.configFor('portal_sandbox'));
      try {
        const token = await readFile(file, 'utf8');
        assert.equal((await stat(file)).mode & 0o777, 0o600);
        assert.equal(token, sandbox.token.reveal());
        const headers = { authorization: `Bearer ${token}` };
        assert.deepEqual(
          [(await fetch(`${sandbox.url}/calls`)).status, (await fetch(`${sandbox.url}/calls`, { headers })).status],
          [401, 200],
        );
        tokens.push(token);
      } finally {
        await sandbox.close();
      }
    }
    assert.notEqual(tokens[0], tokens[1]);
  } finally {
    await rm(dataDir, { recursive: true });
    await database.drop();
  }
});

it('starts where the data folder does not exist yet, as with a database elsewhere', async () => {
  const database = await createTestDatabase();
  const parent = await mkdtemp(join(tmpdir(), 'portal-sandbox-'));
  const dataDir = join(parent, 'data', 'of-portal');
  try {
    const sandbox = await startProviderSandbox(dataDir, database.configFor('portal_sandbox'));
    await sandbox.close();
    assert.equal(await readFile(join(dataDir, 'sandbox-token'), 'utf8'), sandbox.token.reveal());
  } finally {
    await rm(parent, { recursive: true });
    await database.drop();
  }
});
