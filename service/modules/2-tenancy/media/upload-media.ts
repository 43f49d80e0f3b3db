import { randomBytes } from 'node:crypto';
import { LIMITS, type MediaPurpose, type MediaType } from '@partner-portal/contract/vocabulary.ts';
import { routes } from '@partner-portal/contract/index.ts';
import { refusedCall } from '@partner-portal/core/access/access.ts';
import { mediaTypeOf } from '@partner-portal/core/media/file-problem.ts';
import { ADDED_LIKE, storedFilename } from '@partner-portal/core/media/media.ts';
import type { Actor } from '#platform/actor.ts';
import type { TenantTx, Tx } from '#platform/db/tx.ts';
import type { RequestContext } from '#platform/http/context.ts';
import type { Upload } from '#platform/http/receive-upload.ts';
import { newId } from '#platform/ids.ts';
import { refuse, refuseField } from '#platform/refuse.ts';
import { originOf, recordAudit } from '#modules/1-ledger/audit/index.ts';
import type { FileOwner, StoredFile } from '#modules/1-ledger/files/index.ts';
import { scopeExists } from '#modules/1-ledger/scope/index.ts';
import type { MediaDeps } from './deps.ts';
import type { Inspection } from './inspect/inspection.ts';
import { inspectUpload } from './inspect-upload.ts';
import { deleteMedia, findMedia, hasRoom, insertMedia, listReplacedAvatars, sumBytes } from './store.ts';
import { toRecord } from './to-record.ts';

type Fields = { purpose: MediaPurpose; altText: string; clientId?: string | undefined };
const KEY_BYTES = 24;

/** Stores an image or a PDF, judged by its bytes. Bytes are written first; what is written and not used is removed. */
export async function uploadMedia(deps: MediaDeps, caller: RequestContext, fields: Fields) {
  const { actor, upload } = caller;
  const { purpose } = fields;
  const refusal = refusedCall(routes[ADDED_LIKE[purpose]], actor);
  if (refusal !== null) return refuse(refusal);
  const { bytes, filename, type } = acceptFile(upload, purpose);
  const owner: FileOwner = { partnerId: actor.partnerId, clientId: clientOf(actor, fields) };
  // Before the work: an upload without room costs neither a thread nor a write.
  await deps.db.asTenant(actor, async (tx) => {
    await refuseUnknownClient(tx, owner);
    await refuseFullStorage(tx, owner.partnerId, 1);
    await refuseFullShare(tx, actor, 1);
  });
  const inspected = await inspectUpload(deps, actor.partnerId, { bytes, type, purpose });
  const stored = await writeAll(deps, owner, inspected, { bytes, type });
  try {
    return await deps.db.asTenant(actor, async (tx) => {
      const bytesStored = stored.reduce((sum, { file }) => sum + file.sizeBytes, 0);
      await refuseFullStorage(tx, owner.partnerId, bytesStored);
      await refuseFullShare(tx, actor, bytesStored);
      return addMedia(tx, deps, caller, { ...fields, filename }, stored);
    });
  } catch (error) {
    // The sweep of files removes files that this does not.
    const ids = stored.map(({ file }) => file.id);
    await deps.db.asTenant({ kind: 'tenant', ...owner }, (tx) => deps.files.remove(tx, ids)).catch(() => undefined);
    throw error;
  }
}

function acceptFile({ file }: Upload, purpose: MediaPurpose): { bytes: Buffer<ArrayBuffer>; filename: string; type: MediaType } {
  if (!file) return refuseField('file', 'required', 'Choose a file.');
  if (file.bytes.length === 0) return refuseField('file', 'empty', 'The file is empty.');
  const type = mediaTypeOf(file.bytes);
  if (type === null) return refuse('unsupported_media_type', { detail: 'Upload a PNG, JPEG or WebP image, or a PDF document.' });
  if (purpose !== 'general' && type === 'application/pdf') return refuseField('file', 'not_an_image', 'Upload a PNG, JPEG or WebP image.');
  return { bytes: file.bytes, filename: file.filename, type };
}

/** Returns the client that owns the file: an avatar has the tenant of its person, a logo that of the agency. */
function clientOf(actor: Actor, { purpose, clientId }: Fields): string | null {
  if (purpose !== 'general' && clientId !== undefined)
    return refuseField('clientId', 'not_allowed', 'A logo or an avatar does not belong to a client: omit clientId.');
  if (purpose === 'logo') return null;
  // Any other client is unknown to a user of one.
  if (actor.clientId !== null && clientId !== undefined && clientId !== actor.clientId) return refuse('not_found');
  return actor.clientId ?? clientId ?? null;
}

async function refuseUnknownClient(tx: TenantTx, { partnerId, clientId }: FileOwner): Promise<void> {
  if (clientId !== null && !(await scopeExists(tx, { partnerId, clientId }))) refuse('not_found');
}

/** Refuses `media_limit_reached` when the files of the partner would have more bytes than they may; holds off its other uploads. */
export async function refuseFullStorage(tx: Tx, partnerId: string, bytes: number): Promise<void> {
  if (await hasRoom(tx, partnerId, bytes, LIMITS.mediaBytesPerPartnerMax)) return;
  refuse('media_limit_reached', {
    detail: `The files of an agency and its clients can have ${LIMITS.mediaBytesPerPartnerMax / 1_048_576} MiB together. Remove some first.`,
    limitBytes: LIMITS.mediaBytesPerPartnerMax,
  });
}

/** Refuses `media_limit_reached` to a user of a client whose files would have more bytes than theirs may; after `refuseFullStorage`, which holds off others. */
async function refuseFullShare(tx: Tx, { partnerId, clientId }: Actor, bytes: number): Promise<void> {
  const limitBytes = LIMITS.mediaBytesPerClientMax;
  // A client's session sees the files of the client alone.
  if (clientId === null || (await sumBytes(tx, partnerId)) + bytes <= limitBytes) return;
  refuse('media_limit_reached', { detail: `Your files can have ${limitBytes / 1_048_576} MiB together. Remove some first.`, limitBytes });
}

/** A stored image or document; the first of an upload has no name, its other sizes have. */
type Part = { name: string; contentType: MediaType; width: number | null; height: number | null; file: StoredFile };

async function writeAll(
  { files }: MediaDeps,
  owner: FileOwner,
  inspected: Exclude<Inspection, { kind: 'refused' }>,
  original: { bytes: Uint8Array; type: MediaType },
): Promise<Part[]> {
  const parts =
    inspected.kind === 'document'
      ? [{ name: '', bytes: original.bytes, contentType: original.type, width: null, height: null }]
      : [{ name: '', ...inspected.image }, ...inspected.variants];
  return Promise.all(
    parts.map(async ({ bytes, ...part }) => ({
      ...part,
      file: await files.write(owner, { purpose: 'media', contentType: part.contentType }, [bytes]),
    })),
  );
}

async function addMedia(
  tx: TenantTx,
  { files }: MediaDeps,
  caller: RequestContext,
  given: Fields & { filename: string },
  [main, ...others]: readonly Part[],
) {
  const { actor } = caller;
  if (!main) throw new Error('An upload without a file was stored.');
  const id = newId();
  const filename = storedFilename(given.filename, main.contentType);
  const { partnerId, clientId } = main.file.owner;
  const { contentType, width, height } = main;
  await insertMedia(tx, {
    id,
    partnerId,
    clientId,
    contentType,
    width,
    height,
    filename,
    purpose: given.purpose,
    altText: given.altText,
    key: randomBytes(KEY_BYTES).toString('base64url'),
    sizeBytes: [main, ...others].reduce((sum, { file }) => sum + file.sizeBytes, 0),
    uploadedBy: actor.userId,
    fileId: main.file.id,
    variants: others.map(({ file, ...part }) => ({ ...part, width: part.width ?? 0, height: part.height ?? 0, fileId: file.id })),
  });
  if (given.purpose === 'avatar') await files.remove(tx, await deleteMedia(tx, await listReplacedAvatars(tx, actor.userId, id)));
  const target = { type: 'media', id, label: filename };
  await recordAudit(tx, { partnerId, clientId, actor, action: 'media.uploaded', target, origin: originOf(caller) });
  const row = await findMedia(tx, id);
  return row ? toRecord(row) : refuse('not_found');
}
