import { defineHandlers } from '#platform/http/context.ts';
import { addToStopList, removeFromStopList } from './change-stop-list.ts';
import { exportStopList, readStopList, type StopListDeps } from './read-stop-list.ts';

export function stopListHandlers(deps: StopListDeps) {
  return defineHandlers({
    listStopList: ({ params, query }, { actor }) => readStopList(deps, actor, params.id, query),
    exportStopList: ({ params, query }, context) => exportStopList(deps, context, params.id, query.q),
    addToStopList: ({ params, body }, context) => addToStopList(deps, context, params.id, body),
    removeFromStopList: async ({ params, body }, context) =>
      void (await removeFromStopList(deps, context, params.id, { contact: params.contact, reason: body.reason })),
  });
}
