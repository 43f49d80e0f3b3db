import { defineHandlers } from '#platform/http/context.ts';
import type { PurgeDeps } from './deps.ts';
import { readPurge } from './read-purge.ts';
import { streamPurge } from './stream-purge.ts';

export function purgeHandlers(deps: PurgeDeps) {
  return defineHandlers({
    getPurge: ({ params }, { actor }) => readPurge(deps.db, actor, params.id),
    streamPurge: ({ params }, { actor }) => streamPurge(deps, actor, params.id),
  });
}
