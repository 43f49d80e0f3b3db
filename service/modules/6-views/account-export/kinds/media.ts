import { type RowOf, runStatement } from '#platform/db/statements.ts';
import { defineKind } from './kind.ts';
import { loadWhole } from './load-whole.ts';

type Media = RowOf<'export_media'> & { filename: string; fileId: string };

export const media = defineKind({
  name: 'media',
  about: 'Images and documents that people uploaded; the files themselves are in files/media.',
  reach: 'client',
  read: (tx, scope, after, limit) =>
    runStatement<'export_media', Media>(tx, {
      name: 'export_media',
      prepare: false,
      text: `select t.id, t.client_id, t.purpose, t.filename, t.alt_text, t.content_type, t.size_bytes, t.width, t.height, t.file_id, u.id as uploaded_by, t.created_at
        from media t left join app_user u on u.id = t.uploaded_by
        where t.partner_id = $1 and ($2::uuid is null or t.client_id = $2) and ($3::uuid is null or t.id > $3)
        order by t.id limit $4`,
      values: [scope.partnerId, scope.clientId, after, limit],
    }),
  columns: {
    id: 'value',
    clientId: 'value',
    purpose: 'value',
    filename: 'value',
    altText: 'value',
    contentType: 'value',
    sizeBytes: 'value',
    width: 'value',
    height: 'value',
    fileId: 'hidden',
    uploadedBy: 'value',
    createdAt: 'value',
  },
  attached: (row, tx, files) => ({
    path: `files/media/${row.id}-${row.filename
      .replace(/[^\w.-]+/g, '_')
      .replace(/^\.+/, '')
      .slice(-80)}`,
    load: () => loadWhole(tx, files, row.fileId),
  }),
});
