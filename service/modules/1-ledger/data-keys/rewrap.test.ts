import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { NONCE_BYTES, sealValue } from '@partner-portal/core/credential/vault.ts';
import { countLockWaits } from '@partner-portal/tests/harness/database.ts';
import { until } from '@partner-portal/tests/harness/system.ts';
import { BOTH_RING, OLD_RING, startVaultService, type VaultService } from '@partner-portal/tests/harness/vault.ts';
import { createDataKeys, rewrapDataKeys } from './index.ts';

type Slot = { partnerId: string; clientId: null; provider: 'resend' };

let service: VaultService;
let slots: Slot[];
const system = { type: 'system', id: null } as const;
const AGENCIES = 12;
const COMMAND = join(import.meta.dirname, '..', '..', '..', 'rewrap.ts');

/** The module with both master keys, the newest first, as during a rotation. */
before(async () => {
  service = await startVaultService({ ring: BOTH_RING });
  slots = await sealUnderOldKey();
});
after(() => service.close());

/** Creates partners whose values were saved under the old master key. */
async function sealUnderOldKey(): Promise<Slot[]> {
  const old = createDataKeys(OLD_RING);
  return service.db.asSystem('seed', async (tx) => {
    const made: Slot[] = [];
    for (let n = 0; n < AGENCIES; n++) {
      const { id } = await tx
        .insertInto('partner')
        .values({ name: `Agency ${n}`, slug: `agency-${n}` })
        .returning('id')
        .executeTakeFirstOrThrow();
      const slot: Slot = { partnerId: id, clientId: null, provider: 'resend' };
      const { key } = await old.provide(tx, id);
      const value = Buffer.from(JSON.stringify({ apiKey: `re_sandbox_${n}` }));
      await tx
        .insertInto('credential')
        .values({ ...slot, sourceMode: 'byok', sealed: sealValue(key, { ...slot, keyVersion: 1 }, value, randomBytes(NONCE_BYTES)) })
        .execute();
      made.push(slot);
    }
    return made;
  });
}

function readAll(): Promise<(string | undefined)[]> {
  return service.db.asSystem('credentials', async (tx) => {
    const values: (string | undefined)[] = [];
    for (const slot of slots) values.push((await service.vault.openForBinding(tx, slot, system))?.props['apiKey']);
    return values;
  });
}

const expected = Array.from({ length: AGENCIES }, (_, n) => `re_sandbox_${n}`);
const countUnder = async (keyId: string): Promise<number> => {
  const rows = await service.db.asSystem('credentials', (tx) =>
    tx.selectFrom('partnerDataKey').select('id').where('masterKeyId', '=', keyId).execute(),
  );
  return rows.length;
};
describe('rewrapping data keys', () => {
  it('stops between two batches, and continues where it stopped', async () => {
    const stopping = new AbortController();
    const dataKeys = createDataKeys(BOTH_RING);
    const first = await rewrapDataKeys(
      { db: service.db, dataKeys },
      { batch: 5, signal: stopping.signal, onProgress: () => stopping.abort() },
    );
    assert.deepEqual(first, { rewrapped: 5, failed: [] });
    assert.deepEqual([await countUnder('old'), await countUnder('new')], [AGENCIES - 5, 5]);
    assert.deepEqual(await readAll(), expected, 'half done, everything opens');
  });

  it('leaves every value readable while it runs', async () => {
    let running = true;
    const reads: Promise<void> = (async () => {
      do assert.deepEqual(await readAll(), expected);
      while (running);
    })();
    const progress: number[] = [];
    const dataKeys = createDataKeys(BOTH_RING);
    const result = await rewrapDataKeys({ db: service.db, dataKeys }, { batch: 2, onProgress: ({ done }) => progress.push(done) });
    running = false;
    await reads;
    assert.deepEqual(result, { rewrapped: AGENCIES - 5, failed: [] });
    assert.deepEqual(progress, [2, 4, 6, 7]);
    assert.equal(await countUnder('old'), 0);
    assert.deepEqual(await readAll(), expected);
  });

  it('makes the old master key unnecessary', async () => {
    const onlyNew = createDataKeys([BOTH_RING[0]]);
    assert.deepEqual(await rewrapDataKeys({ db: service.db, dataKeys: onlyNew }), { rewrapped: 0, failed: [] });
  });

  it('seals each key once when two run concurrently', async () => {
    const backwards = createDataKeys([OLD_RING[0], BOTH_RING[0]]);
    const both = await Promise.all([1, 2].map(() => rewrapDataKeys({ db: service.db, dataKeys: backwards }, { batch: 3 })));
    assert.equal(
      both.reduce((sum, one) => sum + one.rewrapped, 0),
      AGENCIES,
    );
    assert.deepEqual(await readAll(), expected);
  });

  it('waits for a locked key instead of leaving it under the old master key', async () => {
    const holding = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    const holder = service.db.asSystem('credentials', async (tx) => {
      await tx.selectFrom('partnerDataKey').select('id').orderBy('id').limit(1).forUpdate().execute();
      holding.resolve();
      await release.promise;
    });
    await holding.promise;
    const waiting = rewrapDataKeys({ db: service.db, dataKeys: createDataKeys(BOTH_RING) }, { batch: 3 });
    await until('the second waits for the first', async () => (await countLockWaits(service.database)) > 0);
    release.resolve();
    await holder;
    assert.deepEqual(await waiting, { rewrapped: AGENCIES, failed: [] });
    assert.equal(await countUnder('old'), 0);
    await rewrapDataKeys({ db: service.db, dataKeys: createDataKeys([OLD_RING[0], BOTH_RING[0]]) });
  });

  it('names partners whose master key is missing, leaves them unchanged and rewraps the others', async () => {
    const [lost] = slots;
    assert.ok(lost);
    await service.db.asSystem('seed', (tx) =>
      tx.updateTable('partnerDataKey').set({ masterKeyId: 'gone' }).where('partnerId', '=', lost.partnerId).execute(),
    );
    const result = await rewrapDataKeys({ db: service.db, dataKeys: createDataKeys(BOTH_RING) }, { batch: 4 });
    assert.deepEqual(result, { rewrapped: AGENCIES - 1, failed: [lost.partnerId] });
    await service.db.asSystem('seed', (tx) =>
      tx.updateTable('partnerDataKey').set({ masterKeyId: 'old' }).where('partnerId', '=', lost.partnerId).execute(),
    );
    assert.deepEqual(await readAll(), expected);
  });
});

describe('npm run vault:rewrap', () => {
  it('runs next to a running service and reports its progress', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'portal-rewrap-'));
    const { host, port, user } = service.database.host.adminConfig;
    const env = {
      DATA_DIR: dataDir,
      DATABASE_URL: `postgres://${user}:none@${encodeURIComponent(host)}:${port}/${service.database.name}`,
      JWT_SECRET: 'j'.repeat(48),
      AUTOMATION_CALLBACK_SECRET: 'c'.repeat(48),
      CREDENTIALS_ENCRYPTION_KEY: BOTH_RING.map(({ id, key }) => `${id}:${Buffer.from(key).toString('base64')}`).join(','),
    };
    const run = () => promisify(execFile)(process.execPath, [COMMAND], { env });
    assert.equal(
      (await run()).stdout,
      'Sealing data keys with the master key "new".\n1 of 1\nDone: 1 resealed. Copy the data keys to your backup again; older master keys can be removed then.\n',
    );
    assert.match((await run()).stdout, /Done: 0 resealed/);
    assert.deepEqual(await readAll(), expected);
    await rm(dataDir, { recursive: true });
  });

  it('reports that nothing is installed, and installs nothing', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'portal-rewrap-'));
    const done = await promisify(execFile)(process.execPath, [COMMAND], { env: { DATA_DIR: dataDir } }).catch((error: unknown) => error);
    assert.match(String(done instanceof Error && 'stderr' in done ? done.stderr : done), /^No installation found: DATABASE_URL is not set/);
    assert.deepEqual(await readdir(dataDir), []);
    await rm(dataDir, { recursive: true });
  });
});
