import type { FilePurpose } from '@partner-portal/contract/vocabulary.ts';
import { runStatement } from '#platform/db/statements.ts';
import type { SystemTx, Tx } from '#platform/db/tx.ts';
import type { FileOwner } from './file-store.ts';

export type NewFile = { id: string; owner: FileOwner; purpose: FilePurpose; contentType: string; chunkBytes: number };
export type FileRow = {
  id: string;
  partnerId: string;
  clientId: string | null;
  contentType: string;
  chunkBytes: number;
  sizeBytes: number;
  sha256: Buffer;
};

/** Stores a file of one chunk whole. Returns false when its account is deleted. */
export async function insertSmallFile(tx: Tx, file: NewFile, content: Buffer, sha256: Buffer): Promise<boolean> {
  const rows = await runStatement(tx, {
    name: 'files_insert_small',
    text: `with added as (
        insert into file (id, partner_id, client_id, purpose, content_type, chunk_bytes, size_bytes, sha256, completed_at)
        values ($1, $2, $3, $4, $5, $6, octet_length($7::bytea), $8, now()) returning id, partner_id, client_id
      ), chunk as (
        insert into file_chunk (file_id, n, partner_id, client_id, content)
        select a.id, 0, a.partner_id, a.client_id, $7::bytea from added a where octet_length($7::bytea) > 0)
      select id from added`,
    values: [file.id, file.owner.partnerId, file.owner.clientId, file.purpose, file.contentType, file.chunkBytes, content, sha256],
  });
  return rows.length > 0;
}

/** Begins a file, which no one finds before it is complete. Returns false when its account is deleted. */
export async function insertFile(tx: Tx, file: NewFile): Promise<boolean> {
  const rows = await runStatement(tx, {
    name: 'files_insert',
    text: 'insert into file (id, partner_id, client_id, purpose, content_type, chunk_bytes) values ($1, $2, $3, $4, $5, $6) returning id',
    values: [file.id, file.owner.partnerId, file.owner.clientId, file.purpose, file.contentType, file.chunkBytes],
  });
  return rows.length > 0;
}

/** Stores a chunk. Its commit does not wait for the disk: that of the file's last statement makes all of them durable. */
export async function insertChunk(tx: Tx, file: NewFile, n: number, content: Buffer): Promise<void> {
  await runStatement(tx, {
    name: 'files_insert_chunk',
    text: `insert into file_chunk (file_id, n, partner_id, client_id, content)
      select $1, $2, $3, $4, $5::bytea from (select set_config('synchronous_commit', 'off', true)) no_wait`,
    values: [file.id, n, file.owner.partnerId, file.owner.clientId, content],
  });
}

/** Returns false when the file is gone. */
export async function completeFile(tx: Tx, fileId: string, sizeBytes: number, sha256: Buffer): Promise<boolean> {
  const rows = await runStatement<'files_complete', { id: string }>(tx, {
    name: 'files_complete',
    text: 'update file set size_bytes = $2, sha256 = $3, completed_at = now() where id = $1 and completed_at is null returning id',
    values: [fileId, sizeBytes, sha256],
  });
  return rows.length > 0;
}

export async function findFile(tx: Tx, fileId: string): Promise<FileRow | undefined> {
  const [row] = await runStatement<'files_find', FileRow>(tx, {
    name: 'files_find',
    text: `select id, partner_id, client_id, content_type, chunk_bytes, size_bytes, sha256
      from file where id = $1 and completed_at is not null`,
    values: [fileId],
  });
  return row;
}

export async function readChunk(tx: Tx, fileId: string, n: number): Promise<Buffer | undefined> {
  const [row] = await runStatement<'files_read_chunk', { content: Buffer }>(tx, {
    name: 'files_read_chunk',
    text: 'select content from file_chunk where file_id = $1 and n = $2',
    values: [fileId, n],
  });
  return row?.content;
}

/** Deletes files; their chunks go with them. */
export async function deleteFiles(tx: Tx, fileIds: readonly string[]): Promise<void> {
  await runStatement(tx, { name: 'files_delete', text: 'delete from file where id = any($1::uuid[])', values: [[...fileIds]] });
}

/** Deletes up to `limit` files that were never completed. Returns how many. */
export async function deleteIncomplete(tx: SystemTx, before: Date, limit: number): Promise<number> {
  const rows = await runStatement(tx, {
    name: 'files_delete_incomplete',
    prepare: false,
    text: `delete from file where id in (select id from file where completed_at is null and created_at < $1 order by created_at limit $2)
      returning id`,
    values: [before, limit],
  });
  return rows.length;
}

/**
 * Deletes up to `limit` files that no row refers to. Here are all columns that refer to a file; a test compares them with the foreign keys
 * of the database.
 */
export async function deleteUnreferenced(tx: SystemTx, before: Date, limit: number): Promise<number> {
  const rows = await runStatement(tx, {
    name: 'files_delete_unreferenced',
    prepare: false,
    text: `delete from file where id in (
        select id from file f where completed_at < $1
          and not exists (select from account_export where file_id = f.id)
          and not exists (select from invoice_document where file_id = f.id)
          and not exists (select from knowledge_document where file_id = f.id)
          and not exists (select from media where file_id = f.id)
          and not exists (select from media_variant where file_id = f.id)
        limit $2)
      returning id`,
    values: [before, limit],
  });
  return rows.length;
}
