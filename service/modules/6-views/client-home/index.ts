import { defineHandlers } from '#platform/http/context.ts';
import { type ClientHomeDeps, readClientHome } from './read-client-home.ts';

/** The home page of a client. */
export function clientHome(deps: ClientHomeDeps) {
  return {
    routes: defineHandlers({
      getMyClientSummary: (_input, context) => readClientHome(deps, context),
    }),
  };
}
