import { KNOWLEDGE_TYPES } from '@partner-portal/core/knowledge/knowledge-types.ts';
import { type RowOf, runStatement } from '#platform/db/statements.ts';
import { defineKind } from './kind.ts';
import { loadWhole } from './load-whole.ts';

type Document = RowOf<'export_knowledge'> & { id: string; title: string };

/** By the type that is stored with a file. */
const ENDINGS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(KNOWLEDGE_TYPES).map(([type, { endings }]) => [type, endings[0]]),
);

export const knowledge = defineKind({
  name: 'knowledge',
  about: 'What chatbots know: profiles, texts and files; the files themselves are in files/knowledge.',
  reach: 'client',
  read: (tx, scope, after, limit) =>
    runStatement<'export_knowledge', Document>(tx, {
      name: 'export_knowledge',
      prepare: false,
      text: `select t.id, t.client_id, t.chatbot_id, t.kind, t.title, t.content_type, t.size_bytes, t.status, t.problem, t.passages, t.file_id, u.id as uploaded_by,
          t.created_at, t.updated_at
        from knowledge_document t left join app_user u on u.id = t.uploaded_by
        where t.partner_id = $1 and ($2::uuid is null or t.client_id = $2) and ($3::uuid is null or t.id > $3)
        order by t.id limit $4`,
      values: [scope.partnerId, scope.clientId, after, limit],
    }),
  columns: {
    id: 'value',
    clientId: 'value',
    chatbotId: 'value',
    kind: 'value',
    title: 'value',
    contentType: 'value',
    sizeBytes: 'value',
    status: 'value',
    problem: 'value',
    passages: 'value',
    fileId: 'hidden',
    uploadedBy: 'value',
    createdAt: 'value',
    updatedAt: 'value',
  },
  attached({ id, title, contentType, fileId }, tx, files) {
    if (fileId === null) return null;
    const name = title.replace(/[^\w.-]+/g, '_').replace(/^\.+/, '');
    return {
      path: `files/knowledge/${id}-${name.slice(0, 80)}${ENDINGS[contentType ?? ''] ?? ''}`,
      load: () => loadWhole(tx, files, fileId),
    };
  },
});
