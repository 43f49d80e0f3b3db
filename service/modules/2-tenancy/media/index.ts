import { createFairTurns } from '#platform/fair-turns.ts';
import { defineCron } from '#platform/jobs/define-job.ts';
import { removeLostAvatars } from './change-media.ts';
import type { MediaDeps, MediaModuleDeps } from './deps.ts';
import { mediaHandlers } from './routes.ts';

export { readLogo } from './read-logo.ts';
export { findLogo } from './store.ts';
export { refuseFullStorage } from './upload-media.ts';
export { takeAvatar, takeLogo } from './use-media.ts';

/** One image at a time: the next waits for a moment, and is refused after ten seconds. */
const TURNS = { slots: 1, waitingMax: 32, waitMs: 10_000 };

/** Images and PDFs that people upload, and where they are shown. */
export function media(given: MediaModuleDeps) {
  const deps: MediaDeps = { ...given, turns: createFairTurns(TURNS) };
  return {
    routes: mediaHandlers(deps),
    crons: [defineCron('media.remove-lost-avatars', '11 3 * * *', () => removeLostAvatars(deps))],
  };
}
