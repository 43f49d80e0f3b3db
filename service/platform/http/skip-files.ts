import type { IncomingHttpHeaders } from 'node:http';
import { mediaType } from './media-type.ts';
import { PARTS_MAX } from './read-form.ts';

/** A boundary has at most 70 characters (RFC 2046, 5.1.1). The time of a search grows with its length. */
const BOUNDARY_LENGTH_MAX = 70;
/** Longer headers of a part are refused when the form is read. */
const HEAD_BYTES_MAX = 4_096;
const HEAD_END = '\r\n\r\n';

/** `push` returns what is kept of a chunk and of those before it, `end` what is left of a form that has ended. */
type FileFilter = { push(chunk: Buffer): Buffer; end(): Buffer };

/**
 * Leaves the contents of files out of a form as it arrives, so that a photo that nothing reads takes no memory. A file that is not empty keeps one
 * byte. Returns null for a body that is no plain multipart form. The sender is not known yet: the time is linear in the bytes, and of a form with more
 * parts than are read, the rest stays as it came.
 */
export function createFileFilter(headers: IncomingHttpHeaders): FileFilter | null {
  if (mediaType(headers) !== 'multipart/form-data' || (headers['content-encoding'] ?? 'identity') !== 'identity') return null;
  const named = /;\s*boundary\s*=\s*(?:"([^"]+)"|([^\s;]+))/i.exec(headers['content-type'] ?? '');
  const boundary = named?.[1] ?? named?.[2];
  if (boundary === undefined || boundary.length > BOUNDARY_LENGTH_MAX) return null;
  const delimiter = Buffer.from(`\r\n--${boundary}`, 'latin1');
  // What comes before the first delimiter is kept as a field is. The first may have no line break in front, so one is added and left out again.
  let state: 'head' | 'field' | 'file' = 'field';
  let isFirst = false;
  let parts = 0;
  let rest: Buffer = Buffer.from('\r\n');
  let added = rest.length;
  const withoutAdded = (data: Buffer): Buffer => {
    const cut = Math.min(added, data.length);
    added -= cut;
    return data.subarray(cut);
  };
  return {
    push(chunk) {
      const kept: Buffer[] = [];
      let data: Buffer = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
      for (;;) {
        if (parts > PARTS_MAX) {
          kept.push(data);
          data = data.subarray(data.length);
          break;
        }
        if (state === 'head') {
          const start = data.subarray(0, HEAD_BYTES_MAX + HEAD_END.length);
          const mark = start.indexOf(HEAD_END);
          if (mark < 0 && data.length < HEAD_BYTES_MAX + HEAD_END.length) break;
          const end = mark < 0 ? 0 : mark + HEAD_END.length;
          kept.push(data.subarray(0, end));
          isFirst = isFile(data.subarray(0, end));
          state = isFirst ? 'file' : 'field';
          data = data.subarray(end);
          continue;
        }
        const mark = data.indexOf(delimiter);
        // The end of what came may be the beginning of a delimiter.
        const end = mark < 0 ? Math.max(0, data.length - delimiter.length + 1) : mark;
        if (state === 'field') kept.push(data.subarray(0, end));
        else if (isFirst && end > 0) {
          kept.push(data.subarray(0, 1));
          isFirst = false;
        }
        data = data.subarray(end);
        if (mark < 0) break;
        kept.push(delimiter);
        data = data.subarray(delimiter.length);
        parts += 1;
        state = 'head';
      }
      rest = Buffer.from(data);
      return withoutAdded(Buffer.concat(kept));
    },
    end: () => (state === 'file' ? Buffer.alloc(0) : withoutAdded(rest)),
  };
}

/** As the library that reads the form decides. A name in quotes may say anything; one that is not closed goes on to the end of its line. */
function isFile(head: Buffer): boolean {
  return /^content-disposition:[^\r\n]*;\s*filename\*?\s*=/im.test(
    head
      .toString('latin1')
      .replace(/\r\n(?=[ \t])/g, '')
      .replace(/"(?:[^"\\\r\n]|\\.)*"?/g, '""'),
  );
}
