import type { MediaPurpose, MediaType } from '@partner-portal/contract/vocabulary.ts';
import { runStatement } from '#platform/db/statements.ts';
import type { SystemTx, TenantTx, Tx } from '#platform/db/tx.ts';

export type Variant = { name: string; width: number; height: number };
export type MediaRow = {
  id: string;
  partnerId: string;
  clientId: string | null;
  purpose: MediaPurpose;
  key: string;
  filename: string;
  altText: string;
  contentType: MediaType;
  sizeBytes: number;
  width: number | null;
  height: number | null;
  uploadedBy: string | null;
  createdAt: Date;
  variants: Variant[];
};

const COLUMNS = `m.id, m.partner_id, m.client_id, m.purpose, m.key, m.filename, m.alt_text, m.content_type, m.size_bytes, m.width, m.height, m.uploaded_by, m.created_at,
  coalesce((select json_agg(json_build_object('name', v.name, 'width', v.width, 'height', v.height) order by v.width) from media_variant v where v.media_id = m.id), '[]') as variants`;

export type MediaFilters = { partnerId: string | null; clientId: string | undefined; purpose?: MediaPurpose | undefined };

/** Newest first. */
export async function listMedia(tx: Tx, filters: MediaFilters, before: string | null, limit: number): Promise<MediaRow[]> {
  return runStatement<'media_list', MediaRow>(tx, {
    name: 'media_list',
    prepare: false,
    text: `select ${COLUMNS} from media m
      where ($1::uuid is null or m.partner_id = $1) and ($2::uuid is null or m.client_id = $2) and ($3::text is null or m.purpose = $3)
        and ($4::uuid is null or m.id < $4)
      order by m.id desc limit $5`,
    values: [filters.partnerId, filters.clientId ?? null, filters.purpose ?? null, before, limit],
  });
}

/** Returns the bytes of all files in scope: media, and what chatbots know. */
export async function sumBytes(tx: Tx, partnerId: string): Promise<number> {
  const [row] = await runStatement<'media_sum', { used: number }>(tx, {
    name: 'media_sum',
    prepare: false,
    text: `select (select coalesce(sum(size_bytes), 0) from media where partner_id = $1)::float8
        + (select coalesce(sum(size_bytes), 0) from knowledge_document where partner_id = $1 and kind = 'file')::float8 as used`,
    values: [partnerId],
  });
  return row?.used ?? 0;
}

export async function findMedia(tx: Tx, id: string): Promise<MediaRow | undefined> {
  const [row] = await runStatement<'media_find', MediaRow>(tx, {
    name: 'media_find',
    text: `select ${COLUMNS} from media m where m.id = $1`,
    values: [id],
  });
  return row;
}

/** Locked first of all that a change touches: the partner or user who shows it comes after. */
export async function lockMedia(tx: Tx, id: string): Promise<MediaRow | undefined> {
  const [row] = await runStatement<'media_lock', MediaRow>(tx, {
    name: 'media_lock',
    prepare: false,
    text: `select ${COLUMNS} from media m where m.id = $1 for update of m`,
    values: [id],
  });
  return row;
}

export async function setAltText(tx: Tx, id: string, altText: string): Promise<void> {
  await runStatement(tx, {
    name: 'media_set_alt',
    prepare: false,
    text: 'update media set alt_text = $2 where id = $1',
    values: [id, altText],
  });
}

/** Returns whether the partner has room for this many more bytes. */
export async function hasRoom(tx: Tx, partnerId: string, bytes: number, bytesMax: number): Promise<boolean> {
  const [row] = await runStatement<'media_has_room', { hasRoom: boolean }>(tx, {
    name: 'media_has_room',
    prepare: false,
    text: 'select has_media_room($1, $2, $3) as has_room',
    values: [partnerId, bytes, bytesMax],
  });
  return row?.hasRoom ?? false;
}

export type NewMedia = Omit<MediaRow, 'variants' | 'createdAt' | 'uploadedBy'> & {
  uploadedBy: string;
  fileId: string;
  variants: readonly (Variant & { contentType: MediaType; fileId: string })[];
};

export async function insertMedia(tx: TenantTx, media: NewMedia): Promise<void> {
  const { variants } = media;
  await runStatement(tx, {
    name: 'media_insert',
    prepare: false,
    text: `with added as (
        insert into media (id, partner_id, client_id, purpose, key, filename, alt_text, content_type, size_bytes, width, height, file_id, uploaded_by)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13))
      insert into media_variant (media_id, name, partner_id, client_id, content_type, width, height, file_id)
      select $1, v.name, $2, $3, v.content_type, v.width, v.height, v.file_id
      from unnest($14::text[], $15::text[], $16::int[], $17::int[], $18::uuid[]) as v (name, content_type, width, height, file_id)`,
    values: [
      media.id,
      media.partnerId,
      media.clientId,
      media.purpose,
      media.key,
      media.filename,
      media.altText,
      media.contentType,
      media.sizeBytes,
      media.width,
      media.height,
      media.fileId,
      media.uploadedBy,
      variants.map(({ name }) => name),
      variants.map(({ contentType }) => contentType),
      variants.map(({ width }) => width),
      variants.map(({ height }) => height),
      variants.map(({ fileId }) => fileId),
    ],
  });
}

/** Returns the ids of avatars that the user uploaded and no longer shows. */
export async function listReplacedAvatars(tx: Tx, userId: string, except: string): Promise<string[]> {
  const rows = await runStatement<'media_replaced_avatars', { id: string }>(tx, {
    name: 'media_replaced_avatars',
    prepare: false,
    text: `select id from media m where uploaded_by = $1 and purpose = 'avatar' and id <> $2
      and not exists (select from app_user u where u.avatar_media_id = m.id)`,
    values: [userId, except],
  });
  return rows.map(({ id }) => id);
}

/** Returns avatars whose people are gone. */
export async function listLostAvatars(tx: SystemTx, limit: number): Promise<string[]> {
  const rows = await runStatement<'media_lost_avatars', { id: string }>(tx, {
    name: 'media_lost_avatars',
    prepare: false,
    text: `select id from media where purpose = 'avatar' and uploaded_by is null limit $1`,
    values: [limit],
  });
  return rows.map(({ id }) => id);
}

/** Deletes media. No partner and no user shows them any more. Returns their files. */
export async function deleteMedia(tx: Tx, ids: readonly string[]): Promise<string[]> {
  const values = [[...ids]] as const;
  const files = await runStatement<'media_files_of'>(tx, {
    name: 'media_files_of',
    prepare: false,
    text: `select file_id from media where id = any($1::uuid[]) union all select file_id from media_variant where media_id = any($1::uuid[])`,
    values,
  });
  await runStatement(tx, {
    name: 'media_clear_logo',
    prepare: false,
    text: 'update partner set logo_url = null, logo_media_id = null where logo_media_id = any($1::uuid[])',
    values,
  });
  await runStatement(tx, {
    name: 'media_clear_avatar',
    prepare: false,
    text: 'update app_user set avatar_url = null, avatar_media_id = null where avatar_media_id = any($1::uuid[])',
    values,
  });
  await runStatement(tx, { name: 'media_delete', prepare: false, text: 'delete from media where id = any($1::uuid[])', values });
  return files.flatMap(({ fileId }) => fileId ?? []);
}

export type ServedFile = {
  purpose: MediaPurpose;
  filename: string;
  altText: string;
  id: string;
  partnerId: string;
  clientId: string | null;
  contentType: string;
  sizeBytes: number;
  sha256: Buffer;
  chunkBytes: number;
};

/** Returns the file behind an address, or the variant of it. */
export async function findServed(tx: Tx, key: string, size: string | undefined): Promise<ServedFile | undefined> {
  const [row] = await runStatement<'media_served', ServedFile>(tx, {
    name: 'media_served',
    text: `select m.purpose, m.filename, m.alt_text, f.id, f.partner_id, f.client_id, f.content_type, f.size_bytes, f.sha256, f.chunk_bytes
      from media m left join media_variant v on v.media_id = m.id and v.name = $2 join file f on f.id = coalesce(v.file_id, m.file_id)
      where m.key = $1 and ($2::text is null or v.name is not null)`,
    values: [key, size ?? null],
  });
  return row;
}

/** Returns the key of a file for this purpose, and keeps it until the transaction ends. `uploadedBy`: only one of theirs. */
export async function takeUsable(
  tx: Tx,
  media: { id: string; partnerId: string; purpose: MediaPurpose; uploadedBy: string | null },
): Promise<string | undefined> {
  const [row] = await runStatement<'media_take_usable', { key: string }>(tx, {
    name: 'media_take_usable',
    prepare: false,
    text: `select key from media where id = $1 and partner_id = $2 and purpose = $3 and ($4::uuid is null or uploaded_by = $4) for key share`,
    values: [media.id, media.partnerId, media.purpose, media.uploadedBy],
  });
  return row?.key;
}

/** Returns the file of the partner's logo at this size. */
export async function findLogo(
  tx: Tx,
  partnerId: string,
  size: string,
): Promise<Omit<ServedFile, 'purpose' | 'filename' | 'altText' | 'partnerId' | 'clientId'> | undefined> {
  const [row] = await runStatement<
    'media_find_logo',
    { id: string; contentType: string; sizeBytes: number; sha256: Buffer; chunkBytes: number }
  >(tx, {
    name: 'media_find_logo',
    prepare: false,
    text: `select f.id, f.content_type, f.size_bytes, f.sha256, f.chunk_bytes
      from partner p join media_variant v on v.media_id = p.logo_media_id and v.name = $2 join file f on f.id = v.file_id where p.id = $1`,
    values: [partnerId, size],
  });
  return row;
}
