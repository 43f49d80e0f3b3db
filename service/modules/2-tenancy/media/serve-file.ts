import { isPublicMedia } from '@partner-portal/core/media/media.ts';
import type { Actor } from '#platform/actor.ts';
import { readInScope } from '#platform/db/scope.ts';
import type { FileAnswer } from '#platform/http/answer.ts';
import { refuse } from '#platform/refuse.ts';
import type { MediaDeps } from './deps.ts';
import { findServed, type ServedFile } from './store.ts';

/** Nothing in a file of a stranger may run, load or be framed, should a browser open it as a page. */
const HEADERS = {
  'content-security-policy': "default-src 'none'; sandbox",
  'x-content-type-options': 'nosniff',
};
/** Mail and other origins may show what needs no session. An address never shows other bytes. */
const PUBLIC = { 'cache-control': 'public, max-age=31536000, immutable', 'cross-origin-resource-policy': 'cross-origin' };
/** Kept by the browser, and asked for again with the session each time it is shown. */
const PRIVATE = { 'cache-control': 'private, no-cache', vary: 'authorization', 'cross-origin-resource-policy': 'same-origin' };

/** Returns the bytes behind an address: a logo or avatar to anyone who has it, other files to a session of the tenant. */
export async function serveFile(
  { db, files }: MediaDeps,
  caller: Actor | null,
  key: string,
  size: string | undefined,
): Promise<FileAnswer> {
  const found = await db.asSystem('files', (tx) => findServed(tx, key, size));
  if (!found) return refuse('not_found');
  const isPublic = isPublicMedia(found.purpose);
  if (!isPublic) await refuseForeign(db, caller, key, size);
  const { id, partnerId, clientId, contentType, sizeBytes, sha256, chunkBytes, filename } = found;
  return {
    kind: 'file',
    filename,
    contentType,
    sizeBytes,
    etag: sha256.toString('base64url'),
    disposition: contentType === 'application/pdf' ? 'attachment' : 'inline',
    headers: { ...HEADERS, ...(isPublic ? PUBLIC : PRIVATE) },
    read: (range) => files.read({ id, owner: { partnerId, clientId }, contentType, sizeBytes, sha256, chunkBytes }, range),
  };
}

/** To a session of another tenant the file does not exist. */
async function refuseForeign(db: MediaDeps['db'], caller: Actor | null, key: string, size: string | undefined): Promise<void> {
  if (!caller) return refuse('unauthenticated');
  const seen: ServedFile | undefined = await readInScope(db, caller, (tx) => findServed(tx, key, size));
  if (!seen) refuse('not_found');
}
