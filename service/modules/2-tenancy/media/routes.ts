import { answer } from '#platform/http/answer.ts';
import { defineHandlers } from '#platform/http/context.ts';
import { changeMedia, removeMedia } from './change-media.ts';
import type { MediaDeps } from './deps.ts';
import { exportMedia, readMedia, readMediaPage } from './read-media.ts';
import { serveFile } from './serve-file.ts';
import { uploadMedia } from './upload-media.ts';

export function mediaHandlers(deps: MediaDeps) {
  return defineHandlers({
    uploadMedia: async ({ body }, context) => answer(201, await uploadMedia(deps, context, body)),
    listMedia: ({ query }, { actor }) => readMediaPage(deps, actor, query),
    exportMedia: ({ query }, { actor, now }) => exportMedia(deps, actor, query, now),
    getMedia: ({ params }, { actor }) => readMedia(deps, actor, params.id),
    changeMedia: ({ params, body }, context) => changeMedia(deps, context, params.id, body.altText),
    deleteMedia: async ({ params }, context) => void (await removeMedia(deps, context, params.id)),
    readFile: ({ params, query }, { caller }) => serveFile(deps, caller, params.key, query.size),
  });
}
