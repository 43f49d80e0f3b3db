import { answer } from '#platform/http/answer.ts';
import { createFairTurns } from '#platform/fair-turns.ts';
import { defineHandlers } from '#platform/http/context.ts';
import { defineCron } from '#platform/jobs/define-job.ts';
import { changeMedia, removeLostAvatars, removeMedia } from './change-media.ts';
import type { MediaDeps, MediaModuleDeps } from './deps.ts';
import { exportMedia, readMedia, readMediaPage } from './read-media.ts';
import { serveFile } from './serve-file.ts';
import { uploadMedia } from './upload-media.ts';

export { findLogo } from './store.ts';
export { refuseFullStorage } from './upload-media.ts';
export { takeAvatar, takeLogo } from './use-media.ts';

/** One image at a time: the next waits for a moment, and is refused after ten seconds. */
const TURNS = { slots: 1, waitingMax: 32, waitMs: 10_000 };

/** Images and PDFs that people upload, and where they are shown. */
export function media(given: MediaModuleDeps) {
  const deps: MediaDeps = { ...given, turns: createFairTurns(TURNS) };
  return {
    routes: defineHandlers({
      uploadMedia: async ({ body }, context) => answer(201, await uploadMedia(deps, context, body)),
      listMedia: ({ query }, { actor }) => readMediaPage(deps, actor, query),
      exportMedia: ({ query }, { actor, now }) => exportMedia(deps, actor, query, now),
      getMedia: ({ params }, { actor }) => readMedia(deps, actor, params.id),
      changeMedia: ({ params, body }, context) => changeMedia(deps, context, params.id, body.altText),
      deleteMedia: async ({ params }, context) => void (await removeMedia(deps, context, params.id)),
      readFile: ({ params, query }, { caller }) => serveFile(deps, caller, params.key, query.size),
    }),
    crons: [defineCron('media.remove-lost-avatars', '11 3 * * *', () => removeLostAvatars(deps))],
  };
}
