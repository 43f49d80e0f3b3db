import type { FilePurpose } from '@partner-portal/contract/vocabulary.ts';
import type { Tx } from '#platform/db/tx.ts';

/** The owner of a file. Only this tenant can read its bytes. */
export type FileOwner = { partnerId: string; clientId: string | null };

/** A file whose bytes are all stored. It never changes. */
export type StoredFile = {
  id: string;
  owner: FileOwner;
  contentType: string;
  sizeBytes: number;
  sha256: Buffer;
  /** Every chunk but the last has this many bytes. */
  chunkBytes: number;
};

/** Both ends belong to the range. */
export type ByteRange = { start: number; end: number };

/** Keeps the bytes of files. An object store could take the place of the one in Postgres (ADR 0022). */
export type FileStore = {
  /**
   * Writes the bytes as they arrive; the file is found once all are stored. A write that throws, or whose process ends, leaves nothing behind
   * (swept). Throws `FileTooLarge`, and what `bytes` or `signal` throw. Must not be called inside a transaction.
   */
  write(
    owner: FileOwner,
    file: { purpose: FilePurpose; contentType: string },
    bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
    options?: { signal?: AbortSignal },
  ): Promise<StoredFile>;
  find(tx: Tx, fileId: string): Promise<StoredFile | undefined>;
  /** One transaction per chunk: a slow reader holds none open. Throws `FileGone` when the file is removed meanwhile. */
  read(file: StoredFile, range?: ByteRange): AsyncIterable<Uint8Array>;
  /** Removes rows and bytes. The rows that refer to the files must be gone, or refer to them no longer. */
  remove(tx: Tx, fileIds: readonly string[]): Promise<void>;
};

/** The most bytes of a file, by its purpose. */
export const FILE_BYTES_MAX: Readonly<Record<FilePurpose, number>> = {
  media: 32 * 1024 * 1024,
  knowledge: 8 * 1024 * 1024,
  invoice: 8 * 1024 * 1024,
  export: 16 * 1024 * 1024 * 1024,
};

export class FileTooLarge extends Error {
  constructor(bytesMax: number) {
    super(`The file has more than ${bytesMax} bytes.`);
    this.name = 'FileTooLarge';
  }
}

export class FileGone extends Error {
  constructor(fileId: string) {
    super(`The file ${fileId} was removed.`);
    this.name = 'FileGone';
  }
}
