import { defineHandlers } from '#platform/http/context.ts';
import { addToStopList, removeFromStopList } from './change-stop-list.ts';
import { exportStopList, readStopList, type StopListDeps } from './read-stop-list.ts';

/** The contacts whom no agent of a client writes to. Texts put contacts on it themselves (3-product/executions). */
export function stopList(deps: StopListDeps) {
  return {
    routes: defineHandlers({
      listStopList: ({ params, query }, { actor }) => readStopList(deps, actor, params.id, query),
      exportStopList: ({ params, query }, context) => exportStopList(deps, context, params.id, query.q),
      addToStopList: ({ params, body }, context) => addToStopList(deps, context, params.id, body),
      removeFromStopList: async ({ params, body }, context) =>
        void (await removeFromStopList(deps, context, params.id, { contact: params.contact, reason: body.reason })),
    }),
  };
}
