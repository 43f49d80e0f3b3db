import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { withClient } from '@partner-portal/service/platform/db/roles.ts';
import { startTestService, type TestService } from '@partner-portal/tests/harness/service.ts';
import { addClient, addPartner } from '@partner-portal/tests/harness/world.ts';
import { AppError } from '#platform/refuse.ts';
import { FileGone, type FileOwner, files, type Files, FileTooLarge, FILE_BYTES_MAX } from './index.ts';

const CHUNK = 256 * 1024;
let service: TestService;
let now = new Date();
let module: Files;
let owner: FileOwner;
before(async () => {
  service = await startTestService();
  module = files({ db: service.db, clock: { now: () => now } });
  owner = { partnerId: service.world.partnerId, clientId: null };
});
after(() => service.close());

async function* stream(...pieces: Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* pieces;
}
const MEDIA = { purpose: 'media', contentType: 'image/png' } as const;
const write = (...pieces: Uint8Array[]) => module.store.write(owner, MEDIA, stream(...pieces));
async function bytesOf(source: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of source) pieces.push(piece);
  return Buffer.concat(pieces);
}
const find = (id: string, scope: FileOwner = owner) => service.db.asTenant({ kind: 'tenant', ...scope }, (tx) => module.store.find(tx, id));
const remove = (id: string) => service.db.asTenant({ kind: 'tenant', ...owner }, (tx) => module.store.remove(tx, [id]));
/** Rows of files and chunks, in all. */
const countRows = () =>
  service.db.asSystem('seed', async (tx) => {
    const count = ({ fn }: { fn: { countAll: <T>() => { as: (name: 'n') => T } } }) => fn.countAll<never>().as('n');
    const [file] = await tx.selectFrom('file').select(count).execute();
    const [chunk] = await tx.selectFrom('fileChunk').select(count).execute();
    return [file, chunk];
  });

describe('a file', () => {
  it('is read as it was written, whatever the pieces', async () => {
    for (const size of [0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 2 * CHUNK, 3 * CHUNK + 17]) {
      const content = randomBytes(size);
      const cut = Math.floor(size / 3);
      const stored = await write(content.subarray(0, cut), content.subarray(cut, cut + 1), content.subarray(cut + 1));
      assert.equal(stored.sizeBytes, size);
      assert.deepEqual(stored.sha256, createHash('sha256').update(content).digest());
      const found = await find(stored.id);
      assert.deepEqual(found, stored);
      assert.ok((await bytesOf(module.store.read(stored))).equals(content), `${size} bytes`);
    }
  });

  it('is read in ranges', async () => {
    const content = randomBytes(2 * CHUNK + 100);
    const stored = await write(content);
    for (const [start, end] of [
      [0, 0],
      [CHUNK - 1, CHUNK],
      [CHUNK, 2 * CHUNK - 1],
      [10, 2 * CHUNK + 99],
      [2 * CHUNK + 99, 2 * CHUNK + 99],
    ] as const)
      assert.ok((await bytesOf(module.store.read(stored, { start, end }))).equals(content.subarray(start, end + 1)), `${start} to ${end}`);
    await assert.rejects(bytesOf(module.store.read(stored, { start: 5, end: content.length })), RangeError);
  });

  it('holds no transaction and no connection while its reader waits', async () => {
    const stored = await write(randomBytes(3 * CHUNK));
    const readers = Array.from({ length: 20 }, () => module.store.read(stored)[Symbol.asyncIterator]());
    for (const reader of readers) assert.equal((await reader.next()).value?.length, CHUNK);
    // More readers than the pool has connections, none of which is in use.
    const open = await withClient({ ...service.database.host.adminConfig, database: service.database.name }, (client) =>
      client.query("select from pg_stat_activity where datname = current_database() and state like '%in transaction%'"),
    );
    assert.equal(open.rowCount, 0);
    assert.ok(await find(stored.id));
    for (const reader of readers) await reader.return?.();
  });

  it('is fenced by tenant', async () => {
    const stored = await write(randomBytes(10));
    const rival = { partnerId: service.world.rivalPartnerId, clientId: null };
    assert.equal(await find(stored.id, rival), undefined);
    await assert.rejects(bytesOf(module.store.read({ ...stored, owner: rival })), FileGone);
    await service.db.asTenant({ kind: 'tenant', ...rival }, (tx) => module.store.remove(tx, [stored.id]));
    assert.equal((await bytesOf(module.store.read(stored))).length, 10);
  });

  it('that is removed is gone with its bytes, also for a reader half-way', async () => {
    const before = await countRows();
    const stored = await write(randomBytes(3 * CHUNK));
    const reader = module.store.read(stored)[Symbol.asyncIterator]();
    await reader.next();
    await remove(stored.id);
    await assert.rejects(Promise.resolve(reader.next()), FileGone);
    assert.equal(await find(stored.id), undefined);
    assert.deepEqual(await countRows(), before);
  });
});

describe('a write', () => {
  it('that throws leaves nothing', async () => {
    const before = await countRows();
    async function* broken(): AsyncGenerator<Uint8Array> {
      yield randomBytes(3 * CHUNK);
      throw new Error('the source broke');
    }
    await assert.rejects(module.store.write(owner, MEDIA, broken()), /the source broke/);
    assert.deepEqual(await countRows(), before);
  });

  it('for an account that was deleted meanwhile finds none, and leaves nothing', async () => {
    const { planId } = service.world;
    const { partnerId, clientId } = await service.db.asSystem('seed', async (tx) => {
      const id = await addPartner(tx, { name: 'Gone', slug: 'gone', planId });
      return { partnerId: id, clientId: await addClient(tx, id, 'Gone') };
    });
    const before = await countRows();
    const set = (table: 'client' | 'partner', id: string, status: string) =>
      service.db.asSystem('seed', (tx) => tx.updateTable(table).set({ status }).where('id', '=', id).execute());
    for (const size of [0, 10, 3 * CHUNK]) {
      for (const [table, id] of [
        ['client', clientId],
        ['partner', partnerId],
      ] as const) {
        await set(table, id, 'deleted');
        const writing = module.store.write({ partnerId, clientId }, MEDIA, stream(randomBytes(size)));
        await assert.rejects(writing, (error) => error instanceof AppError && error.code === 'not_found');
        await set(table, id, 'active');
      }
    }
    assert.deepEqual(await countRows(), before);
    await module.store.write({ partnerId, clientId }, MEDIA, stream(randomBytes(10)));
  });

  it('ends at once when it is aborted, also while its source gives nothing', async () => {
    const before = await countRows();
    const aborting = new AbortController();
    const waits = Promise.withResolvers<never>();
    const asked = Promise.withResolvers<void>();
    async function* hanging(): AsyncGenerator<Uint8Array> {
      yield randomBytes(3 * CHUNK);
      asked.resolve();
      await waits.promise;
    }
    const writing = module.store.write(owner, MEDIA, hanging(), { signal: aborting.signal });
    await asked.promise;
    aborting.abort(new Error('stopped'));
    await assert.rejects(writing, /stopped/);
    assert.deepEqual(await countRows(), before);
  });

  it('is found by no one before it is complete', async () => {
    const half = Promise.withResolvers<void>();
    const go = Promise.withResolvers<void>();
    async function* slow(): AsyncGenerator<Uint8Array> {
      yield randomBytes(3 * CHUNK);
      half.resolve();
      await go.promise;
    }
    const writing = module.store.write(owner, MEDIA, slow());
    await half.promise;
    const rows = await service.db.asSystem('seed', (tx) => tx.selectFrom('file').select('id').where('completedAt', 'is', null).execute());
    for (const { id } of rows) assert.equal(await find(id), undefined);
    go.resolve();
    assert.ok(await find((await writing).id));
  });

  it('of more bytes than its purpose allows is refused', async () => {
    const before = await countRows();
    const megabyte = randomBytes(1024 * 1024);
    async function* endless(): AsyncGenerator<Uint8Array> {
      for (;;) yield megabyte;
    }
    await assert.rejects(module.store.write(owner, { purpose: 'invoice', contentType: 'application/pdf' }, endless()), FileTooLarge);
    assert.deepEqual(await countRows(), before);
    assert.equal(
      (
        await module.store.write(
          owner,
          { purpose: 'invoice', contentType: 'application/pdf' },
          stream(...Array<Uint8Array>(8).fill(megabyte)),
        )
      ).sizeBytes,
      FILE_BYTES_MAX.invoice,
    );
  });

  it('pulls no faster than it stores', async () => {
    let pulled = 0;
    let ahead = 0;
    async function* counted(): AsyncGenerator<Uint8Array> {
      for (let n = 0; n < 16; n += 1) {
        pulled += CHUNK;
        const [row] = await service.db.asSystem('seed', (tx) =>
          tx
            .selectFrom('fileChunk')
            .innerJoin('file', 'file.id', 'fileChunk.fileId')
            .select(({ fn }) => fn.countAll<number>().as('n'))
            .where('file.completedAt', 'is', null)
            .execute(),
        );
        ahead = Math.max(ahead, pulled - Number(row?.n) * CHUNK);
        yield randomBytes(CHUNK);
      }
    }
    await module.store.write(owner, MEDIA, counted());
    assert.ok(ahead <= 4 * CHUNK, `${ahead} bytes were in memory`);
  });
});

describe('the sweep', () => {
  it('removes after a day what was never completed or is referred to by no row, and leaves the rest', async () => {
    await module.sweep();
    const kept = await write(randomBytes(2 * CHUNK));
    const orphan = await write(randomBytes(2 * CHUNK));
    const [unfinished] = await service.db.asSystem('seed', async (tx) => {
      await tx
        .insertInto('media')
        .values({
          partnerId: owner.partnerId,
          purpose: 'general',
          key: 'k'.repeat(40),
          filename: 'a.png',
          contentType: 'image/png',
          sizeBytes: kept.sizeBytes,
          fileId: kept.id,
        })
        .execute();
      return tx
        .insertInto('file')
        .values({ partnerId: owner.partnerId, purpose: 'export', contentType: 'application/zip', chunkBytes: CHUNK })
        .returning('id')
        .execute();
    });
    const list = () => service.db.asSystem('seed', (tx) => tx.selectFrom('file').select('id').execute());
    const has = async (id: string | undefined) => (await list()).some((row) => row.id === id);
    now = new Date(Date.now() + 86_000_000);
    await module.sweep();
    assert.deepEqual([await has(kept.id), await has(orphan.id), await has(unfinished?.id)], [true, true, true]);
    now = new Date(Date.now() + 87_000_000);
    await module.sweep();
    assert.deepEqual([await has(kept.id), await has(orphan.id), await has(unfinished?.id)], [true, false, false]);
    assert.equal((await bytesOf(module.store.read(kept))).length, 2 * CHUNK);
  });

  it('knows every column that refers to a file', async () => {
    const { rows } = await withClient({ ...service.database.host.adminConfig, database: service.database.name }, (client) =>
      client.query<{ tab: string; col: string }>(`select c.conrelid::regclass::text as tab, a.attname as col
        from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
        where c.contype = 'f' and c.confrelid = 'file'::regclass and c.conrelid <> 'file_chunk'::regclass`),
    );
    const statements: string[] = [];
    const stop = service.db.onStatement(({ text }) => statements.push(text));
    await module.sweep();
    stop();
    const text = statements.join('\n');
    assert.ok(rows.length >= 3);
    for (const { tab, col } of rows) assert.ok(text.includes(`from ${tab} where ${col} = f.id`), `${tab}.${col}`);
  });
});
