import { defineHandlers } from '#platform/http/context.ts';
import { type ClientHomeDeps, readClientHome } from './read-client-home.ts';

export function clientHomeHandlers(deps: ClientHomeDeps) {
  return defineHandlers({
    getMyClientSummary: (_input, context) => readClientHome(deps, context),
  });
}
