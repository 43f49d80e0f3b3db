import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { ZipFile } from 'yazl';

/** An entry as the manifest names it. */
export type ZipEntry = { path: string; bytes: number; sha256: string };

export type ZipWriter = {
  /** The archive as it is made: nothing is made that is not taken. */
  bytes: AsyncIterable<Uint8Array>;
  /** Adds one entry and resolves once all of it was taken. One at a time. */
  add(path: string, content: AsyncIterable<Buffer>, options?: { compressed?: boolean }): Promise<ZipEntry>;
  /** Writes the directory at the end. */
  end(): void;
  /** Ends the archive unfinished: `bytes` throws. */
  fail(error: Error): void;
};

/** A higher level makes an export little smaller and takes twice the processor time. */
const LEVEL = 4;
const READ_AHEAD = 65_536;

/** Creates an archive, compressed by the threads of the runtime. Zip64 where an entry or the archive needs it. */
export function createZipWriter(mtime: Date): ZipWriter {
  const zip = new ZipFile();
  const output = zip.outputStream as Readable; // a PassThrough
  // The reader of the bytes gets the error; without a listener one that no one reads yet would end the process.
  output.on('error', () => undefined);
  return {
    bytes: output,
    async add(path, content, { compressed = false } = {}) {
      const hash = createHash('sha256');
      let bytes = 0;
      const counted = async function* (): AsyncGenerator<Buffer> {
        for await (const chunk of content) {
          hash.update(chunk);
          bytes += chunk.length;
          yield chunk;
        }
      };
      const source = Readable.from(counted(), { objectMode: false, highWaterMark: READ_AHEAD });
      const stop = (): void => void source.destroy(new Error('The archive was not taken to its end.'));
      if (output.destroyed) stop();
      output.once('close', stop);
      const done = finished(source, { writable: false });
      zip.addReadStream(source, path, { mtime, compressionLevel: compressed ? 0 : LEVEL });
      try {
        await done;
      } finally {
        output.off('close', stop);
      }
      return { path, bytes, sha256: hash.digest('hex') };
    },
    end: () => zip.end(),
    fail: (error) => void output.destroy(error),
  };
}
