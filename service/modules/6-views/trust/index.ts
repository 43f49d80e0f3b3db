import { defineHandlers } from '#platform/http/context.ts';
import type { Cursors } from '#platform/http/cursor.ts';
import { exportAccessLog, readAccessLog } from './read-access-log.ts';
import { readPeople } from './read-people.ts';
import { readTrust, type TrustDeps } from './read-trust.ts';

/** What a client may know about its data: what is done with it, who looked at it, who has access. */
export function trust(deps: TrustDeps & { cursors: Cursors }) {
  return {
    routes: defineHandlers({
      getMyTrust: (_input, context) => readTrust(deps, context),
      listMyAccessLog: ({ query }, { actor }) => readAccessLog(deps, actor, query),
      exportMyAccessLog: (_input, context) => exportAccessLog(deps, context),
      getMyPeople: (_input, { actor }) => readPeople(deps, actor),
    }),
  };
}
