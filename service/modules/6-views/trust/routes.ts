import { defineHandlers } from '#platform/http/context.ts';
import type { Cursors } from '#platform/http/cursor.ts';
import { exportAccessLog, readAccessLog } from './read-access-log.ts';
import { readPeople } from './read-people.ts';
import { readTrust, type TrustDeps } from './read-trust.ts';

export function trustHandlers(deps: TrustDeps & { cursors: Cursors }) {
  return defineHandlers({
    getMyTrust: (_input, context) => readTrust(deps, context),
    listMyAccessLog: ({ query }, { actor }) => readAccessLog(deps, actor, query),
    exportMyAccessLog: (_input, context) => exportAccessLog(deps, context),
    getMyPeople: (_input, { actor }) => readPeople(deps, actor),
  });
}
