import { globSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

/** Smaller than this, a file fits a packet as it is. */
const WORTH_BYTES = 1024;
/** The files whose text compresses; fonts and pictures are compressed already, and the service compresses pages itself. */
const FILES = '{*.{js,svg},widget/*.js,assets/*.{js,css,svg}}';

const dist = join(import.meta.dirname, 'dist');
const inBrotli = promisify(brotliCompress);
const inGzip = promisify(gzip);

/** Writes `<file>.br` and `<file>.gz` next to each file of the built portal, so that no request waits for compression. */
async function compressFile(name: string): Promise<void> {
  const bytes = await readFile(join(dist, name));
  if (bytes.length < WORTH_BYTES) return;
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  const [brotli, gzipped] = await Promise.all([inBrotli(bytes, { params }), inGzip(bytes, { level: 9 })]);
  await Promise.all([writeFile(join(dist, `${name}.br`), brotli), writeFile(join(dist, `${name}.gz`), gzipped)]);
}

await Promise.all(globSync(FILES, { cwd: dist }).map(compressFile));
